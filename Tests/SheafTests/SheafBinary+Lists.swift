import Foundation
import Testing

extension SheafBinary {
    /// Makes `a.sqlite` with items of these names, whose ids begin so, in the order of the ids.
    func fill(_ names: [String: String]) throws {
        let items = names.sorted { $0.key < $1.key }.map { start, name in
            "{\"id\": \"\(start)-0000-4000-8000-000000000000\", \"name\": \"\(name)\"}"
        }
        try write("[\(items.joined(separator: ","))]", to: "fill.json")
        #expect(try run("import", "--store", "a.sqlite", "fill.json").status == 0)
    }

    /// Runs a command, which may be of two words, on `a.sqlite`.
    func edit(_ command: String, _ rest: [String]) throws -> Result {
        let words = command.split(separator: " ").map(String.init)
        return try run(words + ["--store", "a.sqlite"] + rest)
    }
}
