import FoundationEssentials
import SheafFormats
import SheafList

/// The texts in changes that an earlier version of the program could not save. No command recovers
/// such changes, so the user must enter them again.
enum EarlierTexts {
    static let advice = "Enter again what the list lacks, then remove the file."

    /// Returns the lines of the rescue file at `path`, or the reason why it cannot be read.
    static func lines(ofRescueFile path: String) -> [String] {
        lines(of: path) {
            let file = try RegularFile(path)
            return [Data(try file.read(upTo: file.size))]
        }
    }

    /// Returns the lines of the log at `path`, or the reason why it cannot be read.
    static func lines(ofLog path: String) -> [String] {
        lines(of: path) { try LogRecords.texts(readingCopyOf: path) }
    }

    private static func lines(of path: String, _ texts: () throws -> [Data]) -> [String] {
        do {
            return try texts().flatMap(lines(in:))
        } catch {
            return [StorageError(error, at: path).reason]
        }
    }

    /// Returns a line for each entity in the JSON object `text`: `items: “milk” “2 l”`. Any other
    /// text is one line, unchanged.
    private static func lines(in text: Data) -> [String] {
        do {
            return try ChangesText.object(text).filter { !$0.key.hasSuffix("Bases") }
                .flatMap(lines)
        } catch {
            return [String(decoding: text, as: UTF8.self)]
        }
    }

    private static func lines(of member: JSONValue.Member) -> [String] {
        guard case .array(let entities) = member.value else { return [] }
        return entities.compactMap { entity in
            guard case .object(let fields) = entity else { return nil }
            let texts = ["name", "query", "note"].compactMap { key -> String? in
                guard case .string(let text)? = fields.first(where: { $0.key == key })?.value,
                    !text.isEmpty
                else { return nil }
                return "“\(text)”"
            }
            return texts.isEmpty ? nil : "\(member.key): \(texts.joined(separator: " "))"
        }
    }
}
