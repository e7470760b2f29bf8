import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Lists that were damaged in many ways: each opens or is refused with a sentence, and one that is
/// refused stays as it is, byte for byte. A crash would end the whole run of tests.
@Suite("Damaged lists")
struct DamageTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws {
        lists = try ListFolder()
    }

    /// A real list with texts that have broken other programs.
    private func make(_ url: StoreURL, _ count: Int) async throws {
        var items = Fixtures.items(count)
        for (index, text) in Fixtures.nastyTexts.enumerated() where index < items.count {
            items[index].name = String(text.prefix(2000))
            items[index].note = String(text.prefix(2000))
            items[index].extras = [Item.Extra(key: "k", value: String(text.prefix(100)))]
            items[index].tags = [Fixtures.tagID(1 + index % 2)]
        }
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "two")]
        try await lists.commit(StorageChanges(tags: tags, items: items), to: url)
    }

    /// Opens the list, loads all of it and commits one edit. A failure must be a sentence, and if
    /// nothing was committed the file must be unchanged.
    ///
    /// - Returns: the number of items that it has, or nil if they cannot be loaded.
    @discardableResult
    private func use(_ url: StoreURL, _ context: @autoclosure () -> String) async throws -> Int? {
        let before = try Snapshot(url.path)
        var count: Int?
        var isCommitted = false
        do {
            let storage =
                switch url.backend {
                case .sqlite:
                    try SQLiteStorage(path: url.path, mode: .readWrite, busyTimeout: .zero)
                        as any ListStorage
                case .json: try JSONStorage(path: url.path, mode: .readWrite, busyTimeout: .zero)
                }
            do {
                _ = try await storage.loadTags()
                count = try await storage.allItems(pageSize: 40).count
                _ = try await storage.itemCount()
                _ = try await storage.lastItemRank()
                _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1, "edited")]))
                isCommitted = true
            } catch {
                await storage.close()
                throw error
            }
            await storage.close()
        } catch let error as StorageError {
            #expect(!error.reason.isEmpty && !error.description.contains("\n"), "\(context())")
        } catch {
            Issue.record("\(context()): \(error) is no StorageError")
        }
        if !isCommitted {
            #expect(try Snapshot(url.path) == before, "\(context()): the list was changed")
        }
        _ = Doctor.examine(url, environment: lists.environment)
        for suffix in ["-journal", "-wal", "-shm"] { unlink(url.path + suffix) }
        return count
    }

    @Test("a byte that flipped anywhere does no harm", arguments: StoreURL.Backend.allCases)
    func flips(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await make(url, 60)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: url.path)))
        var random = SplitMix64(seed: 20_260_115)
        for round in 0..<Torture.count(50, of: 10_000) {
            var bytes = whole
            // The beginnings of pages say how to read the rest, so they are tried more often.
            let page = Int.random(in: 0...(bytes.count - 1) / 4096, using: &random) * 4096
            let limit = round % 2 == 0 ? min(page + 128, bytes.count) : bytes.count
            let place = Int.random(in: (round % 2 == 0 ? page : 0)..<limit, using: &random)
            let count = round % 5 == 0 ? 16 : 1
            for offset in place..<min(place + count, bytes.count) {
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: url.path))
            try await use(url, "round \(round), byte \(place) of \(backend)")
        }
    }

    @Test(
        "a list that is cut off at any length is refused or whole",
        arguments: StoreURL.Backend.allCases)
    func lengths(_ backend: StoreURL.Backend) async throws {
        let url = lists.url(backend)
        try await make(url, 3)
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: url.path)))
        let step = Torture.isOn ? 1 : max(whole.count / 80, 1)
        for length in stride(from: 0, to: whole.count, by: step) {
            try Data(whole[..<length]).write(to: URL(fileURLWithPath: url.path))
            let context = "\(length) of \(whole.count) bytes of \(backend)"
            let count = try await use(url, context)
            #expect(count == nil || count == 3, "\(context)")
        }
    }

    @Test("fields of many megabytes are read, copied and examined")
    func hugeFields() async throws {
        let url = lists.url(.sqlite)
        try await make(url, 3)
        let (name, note) = Torture.isOn ? (64 << 20, 200 << 20) : (4 << 20, 8 << 20)
        try Shell.run(
            "UPDATE items SET name = replace(hex(zeroblob(\(name / 2))), '0', 'x') WHERE rowid = 1;"
                + "UPDATE items SET note = replace(hex(zeroblob(\(note / 2))), '0', 'y')"
                + " WHERE rowid = 2", on: url.path)
        let items = try await lists.items(of: url)
        #expect(items[0].name.utf8.count == name)
        #expect(items[1].note.utf8.count == note)
        #expect(try Backup.make(of: url.location, to: folder.file("copy.sqlite")).items == 3)
        #expect(Doctor.examine(url, environment: lists.environment).refusal == nil)
    }

    @Test(
        "JSON that goes too deep, or is very long, is refused",
        arguments: ["[", "{\"a\":", "\"", "-", "[[],"])
    func hostileJSON(_ piece: String) async throws {
        let url = lists.url(.json)
        let head = "{\"format\": \"sheaf\", \"version\": 1, \"items\": "
        for start in ["", head, head + "[{\"name\": \"a\", \"extras\": "] {
            let text = start + String(repeating: piece, count: 100_000)
            try folder.write(Array(text.utf8), to: "list.json")
            #expect(try await use(url, "\(start)\(piece)…") == nil, "\(start)\(piece)…")
        }
    }
}
