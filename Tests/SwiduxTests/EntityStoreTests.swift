import Foundation
import Testing

@testable import Swidux

@Suite struct EntityStoreTests {
    private let a = UUID.numbered(1)
    private let b = UUID.numbered(2)
    private let c = UUID.numbered(3)

    @Test("an insert, then a delete, before any drain reports the delete")
    func insertThenDelete() {
        var store = EntityStore<Card>()
        store[a] = Card(1)
        store[a] = nil
        #expect(store.changes.deletions == [a])
        #expect(store.changes.upserts.isEmpty)
    }

    @Test("init records nothing, edits are recorded, and a reset forgets them")
    func changes() {
        var store = EntityStore([Card(1), Card(2)])
        #expect(store.changes.isEmpty)
        store.modify(a) { $0.title = "new" }
        store.removeAll { $0.id == .numbered(2) }
        #expect(store.changes.upserts == [a] && store.changes.deletions == [b])
        store.resetChanges()
        #expect(store.changes.isEmpty)
    }

    @Test("a revision stays a cursor across a reset")
    func cursorAcrossReset() {
        var store = EntityStore([Card(1), Card(2)])
        let revision = store.revision
        store.modify(a) { $0.title = "new" }
        store.resetChanges()
        let later = store.revision
        store.modify(b) { $0.title = "newer" }
        #expect(store.deltas(since: revision)?.map(\.id) == [a, b])
        #expect(store.deltas(since: later)?.map(\.id) == [b])
        #expect(store.deltas(since: store.revision)?.isEmpty == true)
    }

    @Test("a revision of another line is none of this store's past")
    func foreignRevisions() {
        var store = EntityStore([Card(1)])
        let copy = store
        store[b] = Card(2)
        var other = copy
        other[c] = Card(3)
        #expect(copy.deltas(since: store.revision) == nil)
        #expect(other.deltas(since: store.revision) == nil)
        #expect(EntityStore([Card(1)]).deltas(since: copy.revision) == nil)
        #expect(other.deltas(since: copy.revision)?.map(\.id) == [c])
    }

    @Test("the changes since an older copy are known even if the store was assigned whole")
    func changesSinceCopy() {
        var store = EntityStore([Card(1), Card(2)])
        let seen = store
        #expect(store.changes(since: seen).isEmpty)
        store.modify(a) { $0.title = "new" }
        store[b] = nil
        store[c] = Card(3)
        store[c] = nil
        let changes = store.changes(since: seen)
        #expect(changes.elements.map(\.id) == [a, b])
        #expect(changes[a]?.before == Card(1) && changes[a]?.after == store[a])
        #expect(changes[b]?.before == Card(2) && changes[b]?.after == nil)
        store = EntityStore([Card(2), Card(3)])
        let assigned = store.changes(since: seen)
        #expect(assigned.deletions == [a] && assigned.upserts == [Card(3)])
    }

    @Test("a copy with a few edits is compared by what it does not share", arguments: [5, 5000])
    func equality(count: Int) {
        let store = EntityStore((0..<count).map { Card($0) })
        var copy = store
        copy.modify(.numbered(count - 1)) { $0.title = "new" }
        #expect(copy != store)
        copy.modify(.numbered(count - 1)) { $0.title = Card(1).title }
        #expect(copy == store)
        // The chunks of the two begin at different places now.
        copy[.numbered(0)] = nil
        #expect(copy != store)
        copy.insert(Card(0), before: .numbered(1))
        copy.insert(Card(count), before: .numbered(1))
        copy[.numbered(count)] = nil
        #expect(copy == store)
        #expect(copy == EntityStore(store.values))
        copy.move(.numbered(0), after: .numbered(count - 1))
        #expect(copy != store)
    }

    @Test("what was recorded since the last reset is never forgotten, however much it is")
    func longBacklog() {
        var store = EntityStore<Card>()
        var view = EntityView<Card> { _ in true }
        let start = store.revision
        for step in 0..<20_000 {
            store[.numbered(step % 3000)] = Card(step % 3000, "\(step)")
            if step % 100 == 0 {
                view.update(from: store)
                #expect(view.count == store.count)
            }
        }
        #expect(store.changes.upserts.count == 3000)
        #expect(store.deltas(since: start)?.count == 3000)
        store.resetChanges()
        let drained = store.revision
        for step in 0..<1000 { store.modify(.numbered(step)) { $0.title = "again" } }
        #expect(store.deltas(since: drained)?.count == 1000)
        for step in 0..<20_000 {
            store.modify(.numbered(step % 3000)) { $0.title = "\(step)" }
            store.resetChanges()
        }
        #expect(store.deltas(since: drained) == nil)
    }

    @Test("a store that nobody saves forgets what came and went, and nothing else")
    func unsaved() throws {
        var store = EntityStore([Card(1, "first"), Card(2, "second")])
        let start = store.revision
        store.hydrate([Card(3, "hydrated")])
        store[.numbered(1)] = nil
        store[.numbered(3)] = nil
        for step in 10..<50_000 {
            store[.numbered(step)] = Card(step, "passing")
            store[.numbered(step)] = nil
        }
        store[.numbered(4)] = Card(4, "new")
        #expect(store.journal.recent.count + store.journal.older.count < 2 * 2048)
        let deltas = try #require(store.deltas(since: start)).filter { $0.before != $0.after }
        #expect(deltas.map(\.id) == [.numbered(1), .numbered(4)])
        #expect(store.changes.deletions.isSuperset(of: [.numbered(1), .numbered(3)]))
        #expect(store.changes.upserts == [.numbered(4)])
    }

    @Test("hydration adds what is missing, records nothing, and never brings back what was deleted")
    func hydration() {
        var store = EntityStore<Row>()
        store.hydrate([Row(1, rank: "a1"), Row(2, rank: "a2")])
        store[a] = nil
        store.modify(b) { $0.name = "own" }
        store.resetChanges()
        store.hydrate([
            Row(1, rank: "a1"), Row(2, rank: "a2"), Row(3, "old", rank: "a0"),
            Row(3, "new", rank: "a0"),
        ])
        #expect(store.map(\.name) == ["new", "own"])
        #expect(store.changes.isEmpty)
        store.endHydration()
        store.hydrate([Row(1, rank: "a1")])
        #expect(store.contains(a))
    }

    @Test("a loaded store is taken over as its pages are", arguments: [1, 2, 3])
    func takingOver(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ranks = Rank.spread(3_000, between: nil, and: nil)
        let stored = zip(1..., ranks).map { Row($0, "stored", rank: $1.text) }
        var (paged, store, loaded) = (
            EntityStore<Row>(), EntityStore<Row>(), EntityStore<Row>()
        )
        func edit(_ body: (inout EntityStore<Row>) -> Void) {
            body(&paged)
            body(&store)
        }
        // Before the first page too.
        edit { $0[.numbered(9_000)] = Row(9_000, "early", rank: "a1") }
        edit { $0[.numbered(2)] = Row(2, "early", rank: "a0") }
        for page in stride(from: 0, to: 3_000, by: 500) {
            let rows = stored[page..<page + 500]
            paged.hydrate(rows)
            if page == 0 { store.hydrate(rows) }
            loaded.hydrate(rows)
            if page > 0 { store.hydrate(from: loaded) }
            for _ in 0..<40 {
                let id = UUID.numbered(Int.random(in: 1...3_000, using: &generator))
                let rank = ranks.randomElement(using: &generator)!.text
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: edit { $0[id] = nil }
                case 1: edit { $0[id]?.name = "typed" }
                case 2: edit { $0[id] = Row(id.number, "new", rank: rank) }
                case 3: edit { $0.adopt(EntityChanges(upserts: [Row(id.number, rank: rank)])) }
                default: edit { if let first = $0.ids.first { $0.move(id, before: first) } }
                }
            }
            #expect(store.values == paged.values)
            #expect(store.changes.upserts == paged.changes.upserts)
            #expect(store.changes.deletions == paged.changes.deletions)
            func befores(_ store: EntityStore<Row>) -> [UUID: Row?] {
                Dictionary(
                    uniqueKeysWithValues: store.recordedDeltas.map { ($0.id, $0.beforeRecorded) })
            }
            let isAlike = befores(store) == befores(paged)
            #expect(isAlike)
            #expect(store.deltas(since: store.revision)?.isEmpty == true)
        }
        let revision = store.revision
        store[.numbered(5)] = Row(5, "last", rank: "a5")
        #expect(store.deltas(since: revision)?.map(\.id) == [.numbered(5)])
        #expect(store.map { store.position(of: $0.id) } == Array(0..<store.count))
    }

    @Test("entities without a rank that were here stand after those that were loaded")
    func takingOverUnranked() {
        var store = EntityStore<Card>()
        store[a] = Card(1, "own")
        store.hydrate(from: EntityStore([Card(3), Card(2), Card(1, "stored")]))
        store[.numbered(4)] = Card(4)
        #expect(store.map(\.id.number) == [3, 2, 1, 4])
        #expect(store[a]?.title == "own")
    }

    @Test("an edit after hydration in one go is undone to what was hydrated")
    func hydrationThenEdit() {
        var store = EntityStore<Card>()
        let start = store.revision
        store.hydrate([Card(1, "stored"), Card(2, "stored")])
        store.modify(a) { $0.title = "edited" }
        let deltas = store.deltas(since: start) ?? []
        #expect(deltas.map(\.isRecorded) == [true, false])
        #expect(deltas.first?.before == nil)
        #expect(deltas.first?.beforeRecorded == Card(1, "stored"))
        #expect(store.changes.upserts == [a])
    }

    @Test("merge keeps the own value unless told otherwise, and records nothing")
    func merging() {
        var store = EntityStore([Card(1, "own"), Card(2, "own")])
        store.merge(from: EntityStore([Card(3, "theirs"), Card(2, "theirs"), Card(1, "theirs")])) {
            theirs, own in
            #expect(theirs.title == "theirs" && own.title == "own")
            return own.id == .numbered(2)
        }
        #expect(store.values == [Card(1, "own"), Card(2, "theirs"), Card(3, "theirs")])
        #expect(store.changes.isEmpty)
        store.merge(from: EntityStore([Card(1, "theirs")]))
        #expect(store[a] == Card(1, "own"))
    }

    @Test(
        "restore makes the content that of an older copy, order included, and records the differences"
    )
    func restoring() {
        var store = EntityStore([Card(1), Card(2), Card(3)])
        let copy = store
        store[a] = nil
        store.modify(b) { $0.title = "changed" }
        store.append(Card(4))
        store.resetChanges()
        store.restore(from: copy)
        #expect(store == copy)
        #expect(store.changes.upserts == [a, b] && store.changes.deletions == [.numbered(4)])
    }

    @Test("ranked entities are in rank order however they arrive")
    func rankedOrder() {
        var store = EntityStore([Row(1, rank: "a3"), Row(2, rank: "a1")])
        #expect(store.map(\.id) == [b, a])
        store[c] = Row(3, rank: "a2")
        store.modify(b) { $0.rank = .spelled("a4") }
        #expect(store.map(\.id) == [c, a, b])
        store.hydrate([Row(4, rank: "a0")])
        #expect(store.first?.id == .numbered(4))
        #expect(store.last?.id == b)
        #expect(store.position(of: a) == 2)
    }

    @Test("equal ranks are ordered by id, and moving between them works either way")
    func equalRanks() {
        for (moved, target) in [(5, 1), (1, 4), (3, 5), (5, 2), (2, 2)] {
            for isBefore in [true, false] {
                var store = EntityStore((1...5).map { Row($0, rank: "a0") })
                var expected = Array(1...5)
                if isBefore {
                    store.move(.numbered(moved), before: .numbered(target))
                } else {
                    store.move(.numbered(moved), after: .numbered(target))
                }
                if moved != target {
                    expected.removeAll { $0 == moved }
                    let index = expected.firstIndex(of: target) ?? 0
                    expected.insert(moved, at: isBefore ? index : index + 1)
                }
                #expect(store.map(\.id) == expected.map { .numbered($0) }, "\(moved) at \(target)")
                #expect(store.changes.upserts.count <= 4)
            }
        }
    }

    @Test("a move changes one entity, and none when it is there already")
    func moving() {
        var store = EntityStore([Row(1, rank: "a1"), Row(2, rank: "a2"), Row(3, rank: "a3")])
        store.move(a, before: b)
        store.move(b, after: a)
        store.move(a, after: a)
        store.move(a, after: .numbered(9))
        store.move(.numbered(9), after: a)
        #expect(store.changes.isEmpty)
        store.move(c, before: a)
        #expect(store.map(\.id) == [c, a, b])
        #expect(store.changes.upserts == [c])
    }

    @Test("a sort assigns ranks only where the order is wrong")
    func sorting() {
        var store = EntityStore((1...9).map { Row($0, "n\($0)", rank: "a\($0)") })
        store.modify(.numbered(4)) { $0.name = "n0" }
        store.resetChanges()
        store.sort { $0.name < $1.name }
        #expect(store.map(\.id) == [4, 1, 2, 3, 5, 6, 7, 8, 9].map { .numbered($0) })
        #expect(store.changes.upserts == [.numbered(4)])
    }

    @Test("inserting beside what is not there appends")
    func insertingBesideNothing() {
        var store = EntityStore([Row(1, rank: "a1")])
        let row = store.insert(Row(2, rank: "Zz"), before: c)
        #expect(store.map(\.id) == [a, b])
        #expect(row.rank == .spelled("a2"))
        store.insert(Row(1, "replaced", rank: "a9"), after: a)
        #expect(store.map(\.name) == ["replaced", "row"])
    }

    @Test("pages are clamped to what is there")
    func pages() {
        let store = EntityStore((0..<200).map { Card($0) })
        #expect(store.page(at: 190, count: 40).count == 10)
        #expect(store.page(at: 200, count: 40).isEmpty)
        #expect(store.page(at: -5, count: 2).map(\.id) == [.numbered(0), .numbered(1)])
        #expect(store.page(at: 0, count: -1).isEmpty)
        #expect(store.page(at: 1, count: .max).count == 199)
        #expect(store.entity(at: 200) == nil && store.entity(at: -1) == nil)
        #expect(store.ids[100] == .numbered(100))
        #expect(store.ids.count == 200)
    }

    @Test("ids need not be UUIDs")
    func otherIDs() {
        struct Word: Identifiable, Hashable, Sendable, Ranked {
            var id: String
            var rank: Rank
        }
        var store = EntityStore(["c", "a", "b"].map { Word(id: $0, rank: .spelled("a0")) })
        #expect(store.map(\.id) == ["a", "b", "c"])
        store["a"] = nil
        #expect(store.changes.deletions == ["a"])
        var changes = ChangeSet<String>(of: String.self)
        changes.upserts.insert("x")
        #expect(changes.upserts == ["x"])
    }

    @Test("equal revisions are equal contents, and copies differ after an edit")
    func revisions() {
        var store = EntityStore([Card(1)])
        let copy = store
        #expect(copy.revision == store.revision)
        store[b] = Card(2)
        #expect(copy.revision != store.revision && copy.count == 1)
        #expect(EntityStore<Card>().revision == EntityStore<Card>().revision)
    }
}
