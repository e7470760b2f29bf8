import Foundation
import SheafFormats
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

@Suite("JSON store")
struct JSONStorageTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("list.json")
    }

    private func open(
        _ mode: OpenMode = .readWriteCreate, busyTimeout: Duration = .seconds(5)
    ) throws -> JSONStorage {
        try JSONStorage(path: path, mode: mode, busyTimeout: busyTimeout)
    }

    private func lines() throws -> [String] {
        try text().split(separator: "\n").map(String.init)
    }

    private func text() throws -> String {
        String(decoding: try folder.bytes(of: "list.json"), as: UTF8.self)
    }

    private func edit(_ old: String, _ new: String) throws {
        try folder.write(
            Array(try text().replacingOccurrences(of: old, with: new).utf8), to: "list.json")
    }

    @Test("a name gets its tags back from the imported line that still describes the item")
    func nameUpgrade() async throws {
        let storage = try open()
        _ = try await storage.commit(FormerNames.rows)
        await storage.close()
        let version = "\"version\": \(FormatVersions.current.json)"
        try edit(version, "\"version\": 2")
        let former = try text()
        let upgraded = try open()
        #expect(try await upgraded.allItems() == FormerNames.restored)
        #expect(try folder.names == ["list.json"])
        var shorter = FormerNames.restored[0]
        shorter.name = FormerNames.rows.items.upserts[0].name
        for _ in 0..<2 { _ = try await upgraded.commit(StorageChanges(items: [shorter])) }
        await upgraded.close()
        #expect(try folder.names == ["list.json", "list.json.backup-v2"])
        #expect(try folder.bytes(of: "list.json.backup-v2") == Data(former.utf8))
        #expect(try text().contains(version))
        #expect(try await open().allItems()[0] == shorter)
    }

    // MARK: The text

    @Test("an item is a line, and the keys of its object are sorted")
    func shape() async throws {
        let tag = Fixtures.tag(1, "book")
        let storage = try open()
        var item = Fixtures.item(1, "One \"quoted\"", tags: [tag.id])
        item.extras = [.init(key: "k", value: "v")]
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        let time = "2023-11-14T22:13:20.123Z"
        let data = try folder.bytes(of: "list.json")
        let list = try WholeList(data, at: "list.json", modified: Fixtures.now)
        let id = try #require(list.id).uuidString.lowercased()
        let commits = try #require(list.others.first { $0.key == "commits" }).value
        #expect(commits.hasPrefix("{\"number\":1,"))
        var values = [
            "createdAt": "\"\(time)\"", "done": "false", "extras": #"[["k", "v"]]"#,
            "id": #""a0000000-0000-4000-8000-000000000001""#, "name": #""One \"quoted\"""#,
            "rank": #""b01""#, "tags": #"["book"]"#, "updatedAt": "\"\(time)\"",
        ]
        for field in Item.fields where values[field.name] == nil {
            if case .text = field.value { values[field.name] = "\"\"" }
            values[field.name] = values[field.name] ?? "null"
        }
        #expect(values["note"] == "\"\"" && values["due"] == "null")
        let members = values.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }
        #expect(
            try text() == """
                {
                  "format": "sheaf",
                  "version": \(JSONListReader.version),
                  "id": "\(id)",
                  "tags": [
                    {"color": "blue", "id": "b0000000-0000-4000-8000-000000000001", \
                "name": "book", "rank": "b01"}
                  ],
                  "items": [
                    {\(members.joined(separator: ", "))}
                  ],
                  "commits": \(commits)
                }

                """)
    }

    @Test("a rename changes one line, a move puts one elsewhere, and each counts the commit")
    func oneLine() async throws {
        let storage = try open()
        var items = Fixtures.items(50)
        _ = try await storage.commit(StorageChanges(items: items))
        let before = try lines()
        items[20].name = "renamed"
        _ = try await storage.commit(StorageChanges(items: [items[20]]))
        let renamed = try lines()
        let changed = zip(before, renamed).filter { $0 != $1 }
        #expect(changed.count == 2)
        #expect(changed.last?.1.hasPrefix("  \"commits\": {\"number\":2,") == true)
        items[20].rank = Rank.between(items[30].rank, items[31].rank)
        _ = try await storage.commit(StorageChanges(items: [items[20]]))
        #expect(Set(try lines()).subtracting(renamed).count == 2)
        #expect(try await storage.allItems().map(\.name)[30] == "renamed")
    }

    @Test("a commit that changes nothing leaves the file alone")
    func unchanged() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        let before = try status(of: path)
        _ = try await storage.commit(
            StorageChanges(items: [Fixtures.item(2)], deletingItems: [Fixtures.itemID(9)]))
        let after = try status(of: path)
        #expect(before.st_ino == after.st_ino)
        #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
    }

    // MARK: Edited by others

    @Test("what an editor changed is read, and kept by the next commit")
    func editedByHand() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(3)))
        try edit("\"item 1\"", "\"by hand\"")
        #expect(try await storage.allItems().map(\.name) == ["by hand", "item 2", "item 3"])
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        #expect(
            try await open().allItems().map(\.name) == ["by hand", "item 2", "item 3", "item 4"])
    }

    @Test("a line that was moved stays where it was put, and the others keep their ranks")
    func movedByHand() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: Fixtures.items(5)))
        var lines = try lines()
        let first = try #require(lines.firstIndex { $0.contains("item 1") })
        lines.insert(lines.remove(at: first), at: first + 2)
        try folder.write(Array(lines.joined(separator: "\n").utf8), to: "list.json")
        let items = try await storage.allItems()
        #expect(items.map(\.name) == [2, 3, 1, 4, 5].map { "item \($0)" })
        #expect([0, 1, 3, 4].map { items[$0].rank } == [2, 3, 4, 5].map { Fixtures.rank($0) })
    }

    @Test("lines of a name alone are items, the same ones whenever the file is read")
    func bareLines() async throws {
        let text = """
            {"format": "sheaf", "version": 1, "items": [
              {"name": "milk", "tags": ["shop"]},
              {"name": "milk", "tags": ["Shop"]},
              {"name": "bread"}
            ]}
            """
        try folder.write(Array(text.utf8), to: "list.json")
        let items = try await open().allItems()
        #expect(items.map(\.name) == ["milk", "milk", "bread"])
        #expect(Set(items.map(\.id)).count == 3)
        #expect(items[0].tags.count == 1 && items[0].tags == items[1].tags)
        try edit("\"bread\"", "\"rye bread\"")
        let again = try await open().allItems()
        #expect(again.map(\.id).prefix(2) == items.map(\.id).prefix(2))
        #expect(again[0].createdAt.milliseconds > 0)
    }

    @Test("members that this version does not know are kept")
    func unknownMembers() async throws {
        let text = #"{"format":"sheaf","version":1,"later":{"b":[1,2.50],"a":null},"items":[]}"#
        try folder.write(Array(text.utf8), to: "list.json")
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try self.text().contains(#""later": {"b":[1,2.50],"a":null}"#))
        #expect(try await open().itemCount() == 1)
    }

    @Test("a file that is gone is not made again, and is found when it is back")
    func gone() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(rename(path, folder.file("away")) == 0)
        let changes = StorageChanges(items: [Fixtures.item(2)])
        let error = await storageError { try await storage.commit(changes) }
        #expect(error?.code == .io && error?.reason.contains("deleted") == true)
        #expect(try folder.names == ["away"])
        #expect(rename(folder.file("away"), path) == 0)
        _ = try await storage.commit(changes)
        #expect(try await open().itemCount() == 2)
    }

    @Test(
        "what is no file in the list's place is not waited for, and the list is found when it is back",
        .timeLimit(.minutes(1)), arguments: ["FIFO", "folder", "socket"], [false, true])
    func noFile(_ kind: String, isBehindLink: Bool) async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(rename(path, folder.file("away")) == 0)
        let other = isBehindLink ? folder.file("other") : path
        switch kind {
        case "FIFO": #expect(mkfifo(other, 0o600) == 0)
        case "folder": #expect(mkdir(other, 0o700) == 0)
        default: #expect(mknod(other, S_IFSOCK | 0o600, 0) == 0)
        }
        if isBehindLink { #expect(symlink(other, path) == 0) }
        let changes = StorageChanges(items: [Fixtures.item(2)])
        let error = await storageError { try await storage.commit(changes) }
        #expect(
            error?.code == .cannotOpen
                && error?.reason.contains("this is a \(kind), not a file") == true)
        let reading = await storageError { try await storage.loadTags() }
        #expect(reading?.reason.contains("this is a \(kind), not a file") == true)
        #expect(remove(path) == 0)
        #expect(rename(folder.file("away"), path) == 0)
        _ = try await storage.commit(changes)
        #expect(try await open().itemCount() == 2)
    }

    @Test("the list is followed through a link that takes its place, unless that is another user's")
    func linkMeanwhile() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        let away = folder.file("away")
        #expect(rename(path, away) == 0)
        #expect(symlink(away, path) == 0)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == away)
        let reader = try JSONStorage(path: away, mode: .readOnly)
        #expect(try await reader.itemCount() == 2)
        if geteuid() == 0 {
            #expect(lchown(path, 65_534, 65_534) == 0)
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(3)]))
            }
            #expect(error?.code == .readOnly)
            #expect(error?.advice?.contains("belongs to another user") == true)
        }
        #expect(unlink(path) == 0)
        #expect(rename(away, path) == 0)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(4)]))
        #expect(try await open().itemCount() == 3)
    }

    @Test("a file that is broken while it is open is left so until it is mended")
    func brokenMeanwhile() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        let good = try text()
        try folder.write(Array("<<<<<<< HEAD\n\(good)".utf8), to: "list.json")
        let broken = try text()
        let changes = StorageChanges(items: [Fixtures.item(2)])
        let error = await storageError { try await storage.commit(changes) }
        #expect(error?.code == .corrupt && error?.reason.contains("conflict (line 1)") == true)
        #expect(try text() == broken)
        try folder.write(Array(good.utf8), to: "list.json")
        _ = try await storage.commit(changes)
        #expect(try await open().itemCount() == 2)
    }

    @Test("openings that commit at the same time lose nothing")
    func twoWriters() async throws {
        let stores = try (0..<4).map { _ in try open() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try await stores[number % 4].commit(
                        StorageChanges(items: [Fixtures.item(number)]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await open().allItems() == (0..<40).map { Fixtures.item($0) })
        #expect(try folder.names == ["list.json"])
    }

    @Test("a lock that is not given up is busy, and nothing is changed")
    func busy() async throws {
        let storage = try open(busyTimeout: .zero)
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let changes = StorageChanges(items: [Fixtures.item(1)])
        #expect(await storageError { try await storage.commit(changes) }?.code == .busy)
        #expect(try await storage.itemCount() == 0)
        // Given up by name: a process that another test starts has the descriptor too, until it
        // runs its program.
        #expect(flock(descriptor, LOCK_UN) == 0)
        close(descriptor)
        _ = try await storage.commit(changes)
        #expect(try await storage.itemCount() == 1)
    }

    // MARK: The file

    @Test("a new file is for the user alone, an older one keeps its permissions")
    func permissions() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try status(of: path).st_mode & 0o777 == 0o600)
        chmod(path, 0o644)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        #expect(try status(of: path).st_mode & 0o777 == 0o644)
    }

    @Test("a link is followed and stays a link")
    func links() async throws {
        _ = try JSONStorage(path: folder.file("real.json"), mode: .readWriteCreate)
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.file("real.json"))
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try folder.names == ["list.json", "real.json"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: path).hasSuffix("real.json"))
    }

    @Test("what killed writers left goes with the next commit, but for what is another's")
    func leftDrafts() async throws {
        func secret(_ digit: String) -> String { String(repeating: digit, count: 32) }
        let mine = [
            ".list.json.sheaf-new-" + secret("1"), ".list.json.sheaf-new-" + secret("2"),
            ".list.json.new-" + secret("4"),
        ]
        let link = ".list.json.sheaf-new-" + secret("3")
        let others = [
            ".list.json.sheaf-new", ".list.json.sheaf-new-notes",
            ".other.json.sheaf-new-" + secret("5"),
        ]
        let storage = try open()
        for name in mine + others { try folder.write([1], to: name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(link), withDestinationPath: path)
        var kept = others + [link]
        if geteuid() == 0 {
            #expect(chown(folder.file(mine[1]), 65534, 65534) == 0)
            kept.append(mine[1])
        }
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try folder.names == (kept + ["list.json"]).sorted())
    }

    @Test(
        "a full disk changes nothing, and the next commit succeeds once there is room",
        .enabled(if: TinyDisk.isPossible))
    func fullDisk() async throws {
        let disk = folder.file("disk")
        try await TinyDisk.during(disk) {
            let storage = try JSONStorage(path: "\(disk)/list.json", mode: .readWriteCreate)
            _ = try await storage.commit(StorageChanges(items: Fixtures.items(100)))
            try TinyDisk.fill("\(disk)/ballast")
            let changes = StorageChanges(items: [Fixtures.item(101)])
            #expect(await storageError { try await storage.commit(changes) }?.code == .full)
            #expect(try await storage.itemCount() == 100)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: disk).sorted()
                    == ["ballast", "list.json"])
            unlink("\(disk)/ballast")
            _ = try await storage.commit(changes)
            #expect(try await storage.itemCount() == 101)
        }
    }

    @Test("a folder that cannot be written to is read only", .enabled(if: Immutable.isPossible))
    func readOnlyFolder() async throws {
        _ = try open()
        try await Immutable.during(folder.path) {
            let storage = try open()
            #expect(storage.readOnlyReason != nil)
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
            }
            #expect(error?.code == .readOnly)
            #expect(try await storage.itemCount() == 0)
        }
    }

    // MARK: Refused files

    @Test(
        "what is no list of this program is left alone",
        arguments: [
            ("", StorageError.Code.corrupt), ("Dear diary,\n", .foreign), ("[]", .foreign),
            ("{}", .foreign), ("{\"format\": \"other\"}", .foreign), ("\u{0}\u{1}", .foreign),
            (
                "{\"format\": \"sheaf\", \"version\": \(JSONListReader.version + 1), \"items\": []}",
                .newer
            ),
            ("{\"format\": \"sheaf\", \"version\": 1, \"items\": [", .corrupt),
            ("{\"format\": \"sheaf\", \"version\": 1}", .corrupt),
            (
                "{\"format\": \"sheaf\", \"version\": 1, \"items\": [{\"name\": 1}]}", .corrupt
            ),
            (
                list(items: "{\"name\": \"x\", \"id\": \"a0000000-0000-4000-8000- 00000000032\"}"),
                .corrupt
            ),
            // An item among the tags, and two others whose members the next write would lose.
            (list(tags: "{\"name\": \"x\", \"note\": \"Ring at 8\"}"), .corrupt),
            (list(tags: "{\"name\": \"x\", \"color\": \"mauve\"}"), .corrupt),
            (list(views: "{\"name\": \"x\", \"query\": \"a\", \"due\": null, \"n\": 1}"), .corrupt),
        ])
    func refused(_ text: String, _ code: StorageError.Code) async throws {
        try folder.write(Array(text.utf8), to: "list.json")
        let before = try status(of: path)
        for mode in [OpenMode.readWriteCreate, .readWrite, .readOnly] {
            let error = await storageError { try open(mode) }
            #expect(error?.code == code)
            #expect(error?.advice != nil)
        }
        let after = try status(of: path)
        #expect(before.st_ino == after.st_ino)
        #expect(try self.text() == text)
        #expect(try folder.names == ["list.json"])
    }

    private static func list(
        tags: String = "", views: String = "", items: String = ""
    ) -> String {
        """
        {"format": "sheaf", "version": \(JSONListReader.version), "tags": [\(tags)], \
        "views": [\(views)], "items": [\(items)]}
        """
    }

    @Test("no item without an id gets the id of another item of its name when one is typed by hand")
    func sameNames() async throws {
        func notes(_ notes: [String]) async throws -> [UUID: String] {
            let items = notes.map { "{\"name\": \"call back\", \"note\": \"\($0)\"}" }
            let text = Self.list(items: items.joined(separator: ","))
            try folder.write(Array(text.utf8), to: "list.json")
            let read = try await open().allItems()
            #expect(read.map(\.note) == notes)
            #expect(try await open().allItems().map(\.id) == read.map(\.id))
            return Dictionary(uniqueKeysWithValues: read.map { ($0.id, $0.note) })
        }
        let versions = [["a"], ["b", "a"], ["a", "b"], ["c", "b", "a"], ["b", "b", "a"], ["b"]]
        for before in versions {
            let old = try await notes(before)
            for after in versions where before.count > 1 || after.count > 1 {
                let new = try await notes(after)
                for (id, note) in new { #expect(old[id] ?? note == note, "\(before) \(after)") }
            }
        }
    }

    @Test("a missing list is made only where that is wanted")
    func missing() async throws {
        #expect(await storageError { try open(.readWrite) }?.code == .notFound)
        #expect(await storageError { try open(.readOnly) }?.code == .notFound)
        #expect(try folder.names.isEmpty)
    }

    @Test("above ten thousand items it says that SQLite is better")
    func advice() async throws {
        let storage = try open()
        _ = try await storage.commit(
            StorageChanges(items: (0..<10_000).map { Fixtures.item($0 % 3844, rank: nil).copy($0) })
        )
        #expect(try await storage.advice() == nil)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1).copy(10_000)]))
        #expect(try await storage.advice()?.contains("SQLite") == true)
    }
}

extension Item {
    /// A copy under the nth id.
    fileprivate func copy(_ number: Int) -> Item {
        Item(id: Fixtures.itemID(number), name: name, rank: rank, createdAt: createdAt)
    }
}
