import Foundation
import Testing

/// One list in both kinds of store, in a real terminal.
@Suite("Both backends")
struct BackendTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private static let samples = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../Resources/samples")
        .standardizedFileURL.path

    /// The output of `list` for a store, without ids and times.
    private func list(_ store: String) async throws -> [NSDictionary] {
        let output = try await sheaf.run("list", "--store", store, "--format", "json").output
        let items = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
        return try #require(items).map { item in
            let kept = item.filter { !["id", "createdAt", "updatedAt", "doneAt"].contains($0.key) }
            return kept as NSDictionary
        }
    }

    /// Opens `store`, edits it by keys, and quits.
    private func edit(_ store: String) async throws {
        let terminal = try await TmuxSession(sheaf, columns: 100, rows: 30)
        try terminal.run("$SHEAF --store \(store); echo status $?")
        try await terminal.wait(for: " open")
        try terminal.type("ddjx")
        try terminal.type("aNew 日本語")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ New 日本語")
        try terminal.type("JJK")
        try terminal.type("tfresh")
        try terminal.press("Enter")
        try await terminal.wait(for: "#fresh")
        try terminal.type("Gr, again")
        try terminal.press("Enter")
        try terminal.type("uUddu")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
    }

    @Test("a sample that is imported into both and edited by the same keys is the same list")
    func sameKeys() async throws {
        let stores = ["a.sqlite", "b.json"]
        for store in stores {
            for sample in ["todo.txt", "reading.md"] {
                let path = "\(Self.samples)/\(sample)"
                #expect(try await sheaf.run("import", "--store", store, path).status == 0)
            }
            try await edit(store)
        }
        let lists = [try await list(stores[0]), try await list(stores[1])]
        #expect(lists[0].count == 261)
        #expect(lists[0] == lists[1])
        #expect(lists[0].contains { ($0["tags"] as? [String])?.contains("fresh") == true })
        #expect((lists[0].last?["name"] as? String)?.hasSuffix(", again") == true)
    }

    @Test("one rename changes one line of a JSON store, and the count of its commits")
    func oneLine() async throws {
        let path = "\(Self.samples)/todo.txt"
        #expect(try await sheaf.run("import", "--store", "b.json", path).status == 0)
        let before = try lines()
        let id = try #require(
            try await sheaf.run("list", "--store", "b.json", "--format", "json", "passport").output
                .firstMatch(of: /"id": "([^"]*)"/)?.1)
        #expect(try await sheaf.run("rename", "--store", "b.json", "\(id)", "Renewed").status == 0)
        let after = try lines()
        #expect(before.count == after.count)
        let changed = zip(before, after).filter { $0 != $1 }
        #expect(changed.count == 2 && changed.last?.1.contains("\"commits\"") == true)
    }

    private func lines() throws -> [Substring] {
        try String(contentsOfFile: sheaf.path("b.json"), encoding: .utf8).split(separator: "\n")
    }
}
