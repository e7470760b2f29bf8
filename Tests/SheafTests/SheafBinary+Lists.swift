import Foundation
import Testing

extension SheafBinary {
    /// Makes `a.sqlite` with items of these names, whose ids begin so, in the order of the ids.
    func fill(_ names: [String: String]) async throws {
        let items = names.sorted { $0.key < $1.key }.map { start, name in
            "{\"id\": \"\(start)-0000-4000-8000-000000000000\", \"name\": \"\(name)\"}"
        }
        try write("[\(items.joined(separator: ","))]", to: "fill.json")
        #expect(try await run("import", "--store", "a.sqlite", "fill.json").status == 0)
    }

    /// The names of the items of a list, in its order.
    func names(_ store: String = "a.sqlite") async throws -> [String] {
        try await run("list", "--store", store).output.split(separator: "\n").map(String.init)
    }

    /// The names of the items of `a.sqlite` that are done, sorted.
    func doneNames() async throws -> [String] {
        let data = Data(
            try await run("list", "--store", "a.sqlite", "--format", "json").output.utf8)
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.filter { $0["done"] as? Bool ?? false }.compactMap { $0["name"] as? String }
            .sorted()
    }

    /// Runs a command, which may be of two words, on `a.sqlite`.
    func edit(_ command: String, _ rest: String...) async throws -> Result {
        try await edit(command, rest)
    }

    /// Runs a command, which may be of two words, on `a.sqlite`.
    func edit(_ command: String, _ rest: [String]) async throws -> Result {
        let words = command.split(separator: " ").map(String.init)
        return try await run(words + ["--store", "a.sqlite"] + rest)
    }
}
