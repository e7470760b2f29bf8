import CSQLite
import Foundation
import SheafFormats
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The recoverable parts of a damaged list.
@Suite("Recovery")
struct RecoveryTests {
    private let lists: ListFolder
    private var folder: TemporaryFolder { lists.folder }

    init() throws {
        lists = try ListFolder()
    }

    /// Recovers the list and expects that it stays as it is.
    private func recover(_ url: StoreURL, to target: StoreURL) async throws -> Recovery {
        let before = try Snapshot(url.path)
        let recovery = try await Recovery.run(url.location, to: target)
        #expect(try Snapshot(url.path) == before)
        return recovery
    }

    @Test(
        "a healthy list is recovered whole, to either kind",
        arguments: StoreURL.Backend.allCases, StoreURL.Backend.allCases)
    func healthy(_ from: StoreURL.Backend, _ to: StoreURL.Backend) async throws {
        let url = lists.url(from)
        try await lists.make(url, 50)
        let target = lists.url(to, "saved")
        let recovery = try await recover(url, to: target)
        #expect(recovery == Recovery(items: 50, tags: 1, views: 0, repaired: 0, lost: []))
        let (saved, original) = (try await lists.items(of: target), try await lists.items(of: url))
        #expect(saved.map(\.id) == original.map(\.id))
        #expect(saved.map(\.tags) == original.map(\.tags))
    }

    @Test("all rows around spoiled pages are saved, and the lost ones counted")
    func spoiledPages() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 2000)
        let pages = try leafPages(of: "items", in: url.path)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        let spoiled = [pages[3], pages[4], pages[20]]
        for page in spoiled {
            let start = (page.number - 1) * 4096
            bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0xEE, count: 4096))
        }
        try folder.write(bytes, to: "list.sqlite")
        let lost = spoiled.reduce(0) { $0 + $1.cells }
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == 2000 - lost)
        #expect(recovery.lost.count == lost)
        let items = try await lists.items(of: lists.url(.sqlite, "saved"))
        #expect(items.count == 2000 - lost)
        #expect(
            items.map(\.id)
                == Fixtures.items(2000).map(\.id).filter { id in
                    !recovery.lost.contains("item \(id.uuidString.lowercased())")
                })
    }

    @Test(
        "items are saved even if the tags, the views or the tags of items cannot be read",
        arguments: [
            ("tags", "tag \(Fixtures.tagID(1))"), ("views", "view \(Fixtures.viewID(1))"),
            ("item_tags", nil),
        ])
    func spoiledTable(table: String, lost: String?) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 5)
        try await lists.commit(StorageChanges(views: [Fixtures.view(1, "one")]), to: url)
        let page = try #require(try leafPages(of: table, in: url.path).first).number
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: repeatElement(0, count: 4096))
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == 5)
        #expect(recovery.tags == (table == "tags" ? 0 : 1))
        #expect(recovery.views == (table == "views" ? 0 : 1))
        #expect(recovery.lost == [lost?.lowercased()].compactMap(\.self))
        let items = try await lists.items(of: lists.url(.sqlite, "saved"))
        #expect(items.count { !$0.tags.isEmpty } == (table == "tags" ? 0 : 3))
    }

    @Test(
        "rows to which a spoiled page leads no longer are saved with all that they hold",
        arguments: ["empty", "no table", "a bit", "no pointer"])
    func spoiledRoot(_ damage: String) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 400)
        var long = Fixtures.item(900, "long")
        long.note = String(repeating: "é, a note of many pages. ", count: 2_000)
        long.due = CalendarDay(year: 2026, month: 12, day: 24)
        try await lists.commit(StorageChanges(items: [long]), to: url)
        // A free page has rows that were deleted.
        try await lists.commit(
            StorageChanges(deletingItems: (200..<300).map { Fixtures.itemID($0) }), to: url)
        let original = try await lists.items(of: url)
        let root = try #require(
            try Shell.run("SELECT rootpage FROM sqlite_schema WHERE name = 'items'", on: url.path)
                .flatMap { Int($0) })
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        let start = (root - 1) * 4096
        switch damage {
        case "empty":
            bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0, count: 4096))
        case "no table": bytes[start] = 0
        case "a bit": bytes[start] ^= 1
        default: bytes.replaceSubrange(start + 12..<start + 14, with: [0xFF, 0xFF])
        }
        try folder.write(bytes, to: "list.sqlite")
        let target = lists.url(.sqlite, "saved")
        let recovery = try await recover(url, to: target)
        #expect(recovery.lost == [])
        #expect(try await lists.items(of: target) == original)
    }

    @Test("if no index names the rows of a spoiled table, that is told")
    func spoiledWithIndex() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 5)
        let roots = try #require(
            try Shell.run(
                "SELECT group_concat(rootpage) FROM sqlite_schema WHERE tbl_name GLOB '*tags'",
                on: url.path))
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        for page in roots.split(separator: ",").compactMap({ Int($0) }) {
            bytes.replaceSubrange(
                (page - 1) * 4096..<page * 4096, with: repeatElement(0, count: 4096))
        }
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == 5)
        #expect(recovery.lost == ["rows of tags whose ids cannot be read", "tags of items"])
    }

    @Test("a row whose number is out of order costs no other row", arguments: [5, 3000])
    func disorder(_ count: Int) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, count)
        let pages = try leafPages(of: "items", in: url.path)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        for page in [pages[0], pages[pages.count / 2]] {
            let start = (page.number - 1) * 4096
            let pointer = start + 8 + 2 * (page.cells / 8)
            let cell = start + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
            // The number follows the length of the row, which is one byte or two.
            bytes[bytes[cell] < 0x80 ? cell + 1 : cell + 2] ^= 0x40
        }
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == count)
        #expect(recovery.lost.isEmpty)
        #expect(
            try await lists.items(of: lists.url(.sqlite, "saved")).map(\.id)
                == Fixtures.items(count).map(\.id))
    }

    @Test("at least the rows that a walk over the table gives are saved, wherever bytes are wrong")
    func wrongBytes() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 2000)
        let whole = Array(try folder.bytes(of: "list.sqlite"))
        let pages = try leafPages(of: "items", in: url.path)
        var random = SplitMix64(seed: 20_261_126)
        for round in 0..<Torture.count(5, of: 200) {
            var bytes = whole
            for _ in 0..<1 + round % 3 {
                let page = pages[Int.random(in: pages.indices, using: &random)].number - 1
                let place = page * 4096 + Int.random(in: 100..<4056, using: &random)
                for offset in place..<place + 40 { bytes[offset] ^= 0xFF }
            }
            try folder.write(bytes, to: "list.sqlite")
            let target = lists.url(.sqlite, "saved\(round)")
            let recovery = try await recover(url, to: target)
            let walked = try Self.walkedRows(of: url.path)
            #expect(recovery.items >= max(walked, 1850), "round \(round)")
            #expect(recovery.items + recovery.lost.count >= 2000, "round \(round)")
        }
    }

    /// The number of rows that SQLite reads before the first error.
    private static func walkedRows(of path: String) throws -> Int {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READONLY, location: path) {
            let rows = try $0.statement("SELECT * FROM items NOT INDEXED")
            var count = 0
            do { while try rows.step() { count += 1 } } catch {}
            return count
        }
    }

    /// The leaves of a table, in order, with how many rows they have.
    private func leafPages(
        of table: String, in path: String
    ) throws -> [(number: Int, cells: Int)] {
        let root = Int(
            try #require(
                try Shell.run(
                    "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'", on: path)
            ))!
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        func integer(_ offset: Int, _ length: Int) -> Int {
            bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
        }
        func leaves(_ page: Int) -> [(number: Int, cells: Int)] {
            let start = (page - 1) * 4096
            let cells = integer(start + 3, 2)
            guard bytes[start] == 5 else { return [(page, cells)] }
            let children = (0..<cells).map { integer(start + integer(start + 12 + 2 * $0, 2), 4) }
            return (children + [integer(start + 8, 4)]).flatMap(leaves)
        }
        return leaves(root)
    }

    @Test("a list whose first page is gone is recovered by that of a new one")
    func firstPage() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 100)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        bytes.replaceSubrange(0..<4096, with: repeatElement(0, count: 4096))
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == 100)
    }

    @Test("a row with the greatest number that there is, is recovered too")
    func greatestNumber() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run("UPDATE items SET rowid = 9223372036854775807 WHERE rowid = 3", on: url.path)
        #expect(try await recover(url, to: lists.url(.sqlite, "saved")).items == 3)
    }

    @Test("rows that a hand has spoiled get a new id or a place at the end")
    func mended() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run(
            "UPDATE items SET rank = '' WHERE rowid = 1; UPDATE items SET id = 'X' WHERE rowid = 3",
            on: url.path)
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect(recovery.items == 3)
        #expect(recovery.repaired == 2)
        let items = try await lists.items(of: lists.url(.json, "saved"))
        #expect(items.map(\.name) == ["item 2", "item 3", "item 1"])
    }

    @Test(
        "a row whose id is damaged in its table keeps the id that its index has, and its tags",
        arguments: [UInt8(ascii: "a"), 0xFF])
    func damagedID(_ byte: UInt8) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        let original = try await lists.items(of: url)
        let item = try #require(original.first { !$0.tags.isEmpty })
        // Only in the table a name follows the id.
        let row = Array("\(item.id.uuidString.lowercased())\(item.name)".utf8)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        let place = try #require(bytes.firstRange(of: row)).lowerBound
        bytes[place + 4] = byte
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery == Recovery(items: 3, tags: 1, views: 0, repaired: 0, lost: []))
        #expect(try await lists.items(of: lists.url(.sqlite, "saved")) == original)
    }

    @Test("a list whose format has a damaged number is recovered, and one of a newer format is not")
    func damagedFormat() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        try Shell.run("PRAGMA user_version = 16777220", on: url.path)
        #expect(try await recover(url, to: lists.url(.sqlite, "saved")).items == 3)
        try Shell.run("ALTER TABLE items ADD COLUMN later TEXT", on: url.path)
        let error = await storageError {
            try await recover(url, to: lists.url(.sqlite, "again"))
        }
        #expect(error?.code == .newer)
    }

    @Test(
        "of a list that is cut off after its first pages nothing is said but that",
        arguments: [1222, 8000])
    func cutOff(_ size: Int) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 300)
        try folder.write(Array(try folder.bytes(of: "list.sqlite").prefix(size)), to: "list.sqlite")
        let error = await storageError {
            try await recover(url, to: lists.url(.sqlite, "saved"))
        }
        #expect(error?.reason == "nothing in it can be read")
        #expect(error?.advice == "'sheaf restore' lists backups.")
    }

    @Test("the pages before the end of a list that is cut off are read", arguments: [5, 14])
    func cutOffBetweenPages(_ pages: Int) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 10)
        #expect(truncate(url.path, pages * 4096) == 0)
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery.items == 10)
        #expect(recovery.tags == 1)
        let names = try await lists.items(of: lists.url(.sqlite, "saved")).map(\.name)
        #expect(Set(names) == Set((1...10).map { "item \($0)" }))
    }

    @Test("a header that counts far more pages than there are makes no large file")
    func absurdPageCount() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url, 10)
        var bytes = Array(try folder.bytes(of: "list.sqlite").prefix(14 * 4096))
        bytes.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try folder.write(bytes, to: "list.sqlite")
        let error = await storageError { try await recover(url, to: lists.url(.sqlite, "saved")) }
        #expect(error?.reason == "nothing in it can be read")
    }

    @Test("a row whose id is lost gets a new one, and is not called lost")
    func lostID() async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        let item = try #require(try await lists.items(of: url).first)
        let id = Array(item.id.uuidString.lowercased().utf8)
        var bytes = Array(try folder.bytes(of: "list.sqlite"))
        let place = try #require(bytes.firstRange(of: id + Array(item.name.utf8))).lowerBound
        bytes.replaceSubrange(place..<place + 36, with: repeatElement(0x7A, count: 36))
        try folder.write(bytes, to: "list.sqlite")
        let recovery = try await recover(url, to: lists.url(.sqlite, "saved"))
        #expect(recovery == Recovery(items: 3, tags: 1, views: 0, repaired: 1, lost: []))
    }

    @Test("a JSON list that is cut off, or has a conflict, is recovered line by line")
    func json() async throws {
        let url = lists.url(.json)
        try await lists.make(url, 10)
        let text = try String(contentsOfFile: url.path, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let cut = (lines[..<9] + [lines[9].prefix(60)]).joined(separator: "\n")
        try folder.write(Array(cut.utf8), to: "list.json")
        let first = try await recover(url, to: lists.url(.json, "one"))
        #expect(first.items == 1)
        #expect(first.tags == 1)
        #expect(first.lost == ["line 10"])
        let both =
            lines[..<8] + ["<<<<<<< a", lines[8], "=======", lines[8], ">>>>>>> b"] + lines[9...]
        try folder.write(Array(both.joined(separator: "\n").utf8), to: "list.json")
        let second = try await recover(url, to: lists.url(.json, "two"))
        #expect(second.items == 10)
        #expect(second.lost.isEmpty)
    }

    @Test(
        "entries of a JSON list are recovered as what they are, wherever a damage puts them",
        arguments: ["items", "tags", "views"])
    func sections(_ damaged: String) async throws {
        let url = lists.url(.json)
        try await lists.make(url, 10)
        try await lists.commit(StorageChanges(views: [Fixtures.view(1, query: "x")]), to: url)
        let text = try String(contentsOfFile: url.path, encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let place = try #require(lines.firstIndex { $0.contains("\"\(damaged)\": [") })
        let item = try #require(lines.firstIndex { $0.contains("item 2") })
        let changes: [(inout [String]) -> Void] = [
            { $0.remove(at: place) },
            { $0[place] = $0[place].replacingOccurrences(of: damaged, with: "x\(damaged)") },
            { $0[place] = String(repeating: "\0", count: 9) },
            { $0[place] = $0[place].replacingOccurrences(of: "[", with: "{") },
            // The text is still JSON.
            { $0.swapAt(place + 1, item) },
        ]
        for (number, change) in changes.enumerated() {
            var damaged = lines
            change(&damaged)
            try folder.write(Array(damaged.joined(separator: "\n").utf8), to: "list.json")
            let recovery = try await recover(url, to: lists.url(.json, "saved\(number)"))
            let numbers = [recovery.items, recovery.tags, recovery.views]
            #expect(numbers == [10, 1, 1], "\(number): \(recovery)")
        }
    }

    @Test(
        "entries are recovered from a damaged text that another program has laid out",
        arguments: ["pretty", "one line"])
    func otherLayout(_ layout: String) async throws {
        let url = lists.url(.json)
        try await lists.make(url, 10)
        try await lists.commit(StorageChanges(views: [Fixtures.view(1, query: "x")]), to: url)
        let object = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: url.path)))
        let data = try JSONSerialization.data(
            withJSONObject: object, options: layout == "pretty" ? [.prettyPrinted] : [])
        let text = String(decoding: data, as: UTF8.self)
        let damages: [(from: String, to: String, items: Int)] = [
            ("\"item 2\"", "item 2", 9), ("\"format\"", "\"format", 10),
            ("\"item 2\"", "\"item 2", 9),
        ]
        for (number, damage) in damages.enumerated() {
            let damaged = text.replacing(damage.from, with: damage.to)
            try folder.write(Array(damaged.utf8), to: "list.json")
            let recovery = try await recover(url, to: lists.url(.json, "saved\(number)"))
            #expect((recovery.tags, recovery.views) == (1, 1), "\(number): \(recovery)")
            #expect(recovery.items >= damage.items - 1, "\(number): \(recovery)")
            #expect(recovery.items == damage.items || !recovery.lost.isEmpty)
        }
    }

    @Test("members that no entry can have, and the second of two equal keys, are named")
    func members() async throws {
        let text = """
            {"format": "sheaf", "version": \(JSONListReader.version),
            "tags": [{"name": "pets", "icon": "x"}],
            "items": [{"name": "vet", "note": "at 8", "note": "at 9"}]}
            """
        let url = lists.url(.json)
        try folder.write(Array(text.utf8), to: "list.json")
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect((recovery.items, recovery.tags) == (1, 1))
        #expect(
            recovery.lost == [
                "line 3: items[0].note: appears twice: \"at 9\"",
                "line 2: tags[0].icon: a tag cannot have this member",
            ])
    }

    /// A JSON list with the items 1 to 3, whose second line of items is replaced by these lines.
    private func makeConflict(_ lines: (String) -> [String]) async throws -> StoreURL {
        let url = lists.url(.json)
        try await lists.make(url)
        let text = try String(contentsOfFile: url.path, encoding: .utf8)
        var all = text.components(separatedBy: "\n")
        let place = try #require(all.firstIndex { $0.contains("item 2") })
        all.replaceSubrange(place...place, with: lines(all[place]))
        try folder.write(Array(all.joined(separator: "\n").utf8), to: "list.json")
        return url
    }

    @Test("of a merge conflict no text is lost", arguments: [false, true])
    func conflict(hasBase: Bool) async throws {
        let url = try await makeConflict { line in
            let ours = line.replacing("item 2", with: "two OURS")
            let theirs = line.replacing("item 2", with: "two THEIRS")
                .replacing("\"note\": \"\"", with: "\"note\": \"their long note\"")
            return ["<<<<<<< HEAD", ours] + (hasBase ? ["||||||| 1a2b3c4", line] : [])
                + ["=======", theirs, ">>>>>>> theirs"]
        }
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect((recovery.items, recovery.tags, recovery.merged) == (3, 1, 1))
        #expect(recovery.lost.isEmpty)
        let items = try await lists.items(of: lists.url(.json, "saved"))
        #expect(items.map(\.name) == ["item 1", "two OURS", "item 3"])
        #expect(items[1].id == Fixtures.itemID(2))
        #expect(items[1].note.contains("was: two THEIRS"))
        #expect(items[1].note.contains("their long note"))
    }

    @Test("with the base of a conflict, each side keeps the fields that it alone has changed")
    func conflictOfFields() async throws {
        let url = try await makeConflict { line in
            [
                "<<<<<<< ours", line.replacing("item 2", with: "renamed"), "||||||| base", line,
                "=======", line.replacing("\"due\": null", with: "\"due\": \"2026-12-01\""),
                ">>>>>>> theirs",
            ]
        }
        _ = try await recover(url, to: lists.url(.json, "saved"))
        let item = try await lists.items(of: lists.url(.json, "saved"))[1]
        #expect(item.name == "renamed")
        #expect(item.due?.description == "2026-12-01")
        #expect(item.note.isEmpty)
    }

    @Test("items that only one side of a conflict has are saved, and one of the base is named")
    func conflictOfInsertions() async throws {
        let url = try await makeConflict { line in
            [
                "<<<<<<< ours", line.replacing("item 2", with: "mine"), "||||||| base", line,
                line.replacing("00000000000", with: "00000000009"), "=======",
                line.replacing("00000000000", with: "00000000001"), ">>>>>>> theirs",
            ]
        }
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect(recovery.items == 4)
        #expect(recovery.lost.count == 1)
        #expect(recovery.lost.first?.hasPrefix("line ") == true)
    }

    @Test("tags and views of which a conflict has two versions are named")
    func conflictOfTags() async throws {
        let url = lists.url(.json)
        try await lists.make(url)
        try await lists.commit(StorageChanges(views: [Fixtures.view(1, query: "ours")]), to: url)
        let text = try String(contentsOfFile: url.path, encoding: .utf8)
        var all = text.components(separatedBy: "\n")
        // From the tags to the views.
        let tag = try #require(all.firstIndex { $0.contains("\"color\"") })
        let view = try #require(all.firstIndex { $0.contains("\"ours\"") })
        let theirs = all[tag...view].map {
            $0.replacing("\"blue\"", with: "\"red\"").replacing("\"ours\"", with: "\"theirs\"")
        }
        all.insert(contentsOf: ["======="] + theirs + [">>>>>>> theirs"], at: view + 1)
        all.insert("<<<<<<< ours", at: tag)
        try folder.write(Array(all.joined(separator: "\n").utf8), to: "list.json")
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect((recovery.items, recovery.tags, recovery.views) == (3, 1, 1))
        #expect(
            recovery.lost == ["tag one: color red", "another version of the view view 1: theirs"])
    }

    @Test("two items with one id are one item, and lines that are no entries are named")
    func doubled() async throws {
        let url = try await makeConflict { line in
            [
                line,
                line.replacing("item 2", with: "again").replacing("T22:13", with: "T23:13") + ",",
            ]
        }
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect((recovery.items, recovery.merged) == (3, 1))
        let item = try await lists.items(of: lists.url(.json, "saved"))[1]
        #expect((item.name, item.note) == ("again", "was: item 2"))
        let text = try String(contentsOfFile: url.path, encoding: .utf8)
        try folder.write(
            Array(text.replacing("  \"items\"", with: "  item 9\n  \"items\"").utf8),
            to: "list.json")
        let line = 1 + text.components(separatedBy: "\n").firstIndex { $0.contains("\"items\"") }!
        #expect(try await recover(url, to: lists.url(.json, "two")).lost == ["line \(line)"])
    }

    @Test(
        "a member that cannot be read costs its item nothing else, and is named with its value",
        arguments: [
            "\"rank\": \"\"", "\"createdAt\": \"yesterday\"", "\"updatedAt\": 7",
            "\"note\": [\"a\"]",
            "\"tags\": [\"one\", 7]", "\"extras\": [[\"a\"]]", "\"done\": \"yes\"", "\"id\": \"2\"",
        ], [false, true])
    func badMember(_ member: String, isCut: Bool) async throws {
        let (key, value) = (member.prefix { $0 != ":" }, member.drop { $0 != ":" }.dropFirst(2))
        let url = try await makeConflict { line in
            let start = line.firstRange(of: key + ": ")!.upperBound
            var end = line[start...].firstRange(of: ", \"")?.lowerBound ?? line.lastIndex(of: "}")!
            if value.hasPrefix("[["), line[start] == "[" {
                end = line[start...].index(after: line[start...].firstIndex(of: "]")!)
            }
            return [line.replacingCharacters(in: start..<end, with: value)] + (isCut ? ["x"] : [])
        }
        let recovery = try await recover(url, to: lists.url(.json, "saved"))
        #expect(recovery.items == 3)
        #expect(recovery.lost.count == (isCut ? 2 : 1), "\(recovery.lost)")
        let lost = try #require(recovery.lost.first)
        #expect(lost.contains(key.dropFirst().dropLast()), "\(lost)")
        #expect(lost.contains(value.replacing(", ", with: ",")), "\(lost)")
        #expect(lost.hasSuffix("(another time is used)") == key.contains("createdAt"))
        let items = try await lists.items(of: lists.url(.json, "saved"))
        #expect(items.map(\.name) == ["item 1", "item 2", "item 3"])
        #expect(items.allSatisfy { $0.createdAt > .zero })
    }

    @Test(
        "what is no list of this program, and a file that is there, are refused",
        arguments: ["text", "database", "empty", "there"])
    func refused(_ kind: String) async throws {
        let url = lists.url(.sqlite)
        try await lists.make(url)
        switch kind {
        case "text": try folder.write(Array("hello".utf8), to: "list.sqlite")
        case "empty": try folder.write([], to: "list.sqlite")
        case "database":
            #expect(unlink(url.path) == 0)
            try Shell.run("CREATE TABLE t (a); INSERT INTO t VALUES (1)", on: url.path)
        default: try folder.write([7], to: "saved.sqlite")
        }
        let names = try folder.names
        let error = await storageError {
            try await recover(url, to: lists.url(.sqlite, "saved"))
        }
        #expect(error?.advice != nil)
        #expect([url.path, lists.url(.sqlite, "saved").path].contains(error?.location))
        #expect(try folder.names == names)
    }
}
