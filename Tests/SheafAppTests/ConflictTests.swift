import FoundationEssentials
import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// The kept parts of an edit that yields to another, and the messages about it.
@Suite("Conflicts with another process")
@MainActor
struct ConflictTests {
    private let item = Fixtures.items(["Buy milk"])[0]
    private let tag = Fixtures.tags(["home"])[0]
    private var state = AppState()

    init() {
        state.items = EntityStore([item])
        state.tags = EntityStore([tag])
        _ = state.settle(.fixture())
    }

    /// Reports new values and conflicts from storage.
    private mutating func arrive(
        items: [Item] = [], tags: [SheafList.Tag] = [],
        _ conflicts: (id: UUID, outcome: StorageConflict.Outcome)...
    ) {
        var changes = StorageChanges()
        changes.items.upsert(items)
        changes.tags.upsert(tags)
        let arrival = Arrival(
            changes, conflicts: conflicts.map { StorageConflict(id: $0.id, outcome: $0.outcome) })
        send(.saving(.arrived(arrival)))
    }

    private mutating func send(_ action: AppAction) {
        _ = AppReducer().reduce(
            state: &state, action: action, environment: AppEnvironment.fixture())
    }

    private func changed(_ change: (inout Item) -> Void) -> Item {
        var item = item
        change(&item)
        return item
    }

    @Test("a day for several items keeps another process's day in the note, as for one item")
    func dayOfSeveral() {
        var items = Fixtures.items(["one", "two"])
        for index in items.indices { items[index].due = CalendarDay("2026-12-01") }
        var state = AppState()
        state.items = EntityStore(items)
        _ = state.settle(.fixture())
        let store = AppStore(
            initialState: state,
            environment: .fixture(sleep: { _ in throw CancellationError() }))
        store.send(.marks(.allMarked))
        store.send(.dates(.promptOpened(.due)))
        items[1].due = CalendarDay("2026-12-31")
        store.send(.saving(.arrived(Arrival(StorageChanges(items: [items[1]])))))
        store.send(.line(.edited(.insert("2026-12-24"))))
        store.send(.dates(.accepted))
        #expect(store.state.items.values.map(\.due?.description) == ["2026-12-24", "2026-12-24"])
        #expect(store.state.items.values.map(\.note) == ["", "was: due: 2026-12-31"])
        #expect(store.state.ui.toast?.isAlert == true)
        store.send(.history(.undoRequested))
        #expect(store.state.items.values.map(\.due?.description) == ["2026-12-01", "2026-12-31"])
    }

    @Test("a text that is a part of one that was kept is kept too, and once")
    func wholeLines() {
        let base = changed { $0.note = "was: Buy milk and eggs\nplan" }
        var (mine, theirs) = (base, base)
        mine.name = "mine"
        theirs.name = "Buy milk and"
        let merged = StorageMerge.items(base: base, mine: mine, theirs: theirs).value
        #expect(merged.note == "was: Buy milk and eggs\nplan\nwas: Buy milk and")
        #expect(StorageMerge.items(base: base, mine: merged, theirs: theirs).value == merged)
    }

    @Test("a text of several lines is kept once")
    func severalLines() {
        var (mine, theirs) = (item, item)
        mine.note = "mine"
        theirs.note = "one\ntwo"
        let merged = StorageMerge.items(base: item, mine: mine, theirs: theirs).value
        #expect(merged.note == "mine\nwas: one\ntwo")
        #expect(StorageMerge.items(base: item, mine: merged, theirs: theirs).value == merged)
    }

    @Test("an edit that is merged again with what came of it adds nothing, whichever was later")
    func mergedAgain() {
        for time in [Fixtures.now, Fixtures.now.next] {
            var (mine, theirs) = (item, item)
            (mine.name, mine.note) = ("mine", "one\ntwo")
            (theirs.name, theirs.note, theirs.updatedAt) = ("theirs", "three", time)
            for merge in [StorageMerge<Item>.items, .laterItems] {
                for base in [item, nil] {
                    let merged = merge(base: base, mine: mine, theirs: theirs).value
                    for note in [mine.note, theirs.note] {
                        let isKept =
                            merged.note.hasLines(note) || merged.note.hasLines("was: \(note)")
                        #expect(isKept, "\(note) is lost in \(merged.note)")
                    }
                    #expect(merge(base: base, mine: merged, theirs: theirs).value == merged)
                    #expect(merge(base: base, mine: mine, theirs: merged).value == merged)
                }
            }
        }
    }

    @Test("a text after one that ends with a carriage return is kept once")
    func carriageReturn() {
        var (mine, theirs) = (item, item)
        (mine.name, mine.note) = ("mine", "note\r")
        (theirs.name, theirs.note) = ("theirs\r", "other\r\n")
        let merged = StorageMerge.items(base: item, mine: mine, theirs: theirs).value
        #expect(merged.note == "note\r\nwas: theirs\r\nwas: other\r\n")
        #expect(StorageMerge.items(base: item, mine: merged, theirs: theirs).value == merged)
        theirs.note = "last"
        let again = StorageMerge.items(base: item, mine: merged, theirs: theirs).value
        #expect(again.note == merged.note + "was: last")
        #expect(again.hasNoteOnly(merged.note))
    }

    @Test("the note is named when it has gained the other text")
    mutating func note() {
        arrive(items: [changed { $0.note = "was: other" }], (item.id, .merged))
        #expect(state.ui.toast?.text == "Also changed by another process; see its note: “Buy milk”")
        #expect(state.items.first?.note == "was: other")
    }

    @Test("the note is named when what it had ended with a carriage return")
    mutating func noteWithCarriageReturn() {
        state.items.modify(item.id) { $0.note = "mine\r" }
        arrive(items: [changed { $0.note = "mine\r\nwas: other" }], (item.id, .merged))
        #expect(state.ui.toast?.text == "Also changed by another process; see its note: “Buy milk”")
    }

    @Test("the note is not named when nothing of it is new")
    mutating func noNote() {
        state.items.modify(item.id) { $0.note = "was: long ago" }
        let merged = changed {
            $0.note = "was: long ago"
            $0.doneAt = Fixtures.now
        }
        arrive(items: [merged], (item.id, .merged))
        #expect(
            state.ui.toast?.text
                == "Also changed by another process; your version was kept: “Buy milk”")
    }

    @Test("what others changed without a conflict is shown and not spoken of")
    mutating func noConflict() {
        arrive(items: [changed { $0.note = "theirs" }])
        #expect(state.items.first?.note == "theirs")
        #expect(state.items.changes.isEmpty)
        #expect(state.ui.toast == nil)
    }

    @Test("a deletion that was not done is said to be none")
    mutating func deletion() {
        state.items[item.id] = nil
        arrive(items: [item], (item.id, .notDeleted))
        #expect(state.ui.toast?.text == "Not deleted; changed by another process: “Buy milk”")
        #expect(state.items.values == [item])
    }

    @Test("an item that stays done because its next occurrence was changed is named")
    mutating func staysDone() {
        let next = Item(
            id: item.nextID, name: "by anna", rank: item.rank, createdAt: Fixtures.now)
        arrive(items: [changed { $0.doneAt = Fixtures.now }, next], (next.id, .notDeleted))
        #expect(
            state.ui.toast?.text
                == "“Buy milk” stays done: another process changed its next occurrence")
        #expect(state.ui.toast?.isAlert == true)
        #expect(state.items[item.id]?.isDone == true)
    }

    @Test("an edit of what was deleted elsewhere is said to have restored it")
    mutating func restored() {
        state.items.modify(item.id) { $0.doneAt = Fixtures.now }
        arrive((item.id, .restored))
        #expect(
            state.ui.toast?.text == "Deleted by another process; your edit restored it: “Buy milk”")
        arrive((item.id, .restored), (tag.id, .restored))
        #expect(
            state.ui.toast?.text
                == "2 also changed by another process, 2 that it deleted came back")
    }

    @Test("a tag has no note, and comes back as an item does")
    mutating func tags() {
        arrive((tag.id, .kept))
        #expect(
            state.ui.toast?.text
                == "Also changed by another process; your version was kept: “home”")
        state.tags[tag.id] = nil
        arrive(tags: [tag], (tag.id, .notDeleted))
        #expect(state.ui.toast?.text == "Not deleted; changed by another process: “home”")
    }

    @Test("a tag deleted here that another process had put on an item is named with the item")
    mutating func takenTag() {
        send(.tags(.delete(tag.id)))
        // Where another process had added it to an item is known only once it is gone.
        arrive(items: [item], (item.id, .tookReference(to: AnyID(tag.id))))
        #expect(
            state.ui.toast?.text
                == "Tag “home” was deleted; another process had added it to “Buy milk”")
        #expect(state.ui.toast?.isAlert == true)
    }

    @Test(
        "a tag put on an item here that another process had deleted is named with the item",
        arguments: [false, true])
    mutating func lostTag(_ isFetched: Bool) {
        let tagged = changed { $0.tags = [tag.id] }
        state.items[item.id] = tagged
        if isFetched {
            var changes = StorageChanges()
            changes.tags.delete([tag.id])
            send(.saving(.arrived(Arrival(changes))))
        }
        arrive(items: [item], (item.id, .lostReference(to: AnyID(tag.id))))
        #expect(
            state.ui.toast?.text
                == "Tag “home” was deleted by another process and removed from “Buy milk”")
        #expect(state.items.first?.tags == [])
    }

    @Test("deleted tags are counted with their items, and a name that nobody knows is left out")
    mutating func severalTags() {
        let items = Fixtures.items(["one", "two"])
        let unknown = AnyID(Fixtures.id(50))
        arrive(items: items, (items[0].id, .lostReference(to: unknown)))
        #expect(
            state.ui.toast?.text == "A tag was deleted by another process and removed from “one”")
        arrive(
            items: items, (items[0].id, .tookReference(to: unknown)),
            (items[1].id, .tookReference(to: AnyID(tag.id))))
        #expect(
            state.ui.toast?.text
                == "2 tags were deleted; another process had added them to 2 items")
        arrive(
            items: items, (items[0].id, .tookReference(to: AnyID(tag.id))),
            (items[1].id, .tookReference(to: AnyID(tag.id))), (item.id, .kept))
        #expect(
            state.ui.toast?.text
                == "2 items lost a deleted tag."
                + " Also changed by another process; your version was kept: “one”")
    }

    @Test("several are counted")
    mutating func several() {
        let noted = changed { $0.note = "was: other" }
        arrive(items: [noted], (item.id, .merged), (tag.id, .kept))
        #expect(
            state.ui.toast?.text == "2 also changed by another process, see the notes of 1 item")
        state.ui.toast = nil
        arrive((item.id, .kept), (tag.id, .kept))
        #expect(
            state.ui.toast?.text == "2 also changed by another process, your versions were kept")
    }
}
