import FoundationEssentials
import SheafList
import SheafTestSupport
import Testing

import struct SheafList.Tag
import struct Swidux.AnyID
import struct Swidux.StorageConflict

/// Each rule of `StorageChanges.reconciled`, as a function of changes and stored rows alone.
@Suite("Changes are reconciled with stored rows")
struct ReconciliationTests {
    /// The stored rows of a test, with a count of the items that were read.
    private final class Rows: StoredRows {
        typealias Failure = Never

        let rows: StorageChanges
        var readItems = 0

        init(tags: [Tag] = [], views: [SavedView] = [], items: [Item] = []) {
            rows = StorageChanges(tags: tags, views: views, items: items)
        }

        func stored<Entity: SmallEntity>(_ kind: Entity.Type) -> [Entity] { rows[kind].upserts }
        func foldedTagNames() -> [Tag.ID: String] {
            Dictionary(uniqueKeysWithValues: rows.tags.upserts.map { ($0.id, $0.foldedName) })
        }
        func storedItem(_ id: Item.ID) -> Item? {
            readItems += 1
            return rows.items[id]?.after
        }
    }

    private let red = Fixtures.tag(1, "red")
    private let blue = Fixtures.tag(2, "blue")

    private func conflict(_ id: UUID, _ outcome: StorageConflict.Outcome) -> StorageConflict {
        StorageConflict(id: id, outcome: outcome)
    }

    // MARK: Two edits of one entity

    /// One side's value of an item: nil is a deletion, or an item that is not there.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var base: String?
        var mine: String?
        var theirs: String?
        /// The name that is written, nil if nothing is or if the item is deleted.
        var written: String?
        var deletes = false
        var outcome: StorageConflict.Outcome?
        var note = ""
    }

    @Test(
        "the name of an item",
        arguments: [
            Case(testDescription: "new", mine: "a", written: "a"),
            Case(
                testDescription: "edited here", base: "a", mine: "b", theirs: "a", written: "b"),
            Case(
                testDescription: "edited by both alike", base: "a", mine: "b", theirs: "b",
                written: "b"),
            Case(
                testDescription: "edited by both", base: "a", mine: "b", theirs: "c",
                written: "b", outcome: .merged, note: "was: c"),
            Case(
                testDescription: "made by both", mine: "b", theirs: "c", written: "b",
                outcome: .merged, note: "was: c"),
            Case(
                testDescription: "edited here, deleted there", base: "a", mine: "b",
                written: "b", outcome: .restored),
            Case(
                testDescription: "deleted here, edited there", base: "a", theirs: "b",
                outcome: .notDeleted),
            Case(testDescription: "deleted here", base: "a", theirs: "a", deletes: true),
            Case(testDescription: "deleted by both", base: "a", deletes: true),
        ])
    func names(_ value: Case) {
        func item(_ name: String?) -> Item? { name.map { Fixtures.item(1, $0) } }
        var changes = StorageChanges()
        let id = Fixtures.itemID(1)
        changes.items[id] = EntityChange(before: item(value.base), after: item(value.mine))
        let rows = Rows(items: [item(value.theirs)].compactMap(\.self))
        let result = changes.reconciled(with: rows, isCurrent: false)
        #expect(result.rows.items.upserts.map(\.name) == [value.written].compactMap(\.self))
        #expect(
            result.rows.items.upserts.map(\.note) == value.written.map { _ in [value.note] } ?? [])
        #expect(result.rows.items.deletions == (value.deletes ? [id] : []))
        #expect(result.conflicts == [value.outcome.map { conflict(id, $0) }].compactMap(\.self))
    }

    @Test("while nobody else has written, changes stand and no item is read")
    func current() {
        var changes = StorageChanges()
        let old = Fixtures.item(1, "a", tags: [red.id])
        changes.items.replace(old, with: Fixtures.item(1, "b", tags: [red.id]))
        changes.items.delete(Fixtures.item(2))
        let rows = Rows(tags: [red], items: [Fixtures.item(1, "c"), Fixtures.item(2, "edited")])
        let result = changes.reconciled(with: rows, isCurrent: true)
        #expect(result.rows == changes)
        #expect(result.conflicts.isEmpty)
        #expect(rows.readItems == 0)
    }

    // MARK: Names of tags

    @Test("a new tag with the name of another one is that tag, on items and views too")
    func substitute() {
        let mine = Fixtures.tag(3, "RED")
        var changes = StorageChanges(tags: [mine], items: [Fixtures.item(1, tags: [mine.id])])
        changes.views.upsert([Fixtures.view(1, choice: .tag(mine.id))])
        for isCurrent in [false, true] {
            let result = changes.reconciled(with: Rows(tags: [red]), isCurrent: isCurrent)
            #expect(result.rows.tags.isEmpty)
            #expect(result.substitutes == [mine.id: red.id])
            #expect(result.refused.map(\.id) == [AnyID(mine.id)])
            #expect(result.rows.items.upserts.map(\.tags) == [[red.id]])
            #expect(result.rows.views.upserts.map(\.tag) == [red.id])
            let commit = result.result { ids in
                #expect(ids == [red.id, Fixtures.itemID(1), Fixtures.viewID(1)])
                return StorageChanges()
            }
            #expect(commit.substitutes == [AnyID(mine.id): AnyID(red.id)])
        }
    }

    @Test("a tag that is renamed to a taken name keeps its own, as does a query for it")
    func takenName() {
        var renamed = red
        renamed.name = "blue"
        var changes = StorageChanges()
        changes.tags.replace(red, with: renamed)
        changes.views.replace(
            Fixtures.view(1, query: "#red x"), with: Fixtures.view(1, query: "#blue x"))
        let rows = Rows(tags: [red, blue], views: [Fixtures.view(1, query: "#red x")])
        let result = changes.reconciled(with: rows, isCurrent: false)
        #expect(result.rows.tags.upserts.map(\.name) == ["red"])
        #expect(result.rows.views.upserts.map(\.query) == ["#red x"])
        #expect(result.conflicts == [conflict(red.id, .lostName(to: AnyID(blue.id)))])
        #expect(result.substitutes.isEmpty)
    }

    @Test("names may change hands, also in a cycle and from a tag that goes")
    func exchangedNames() {
        var changes = StorageChanges()
        var (first, second) = (red, blue)
        (first.name, second.name) = ("blue", "red")
        changes.tags.replace(red, with: first)
        changes.tags.replace(blue, with: second)
        let result = changes.reconciled(with: Rows(tags: [red, blue]), isCurrent: false)
        #expect(result.rows.tags.upserts == [first, second])
        #expect(Set(result.releasing) == [red.id, blue.id])
        var freed = StorageChanges(tags: [Fixtures.tag(3, "red")], items: [])
        freed.tags.delete(red)
        let next = freed.reconciled(with: Rows(tags: [red]), isCurrent: false)
        #expect(next.rows.tags.upserts.map(\.name) == ["red"])
        #expect(next.rows.tags.deletions == [red.id])
        #expect(next.refused.isEmpty)
    }

    // MARK: References to tags

    @Test("an item and a view are stored without a tag that is gone")
    func lostTag() {
        var changes = StorageChanges()
        changes.items.upsert([Fixtures.item(1, tags: [red.id, blue.id])])
        changes.views.upsert([Fixtures.view(1, choice: .tag(blue.id))])
        let result = changes.reconciled(with: Rows(tags: [red]), isCurrent: false)
        #expect(result.rows.items.upserts.map(\.tags) == [[red.id]])
        #expect(result.rows.views.upserts.map(\.tag) == [nil])
        let lost = StorageConflict.Outcome.lostReference(to: AnyID(blue.id))
        #expect(
            result.conflicts == [
                conflict(Fixtures.viewID(1), lost), conflict(Fixtures.itemID(1), lost),
            ])
    }

    @Test("a tag that is edited elsewhere is not deleted, and stays where it was")
    func keptTag() {
        var edited = red
        edited.color = .magenta
        let (before, item) = (Fixtures.item(1, tags: [red.id]), Fixtures.item(1, "done"))
        var changes = StorageChanges()
        changes.tags.delete(red)
        changes.items.replace(before, with: item)
        changes.views.replace(Fixtures.view(1, choice: .tag(red.id)), with: Fixtures.view(1))
        let rows = Rows(
            tags: [edited], views: [Fixtures.view(1, choice: .tag(red.id))], items: [before])
        let result = changes.reconciled(with: rows, isCurrent: false)
        #expect(result.rows.tags.isEmpty)
        #expect(result.rows.items.upserts.map(\.tags) == [[red.id]])
        #expect(result.rows.items.upserts.map(\.name) == ["done"])
        #expect(result.rows.views.upserts.map(\.tag) == [red.id])
        #expect(result.conflicts == [conflict(red.id, .notDeleted)])
    }

    // MARK: Next occurrences

    /// An item that repeats and was finished, with its next occurrence, and the changes that reopen
    /// it as undo does.
    @Test("an item that was deleted elsewhere does not come back for losing a deleted tag")
    func deletedUnderTag() {
        let items = (1...3).map { Fixtures.item($0, "a", tags: [red.id]) }
        var changes = StorageChanges()
        changes.tags.delete(red)
        for (place, item) in items.enumerated() {
            var bare = item
            bare.tags = []
            if place == 1 { bare.name = "b" }
            bare.updatedAt = Fixtures.now.advanced(days: 1)
            changes.items.replace(item, with: bare)
        }
        let rows = Rows(tags: [red], items: [items[2]])
        let result = changes.reconciled(with: rows, isCurrent: false)
        #expect(result.rows.items.upserts.map(\.name) == ["b", "a"])
        #expect(result.rows.items.deletions.isEmpty)
        #expect(result.conflicts == [conflict(items[1].id, .restored)])
        _ = result.result { ids in
            #expect(ids.contains(items[0].id))
            return StorageChanges()
        }
    }

    private func reopened() -> (done: Item, open: Item, next: Item, changes: StorageChanges) {
        var open = Fixtures.item(1, "Rent")
        open.repeat = Repeat("1m")
        open.due = CalendarDay(year: 2026, month: 12, day: 1)
        var done = open
        done.doneAt = Fixtures.now.advanced(days: 1)
        done.updatedAt = Fixtures.now.advanced(days: 1)
        let next = done.copied(as: done.nextID, at: done.updatedAt)
        var changes = StorageChanges()
        changes.items.replace(done, with: open)
        changes.items.delete(next)
        return (done, open, next, changes)
    }

    @Test("an item stays done where its next occurrence was edited elsewhere")
    func keptDone() {
        let (done, _, next, changes) = reopened()
        var theirs = next
        theirs.note = "theirs"
        theirs.updatedAt = Fixtures.now.advanced(days: 2)
        let result = changes.reconciled(with: Rows(items: [done, theirs]), isCurrent: false)
        #expect(result.rows.isEmpty)
        #expect(result.conflicts == [conflict(next.id, .notDeleted)])
        let commit = result.result { ids in
            #expect(ids == [done.id, next.id])
            return StorageChanges(items: [done, theirs])
        }
        let sentence = "“Rent” stays done: another process changed its next occurrence"
        #expect(commit.sentences(on: changes) == [sentence])
    }

    @Test("such an item that was deleted elsewhere comes back, done, only for another edit")
    func keptDoneAndDeleted() {
        var (_, open, next, changes) = reopened()
        next.name = "theirs"
        let result = changes.reconciled(with: Rows(items: [next]), isCurrent: false)
        #expect(result.rows.isEmpty)
        open.note = "mine"
        changes.items[open.id]?.after = open
        let edited = changes.reconciled(with: Rows(items: [next]), isCurrent: false)
        #expect(edited.rows.items.deletions == [])
        #expect(edited.rows.items.upserts.map(\.note) == ["mine"])
        #expect(edited.rows.items.upserts.map(\.isDone) == [true])
    }

    @Test("such an item gets the other edits of both sides, and stays open if it is by now")
    func keptDoneAndEdited() {
        var (done, open, next, changes) = reopened()
        open.note = "mine"
        changes.items[done.id]?.after = open
        next.name = "theirs"
        done.name = "also theirs"
        let result = changes.reconciled(with: Rows(items: [done, next]), isCurrent: false)
        #expect(result.rows.items.deletions == [])
        #expect(result.rows.items.upserts.map(\.name) == ["also theirs"])
        #expect(result.rows.items.upserts.map(\.note) == ["mine"])
        #expect(result.rows.items.upserts.map(\.doneAt) == [done.doneAt])
        #expect(result.rows.items.upserts.map(\.updatedAt) == [done.updatedAt])
        done.doneAt = nil
        let again = changes.reconciled(with: Rows(items: [done, next]), isCurrent: false)
        #expect(again.rows.items.upserts.map(\.doneAt) == [nil])
    }

    @Test("an item is reopened and its next occurrence removed where only the item was edited")
    func reopenedAndEdited() {
        var (done, _, next, changes) = reopened()
        done.note = "theirs"
        let result = changes.reconciled(with: Rows(items: [done, next]), isCurrent: false)
        #expect(result.rows.items.deletions == [next.id])
        #expect(result.rows.items.upserts.map(\.doneAt) == [nil])
        #expect(result.rows.items.upserts.map(\.note) == ["theirs"])
    }

    @Test("an undo that an interrupted session left is made as a whole, or named")
    func leftUndo() {
        let (done, open, next, changes) = reopened()
        let made = AbandonedChanges([changes], rows: StorageChanges(items: [done, next]))
        #expect(made.changes.items[done.id] == changes.items[done.id])
        #expect(made.changes.items.deletions == [next.id])
        #expect(made.sentences.isEmpty)
        var (theirs, other) = (next, open)
        theirs.doneAt = Fixtures.now.advanced(days: 2)
        other = theirs.copied(as: theirs.nextID, at: Fixtures.now.advanced(days: 2))
        let left = AbandonedChanges(
            [changes], rows: StorageChanges(items: [done, theirs, other]))
        #expect(left.changes.isEmpty)
        #expect(left.conflicts == [AnyID(next.id)])
        #expect(
            left.sentences == ["“Rent” stays done: another process changed its next occurrence"])
    }

    @Test("a backend tells which items a deleted tag was taken off, and which rows were refused")
    func told() {
        var changes = StorageChanges(tags: [blue], items: [Fixtures.item(2, tags: [blue.id])])
        changes.tags.delete(red)
        var result = changes.reconciled(with: Rows(tags: [red]), isCurrent: true)
        #expect(result.rows.tags.deletions == [red.id])
        result.reportRemoval(of: red.id, from: [Fixtures.itemID(1)])
        result.refuse(blue.id, because: "a rule")
        result.reportMissing([blue.id], of: Fixtures.itemID(2))
        let commit = result.result { ids in
            #expect(ids == [Fixtures.itemID(1), Fixtures.itemID(2)])
            return StorageChanges()
        }
        let took = StorageConflict.Outcome.tookReference(to: AnyID(red.id))
        #expect(commit.conflicts == [conflict(Fixtures.itemID(1), took)])
        #expect(commit.refused.map(\.reason) == ["a rule"])
    }

    @Test("a view with the name of another one gets a number")
    func viewNames() {
        var changes = StorageChanges()
        changes.views.upsert([Fixtures.view(2, "Late"), Fixtures.view(3, "late")])
        let rows = Rows(views: [Fixtures.view(1, "late")])
        let result = changes.reconciled(with: rows, isCurrent: true)
        #expect(result.rows.views.upserts.map(\.name) == ["Late 2", "late 3"])
        #expect(result.conflicts.count == 2)
    }
}
