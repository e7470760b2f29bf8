import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The findings of `sheaf doctor`.
@Suite("Doctor")
struct DoctorTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws {
        lists = try ListFolder()
    }

    /// Examines the list and expects that nothing of it, and nothing beside it, changes.
    private func examine(_ url: StoreURL) throws -> Diagnosis {
        let names = try folder.names
        let before = try names.map { try Snapshot(folder.file($0)) }
        let diagnosis = Doctor.examine(url, environment: lists.environment)
        #expect(try folder.names == names)
        #expect(try names.map { try Snapshot(folder.file($0)) } == before)
        return diagnosis
    }

    @Test("a healthy list is healthy", arguments: StoreURL.Backend.allCases)
    func healthy(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await lists.make(url, 20)
        let diagnosis = try examine(url)
        #expect(diagnosis.severity < .warning, "\(diagnosis)")
        #expect(diagnosis.refusal == nil)
        #expect(diagnosis.findings.contains { $0.text == "20 items, 1 tag" })
    }

    @Test("values of a JSON list that cannot be read are named")
    func unreadFields() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let name = try #require(try folder.names.first { $0.hasSuffix(".json") })
        let text = String(decoding: try folder.bytes(of: name), as: UTF8.self)
        try folder.write(
            Array(text.replacing("\"due\": null", with: "\"due\": \"next tuesday\"").utf8),
            to: name)
        let finding = try examine(url).findings.first { $0.text.contains("cannot be read") }
        #expect(finding?.severity == .note)
        #expect(finding?.details.first?.hasSuffix(": due “next tuesday”") == true, "\(finding)")
    }

    @Test("a list that its header lets nobody write to can only be read, and the reason is named")
    func unwritableHeader() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes[18] = 9
        try folder.write(bytes, to: "list.sqlite")
        let diagnosis = try examine(url)
        let finding = diagnosis.findings.first { $0.text.hasPrefix("the list is read-only") }
        #expect(finding?.severity == .warning)
        #expect(finding?.text.contains("its header has write version 9") == true)
        #expect(finding?.advice?.contains("--recover") == true)
        #expect(diagnosis.refusal == nil)
    }

    @Test(
        "what is no list of this version is named, with a way out",
        arguments: [
            ("empty", StorageError.Code.corrupt), ("text", .foreign), ("newer", .newer),
            ("database", .foreign), ("missing", .notFound), ("cut", .corrupt),
        ])
    func refused(kind: String, code: StorageError.Code) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 300)
        switch kind {
        case "empty": #expect(truncate(url.path, 0) == 0)
        case "text": try folder.write(Array("Dear diary,".utf8), to: "list.sqlite")
        case "newer": try Shell.run("PRAGMA user_version = 99", on: url.path)
        case "database": try Shell.run("PRAGMA application_id = 7", on: url.path)
        case "missing": #expect(unlink(url.path) == 0)
        default: #expect(truncate(url.path, 30_000) == 0)
        }
        let diagnosis = try examine(url)
        #expect(diagnosis.refusal == code)
        #expect(diagnosis.severity == .damage)
        #expect(diagnosis.findings.contains { $0.severity == .damage && $0.advice != nil })
    }

    @Test("a wrong number of unused pages is given without a sign")
    func unusedPages() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes.replaceSubrange(36..<40, with: [0xFF, 0xFF, 0xFF, 0xFE])
        try folder.write(bytes, to: "list.sqlite")
        let texts = try examine(url).findings.filter { $0.severity == .damage }.map(\.text)
        #expect(texts.count == 1)
        #expect(texts.first?.contains("counts 4294967294 of") == true, "\(texts)")
    }

    @Test("rows that cannot be read are each named")
    func rows() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run(
            "UPDATE items SET rank = '' WHERE rowid = 2; UPDATE items SET id = 'X' WHERE rowid = 3;"
                + "UPDATE tags SET rank = '!';"
                + "UPDATE items SET note = CAST(x'61FF' AS TEXT) WHERE rowid = 1", on: url.path)
        let texts = try examine(url).findings.filter { $0.severity == .damage }.map(\.text)
        #expect(
            texts.contains { $0.contains("row 1 of items") && $0.contains("note is not valid") })
        #expect(texts.contains { $0.contains("row 2 of items") && $0.contains("rank \"\"") })
        #expect(texts.contains { $0.contains("row 3 of items, id \"X\"") })
        #expect(texts.contains { $0.contains("row 1 of tags") })
    }

    @Test("permissions that let others in are told, with the command that mends them")
    func permissions() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        #expect(chmod(url.path, 0o644) == 0)
        let warning = try #require(try examine(url).findings.first { $0.severity == .warning })
        #expect(warning.text.contains("644"))
        #expect(warning.advice?.hasPrefix("chmod 600 ") == true)
    }

    @Test("a list with another program's write-ahead log is intact, and stays as it is")
    func writeAheadLog() async throws {
        try await lists.make(lists.url(.sqlite), 300)
        try Shell.copyMidTransaction(
            "PRAGMA journal_mode = WAL; DELETE FROM item_tags; DELETE FROM items WHERE rowid % 2",
            of: folder.file("list.sqlite"), to: folder.file("logged.sqlite"))
        let url = StoreURL(.sqlite, path: folder.file("logged.sqlite"))
        let diagnosis = try examine(url)
        #expect(diagnosis.severity < .warning, "\(diagnosis)")
        #expect(
            diagnosis.findings.contains {
                $0.text == "a write-ahead log of another program is beside the list"
            })
        #expect(!diagnosis.findings.contains { $0.text.contains("interrupted") })
    }

    @Test("an interrupted write is told and left to be undone; a copy is examined")
    func hotJournal() async throws {
        let live = lists.url(.sqlite, "live")
        try await lists.make(live, 200)
        let url = lists.url(.sqlite)
        try Shell.copyMidTransaction(
            "PRAGMA cache_size = 1; BEGIN; UPDATE items SET name = hex(zeroblob(900))",
            of: live.path, to: url.path)
        let diagnosis = try examine(url)
        #expect(diagnosis.refusal == nil)
        #expect(
            diagnosis.findings.contains { $0.text == "an interrupted write is beside the list" })
        #expect(diagnosis.findings.contains { $0.text == "200 items, 1 tag" })
    }

    @Test("a list whose commits are not counted is damaged, as it is to those who open it")
    func uncounted() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run("DELETE FROM commits", on: url.path)
        #expect(try examine(url).refusal == .corrupt)
    }

    private static let leftNames = [
        ".list.json.new-" + String(repeating: "1", count: 32),
        ".list.json.sheaf-new-" + String(repeating: "2", count: 32), ".list.json.intents-5",
    ]

    @Test("what a crash left is named and kept")
    func leftovers() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let names = Self.leftNames
        for name in names { try folder.write([1], to: name) }
        let diagnosis = try examine(url)
        for name in names {
            #expect(diagnosis.findings.contains { $0.text.hasSuffix(name) && $0.advice != nil })
        }
    }

    @Test(
        "what another user put beside it is not called the program's", .enabled(if: geteuid() == 0))
    func othersLeftovers() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let names = Self.leftNames
        for name in names {
            try folder.write([1], to: name)
            #expect(chown(folder.file(name), 65534, 65534) == 0)
        }
        let findings = try examine(url).findings.filter { $0.text.hasPrefix("beside it") }
        #expect(findings.count == names.count)
        #expect(findings.allSatisfy { $0.advice?.hasPrefix("It belongs to another user") == true })
    }

    @Test("changes that are not saved come with what saves them, moved lists too")
    func unsaved() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let location = try FileLocation(url, environment: lists.environment)
        try await MainActor.run {
            let log = try location.newLog()
            try log.append(StorageChanges(items: [Fixtures.item(1)]))
            log.close()
        }
        func advice() throws -> String? {
            try examine(url).findings.first { $0.text.hasPrefix("not saved: 1 change") }?.advice
        }
        #expect(try advice()?.hasPrefix("The next command that can write to the list") == true)
        #expect(rename(url.path, folder.file("moved.json")) == 0)
        let command = try #require(try advice())
        #expect(command.hasPrefix("If the list has moved: sheaf restore "))
        #expect(command.hasSuffix(" --store FILE"))
    }

    @Test("a merge conflict is told by its line, and each bad item by its own")
    func json() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        let lines = try String(contentsOfFile: url.path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let conflict = lines[..<8] + ["<<<<<<< ours"] + lines[8...]
        try folder.write(Array(conflict.joined(separator: "\n").utf8), to: "list.json")
        let first = try examine(url).findings.first { $0.severity == .damage }
        #expect(first?.text.contains("merge conflict (line 9)") == true)
        let bad = lines.joined(separator: "\n").replacingOccurrences(
            of: "\"name\": \"item ", with: "\"name\": 7, \"x\": \"")
        try folder.write(Array(bad.utf8), to: "list.json")
        let texts = try examine(url).findings.filter { $0.severity == .damage }.map(\.text)
        #expect(texts.count == 3)
        #expect(Set(texts.compactMap { $0.firstMatch(of: /line \d+/)?.output }).count == 3)
    }
}
