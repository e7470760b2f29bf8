import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@testable import SheafFormats

/// Imports of items that the list already has.
@Suite("Importing what exists")
struct ImportMergeTests {
    private let now = Fixtures.now
    private var earlier: Timestamp { Timestamp(milliseconds: now.milliseconds - 2_000) }
    private var between: Timestamp { Timestamp(milliseconds: now.milliseconds - 1_000) }
    private var later: Timestamp { Timestamp(milliseconds: now.milliseconds + 5_000) }

    /// An item of the list, last edited at `between`.
    private var item: Item {
        var item = Fixtures.item(1, "list's")
        item.note = "its note"
        item.extras = [.init(key: "due", value: "may"), .init(key: "k", value: "v")]
        item.doneAt = earlier
        item.updatedAt = between
        return item
    }

    /// A file's item, edited at `time`, with other texts.
    private func said(at time: Timestamp?) -> ImportedItem {
        ImportedItem(
            id: item.id, name: "file's", note: "new note", done: .no, updatedAt: time,
            extras: [.init(key: "due", value: "june"), .init(key: "k", value: "v")])
    }

    private func plan(_ imported: [ImportedItem], _ existing: [Item]) -> Importer.Plan {
        Importer(now: now).plan(
            ImportedList(items: imported), tags: [], lastRank: existing.last?.rank,
            existing: existing)
    }

    /// Imports `imported` until nothing changes, which has to be after once.
    private func merged(_ imported: ImportedItem, into item: Item) throws -> Item {
        let first = plan([imported], [item])
        #expect(first.addedItems == 0)
        let result = first.changes.items.upserts.first ?? item
        #expect(first.updatedItems == first.changes.items.upserts.count)
        #expect(first.knownItems == 1 - first.updatedItems)
        let second = plan([imported], [result])
        #expect(second.changes.isEmpty, "\(second.changes.items.upserts)")
        #expect(second.knownItems == 1)
        return result
    }

    @Test(
        "a day without a time begins at midnight of the user's time zone",
        arguments: [
            // Midnight is 05:00 UTC in New York, and 10:00 UTC of the day before on Kiritimati.
            ("America/New_York", "2026-11-27T01:00:00.000Z", "file's"),
            ("America/New_York", "2026-11-27T15:00:00.000Z", "list's"),
            ("Pacific/Kiritimati", "2026-11-26T11:00:00.000Z", "list's"),
            ("Pacific/Kiritimati", "2026-11-26T09:00:00.000Z", "file's"),
        ])
    func day(zone: String, edited: String, name: String) throws {
        let calendar = try #require(LocalCalendar.zone(zone))
        var old = item
        old.updatedAt = try #require(Timestamp(iso8601: edited))
        let day = try #require(CalendarDay("2026-11-27").map { Timestamp($0) })
        let result = Importer(now: now, calendar: calendar).plan(
            ImportedList(items: [said(at: day)]), tags: [], lastRank: nil, existing: [old])
        #expect((result.changes.items.upserts.first ?? old).name == name)
    }

    @Test("where both are of one time, the file's fields win")
    func sameTime() throws {
        let result = try merged(said(at: between), into: item)
        #expect(result.name == "file's")
        #expect(result.note == "new note")
        #expect(result.doneAt == nil)
        #expect(result.extras.first?.value == "june")
        #expect(result.updatedAt == between)
    }

    @Test("a newer file, or one without times, wins, and what it replaces is in the note")
    func newer() throws {
        for time in [now, later, nil] {
            let result = try merged(said(at: time), into: item)
            #expect(result.name == "file's")
            #expect(result.note == "new note\nwas: list's\nwas: due: may\nwas: its note")
            #expect(result.doneAt == nil)
            #expect(result.extras.first?.value == "june")
            #expect(result.updatedAt == time.map { max($0.next, now) } ?? now)
        }
    }

    @Test("a newer list wins: an older file changes nothing, and is counted")
    func older() throws {
        #expect(try merged(said(at: earlier), into: item) == item)
        let plan = plan([said(at: earlier), ImportedItem(name: "new")], [item])
        #expect((plan.addedItems, plan.knownItems, plan.laterItems) == (1, 1, 1))
        #expect(self.plan([said(at: between)], [item]).laterItems == 0)
    }

    @Test("what a file does not mention stays, and what it says already is no change")
    func unmentioned() throws {
        for time in [earlier, between, now, later, nil] {
            var file = ImportedItem(id: item.id, name: item.name, updatedAt: time)
            var result = try merged(file, into: item)
            result.updatedAt = item.updatedAt
            #expect(result == item)
            file.note = item.note
            file.extras = item.extras
            file.done = .yes(at: nil)
            result = try merged(file, into: item)
            result.updatedAt = item.updatedAt
            #expect(result == item)
        }
        #expect(try merged(ImportedItem(id: item.id, name: item.name), into: item) == item)
    }

    @Test(
        "null clears its field in an item that is no newer, and keeps the value in the note",
        arguments: [
            ("due", "its note\nwas: due: 2026-12-01"),
            ("scheduled", "its note\nwas: scheduled: 2026-11-01"),
            ("repeat", "its note\nwas: repeat: +1m"), ("priority", "its note\nwas: priority: B"),
            ("extras", "its note\nwas: due: may\nwas: k: v"), ("note", "was: its note"),
            ("tags", "its note"), ("rank", "its note"), ("createdAt", "its note"),
        ])
    func cleared(key: String, note: String) throws {
        var full = item
        (full.due, full.scheduled) = (CalendarDay("2026-12-01"), CalendarDay("2026-11-01"))
        (full.repeat, full.priority) = (Repeat("+1m"), Priority("B"))
        full.tags = [Fixtures.id(101)]
        func file(_ time: Timestamp) throws -> ImportedItem {
            let text = """
                [{"id": "\(full.id)", "name": "list's", "updatedAt": "\(time.iso8601)", "\(key)": null}]
                """
            return try #require(try JSONListReader.read(Data(text.utf8)).items.first)
        }
        let result = try merged(file(later), into: full)
        #expect(result.note == note)
        let emptied = Item.fields.filter { !$0.isEmpty(in: full) && $0.isEmpty(in: result) }
        #expect(
            emptied.map(\.name) == [key].filter { !["note", "rank", "createdAt"].contains($0) })
        #expect(try merged(file(earlier), into: full) == full)
    }

    @Test("a note that was added to is not kept twice")
    func extended() throws {
        let file = ImportedItem(
            id: item.id, name: item.name, note: "its note\nmore", updatedAt: now)
        #expect(try merged(file, into: item).note == "its note\nmore")
        var longer = item
        longer.note = "its note\nmore"
        let old = ImportedItem(id: item.id, name: item.name, note: "its note", updatedAt: earlier)
        #expect(try merged(old, into: longer).note == longer.note)
    }

    @Test("texts that differ in bytes alone are changed without a word in the note")
    func bytes() throws {
        var composed = item
        composed.name = "caf\u{E9}"
        let result = try merged(
            ImportedItem(id: item.id, name: "cafe\u{301}", updatedAt: now), into: composed)
        #expect(result.name.utf8.elementsEqual("cafe\u{301}".utf8))
        #expect(result.note == item.note)
    }

    @Test("of two hundred items only those that differ are counted and written")
    func counts() throws {
        let items = Fixtures.items(200)
        var imported = items.map {
            ImportedItem(id: $0.id, name: $0.name, note: $0.note, updatedAt: $0.updatedAt)
        }
        imported[7].name = "another"
        imported[8].name = "older"
        imported[8].updatedAt = earlier
        imported.append(ImportedItem(name: "new"))
        let plan = plan(imported, items)
        #expect(plan.addedItems == 1)
        #expect(plan.updatedItems == 1)
        #expect(plan.notedItems == 0)
        #expect(plan.knownItems == 199)
        #expect(plan.laterItems == 1)
        #expect(plan.changes.items.upserts.count == 2)
    }

    // MARK: By chance

    @Test(
        "no text of a list is lost by imports in any order, and each repeated adds nothing",
        arguments: 1...40
    )
    func nothingLost(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let texts = [
            "", "a", "b", "a\nb", "was: a", "b\n", "ü", "u\u{308}", "c\r", "d\r\n", "c\r\nb",
        ]
        func text() -> String { texts.randomElement(using: &generator)! }
        var item = Fixtures.item(1, text())
        item.note = text()
        for _ in 0..<12 {
            let times = [earlier, between, now, later, nil]
            let time = times.randomElement(using: &generator)!
            let file = ImportedItem(
                id: item.id, name: text(), note: Bool.random(using: &generator) ? text() : nil,
                updatedAt: time)
            let result = try merged(file, into: item)
            if let time, time.milliseconds < item.updatedAt.milliseconds {
                #expect(result == item)
            } else if time != item.updatedAt {
                for lost in [item.name, file.name, item.note, file.note ?? ""] {
                    let lines = result.note.lines
                    let isThere =
                        result.name == lost
                        || lost.lines.allSatisfy { line in lines.contains { $0.hasSuffix(line) } }
                    #expect(isThere, "\(lost.debugDescription) of \(item) and \(file): \(result)")
                }
            }
            item = result
        }
    }
}
