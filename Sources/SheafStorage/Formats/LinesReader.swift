import Foundation

/// Reads the format in which every line is the name of an item.
///
/// Lines end with LF or CR LF, the last one may lack its end. A byte order mark at the start is
/// skipped, and so are lines of nothing but white space. All else of a line is the name, byte for
/// byte.
enum LinesReader {
    static func read(_ data: Data) throws(FormatError) -> ImportedList {
        let bytes = [UInt8](data)
        var list = ImportedList()
        var line = 1
        var start = bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0
        while start < bytes.count {
            let newline = bytes[start...].firstIndex(of: 0x0A)
            var end = newline ?? bytes.count
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            guard let name = String(validating: bytes[start..<end], as: UTF8.self) else {
                throw FormatError(line: line, reason: "not valid UTF-8")
            }
            if !name.allSatisfy(\.isWhitespace) {
                list.items.append(ImportedItem(name: name))
            }
            guard let newline else { break }
            start = newline + 1
            line += 1
        }
        return list
    }
}

/// The marks that some editors put in front of a text.
enum ByteOrderMark {
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
