import CSQLite
import Foundation
import SheafTUI
import SheafTestSupport
import Swidux

@testable import SheafApp
@testable import SheafFormats
@testable import SheafList
@testable import SheafStorage

/// Rows with any numbers and texts can be read, merged, logged, written as text and drawn.
enum RowProperties {
    static func check(_ bytes: [UInt8]) throws {
        var input = Input(bytes)
        let clock = Timestamp(milliseconds: input.number())
        let rows = (0..<6).map { _ in Row(&input) }
        let (tags, items) = try stored(rows, input.number(), input.number())
        try expect(items.count == rows.count, "\(items.count) of \(rows.count) rows")
        try logged(tags, items)
        try merged(items, at: clock)
        try written(tags, items)
        drawn(tags, items, at: clock)
    }

    /// A row as a hand may have changed it.
    private struct Row {
        var created, updated, done, commit: Int64
        var name, note, extras: String
        var isDone: Bool

        init(_ input: inout Input) {
            created = input.number()
            updated = input.number()
            done = input.number()
            commit = input.number()
            name = input.text()
            note = input.text()
            extras = input.text()
            isDone = done & 1 == 0
        }
    }

    /// Numbers and texts, made of bytes as long as there are any.
    private struct Input {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func number() -> Int64 {
            let part = rest.prefix(8)
            rest = rest.dropFirst(8)
            return part.reduce(0) { $0 << 8 | Int64($1) }
        }

        mutating func text() -> String {
            let count = Int(rest.popFirst() ?? 0)
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
    }

    // MARK: The store

    /// The rows as the store's tables return them, after a commit and a fetch.
    private static func stored(
        _ rows: [Row], _ last: Int64, _ forgotten: Int64
    ) throws -> (tags: [Tag], items: [Item]) {
        try SQLiteConnection.with(
            path: "file:/rows?vfs=memdb",
            flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, location: "rows"
        ) { connection in
            try Schema.current.create(on: connection)
            try insert(rows, connection)
            let counts = try connection.statement(
                "UPDATE commits SET last_number = ?1, forgotten = ?2")
            try counts.bind(last, at: 1)
            try counts.bind(forgotten, at: 2)
            try counts.run()
            let tables = try EntityTables(on: connection)
            let (table, tags) = (tables.items, tables[Tag.self])
            let sets = TagSets(try tags.ids())
            let all = try table.load(after: nil, limit: 100, tags: sets)
            let fetched = try table.load(
                writtenAfter: CommitPlace(number: .min, row: .min), limit: 100, tags: sets)
            try expect(Set(fetched.items) == Set(all), "what is fetched is not what is there")
            try commit(on: connection, after: last)
            return (try tags.load(tags: sets), all)
        }
    }

    private static func insert(_ rows: [Row], _ connection: SQLiteConnection) throws {
        let tag = try connection.statement(
            """
            INSERT INTO tags (id, name, folded_name, color, rank, commit_number)
            VALUES (?1, ?2, ?3, 'red', 'a0', ?4)
            """)
        let known = [
            "name": "?2", "note": "?3", "rank": "'a0'", "doneAt": "?4", "createdAt": "?5",
            "updatedAt": "?6", "extras": "?7",
        ]
        // Every other field holds one of the texts.
        let columns = Item.fields.filter(\.isColumn).enumerated().map { place, field in
            (field.column, known[field.name] ?? ["?2", "?3", "?7"][place % 3])
        }
        let item = try connection.statement(
            """
            INSERT INTO items (id, commit_number, \(columns.map(\.0).joined(separator: ", ")))
            VALUES (?1, ?8, \(columns.map(\.1).joined(separator: ", ")))
            """)
        let link = try connection.statement("INSERT INTO item_tags VALUES (?1, ?2)")
        for (number, row) in rows.enumerated() {
            let (itemID, tagID) = (Fixtures.id(number), Fixtures.id(100 + number))
            try tag.bind(tagID, at: 1)
            try tag.bind(row.name, at: 2)
            try tag.bind("\(number)", at: 3)
            try tag.bind(row.commit, at: 4)
            try tag.run()
            try item.bind(itemID, at: 1)
            try item.bind(row.name, at: 2)
            try item.bind(row.note, at: 3)
            try item.bind(row.isDone ? row.done : nil, at: 4)
            try item.bind(row.created, at: 5)
            try item.bind(row.updated, at: 6)
            try item.bind(row.extras, at: 7)
            try item.bind(row.commit, at: 8)
            try item.run()
            try link.bind(itemID, at: 1)
            try link.bind(tagID, at: 2)
            try link.run()
        }
    }

    /// A commit has a number of its own, or the last one was none that a list can have.
    private static func commit(on connection: SQLiteConnection, after last: Int64) throws {
        do {
            let ledger = try CommitLedger(on: connection)
            let entry = try ledger.begin()
            try expect(entry.number > last, "the commit \(entry.number) after \(last)")
            _ = try ledger.nextScan()
        } catch let error as StorageError where error.code == .corrupt {
            try expect(!(0..<1 << 62).contains(last), error.description)
        }
    }

    // MARK: Results

    private static func logged(_ tags: [Tag], _ items: [Item]) throws {
        var changes = StorageChanges()
        changes.tags.upsert(tags)
        changes.items.upsert(items)
        for item in items { changes.items[item.id]?.before = item }
        let text = [0x7b] + ChangesText.members(of: changes) + [0x7d]
        let read = try ChangesText.changes(ChangesText.object(Data(text)))
        try expect(read == changes, String(decoding: text, as: UTF8.self))
    }

    /// Merging keeps the texts of all, and doing it again changes nothing.
    private static func merged(_ items: [Item], at clock: Timestamp) throws {
        for (item, other) in zip(items, items.dropFirst()) {
            var theirs = Item(
                id: item.id, name: other.name, note: other.note, doneAt: other.doneAt,
                rank: other.rank, createdAt: other.createdAt, updatedAt: other.updatedAt)
            theirs.extras = other.extras
            for merge in [StorageMerge<Item>.items, .laterItems] {
                let value = merge(base: nil, mine: item, theirs: theirs).value
                try expect(
                    [item.name, other.name].contains(value.name), "a name of neither")
                try expectTexts(of: [item, other], in: value)
                for again in [
                    merge(base: nil, mine: value, theirs: theirs).value,
                    merge(base: nil, mine: item, theirs: value).value,
                ] {
                    try expect(again.isSame(as: value), "\(value) merged again is \(again)")
                }
            }
            let file = ImportedItem(
                id: item.id, name: other.name, note: other.note, updatedAt: other.updatedAt,
                extras: other.extras)
            let once = file.merged(into: item, tags: nil, now: clock)
            let twice = file.merged(into: once, tags: nil, now: clock)
            // A file as old as the item is the edit of a hand, which the user wants.
            if file.isOlder(than: item, .system) {
                try expect(once.isSame(as: item), "\(item) was changed by an older file")
            } else if other.updatedAt != item.updatedAt {
                try expectTexts(of: [item, other], in: once)
            }
            // At the end of time nothing is later.
            if other.updatedAt.milliseconds < .max {
                try expect(twice.isSame(as: once), "\(once) imported again is \(twice)")
            }
        }
    }

    /// - Throws: ``Broken`` unless each text of `items` is a text of `merged`, or in its note.
    private static func expectTexts(of items: [Item], in merged: Item) throws {
        for item in items {
            let texts = [item.name, item.note] + item.extras.map(\.words)
            for text in texts where text != merged.name {
                let isKept =
                    merged.extras.contains { $0.words == text } || merged.note.hasLines(text)
                    || merged.note.hasLines("was: \(text)")
                try expect(isKept, "\(text.debugDescription) is lost in \(merged)")
            }
        }
    }

    private static func written(_ tags: [Tag], _ items: [Item]) throws {
        let list = ListText(items: items, tags: tags)
        for form in [ListWriter.Form.jsonList, .jsonStore, .markdown, .todotxt, .lines] {
            _ = try list.text(form)
        }
        let text = try ListText(items: items, tags: []).text(.jsonList)
        let read = try ListFormat.json.parse(Data(text.utf8)).list.items
        let named = items.filter { !$0.name.isEmpty }
        try expect(
            read.map(\.updatedAt) == named.map(\.updatedAt)
                && read.map(\.createdAt) == named.map(\.createdAt), "times: \(text)")
    }

    private static func drawn(_ tags: [Tag], _ items: [Item], at clock: Timestamp) {
        var state = AppState(list: ListInfo(name: "rows"))
        state.tags.hydrate(tags)
        state.items.hydrate(items)
        let environment = AppEnvironment(
            now: { clock }, makeID: { Fixtures.id(99) }, sleep: { _ in }, storage: FakeStorage(),
            terminal: FakeTerminal())
        _ = state.settle(environment)
        _ = ScreenView.canvas(of: state, at: Moment(wall: clock, monotonic: .now))
        state.ui.inspector.isShown = true
        for item in items {
            state.ui.selectedItem = item.id
            _ = ScreenView.canvas(of: state, at: Moment(wall: clock, monotonic: .now))
        }
    }
}
