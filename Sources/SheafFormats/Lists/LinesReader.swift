import FoundationEssentials

/// Reads the format in which every line is the name of an item.
///
/// Lines that contain only white space are skipped. Any other line is a name, byte for byte.
enum LinesReader {
    static func parse(_ data: Data) -> ParsedList {
        var parsed = ParsedList()
        for line in TextLines(data) where !line.isBlank {
            if let name = line.text {
                parsed.list.items.append(ImportedItem(name: name))
            } else {
                parsed.errors.append(.notUTF8(line: line.number))
            }
        }
        return parsed
    }
}
