import Foundation
import Testing

@Suite("The log of actions")
struct ActionLogTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    @Test("every action is a line of JSON that says what it changed, for the user alone")
    func lines() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "milk")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store a.sqlite --log log.jsonl; echo status $?")
        try await terminal.wait(for: "1 open")
        try terminal.type("A")
        try await terminal.wait(for: "ADD")
        try terminal.type("\u{7}bread")
        try terminal.press("Enter")
        try await terminal.wait(for: "bread")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        let text = try String(contentsOfFile: sheaf.path("log.jsonl"), encoding: .utf8)
        let records = try text.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let changes = records.compactMap { $0["changes"] as? [String] }.flatMap(\.self)
        #expect(changes.contains { $0.hasPrefix("items + ") && $0.contains("bread") })
        #expect(records.allSatisfy { $0["time"] is String && $0["number"] is Int })
        let attributes = try FileManager.default.attributesOfItem(atPath: sheaf.path("log.jsonl"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a log goes neither through a dangling link nor to what is no file")
    func refused() async throws {
        let link = sheaf.path("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: sheaf.path("victim"))
        let terminal = try await TmuxSession(sheaf)
        #expect(mkfifo(sheaf.path("fifo"), 0o600) == 0)
        let targets = [
            ("link", "a dangling link"), ("/dev/null", "is not a file"), ("fifo", "is not a file"),
            ("a.sqlite", "this file is not an action log"),
            ("b.json", "this file is not an action log"),
            ("a.sqlite-journal", "belongs to a.sqlite"),
        ]
        for store in ["a.sqlite", "json:b.json"] {
            _ = try await sheaf.run("add", "one", "--store", store)
        }
        let before = try ["a.sqlite", "b.json"].map { try sheaf.bytes(of: $0) }
        for (number, (target, reason)) in targets.enumerated() {
            // Numbered, because the screen may still show the one before.
            try terminal.run(
                "clear; $SHEAF --store a.sqlite --log \(target); echo status \(number): $?")
            let screen = try await terminal.wait(for: "status \(number): 73")
            #expect(screen.contains(reason))
        }
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("victim")))
        #expect(try ["a.sqlite", "b.json"].map { try sheaf.bytes(of: $0) } == before)
    }
}
