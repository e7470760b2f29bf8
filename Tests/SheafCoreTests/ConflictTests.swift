import SheafTestSupport
import Testing

@testable import SheafCore

/// What is kept of an edit that has to yield to another, and what is said of it.
@Suite("Conflicts with another process")
@MainActor
struct ConflictTests {
    private let item = Fixtures.items(["Buy milk"])[0]
    private let tag = Fixtures.tags(["home"])[0]
    private var state = AppState()
    private var status = PersistenceStatus()

    init() {
        state.items = EntityStore([item])
        state.tags = EntityStore([tag])
        state.settle()
        tell()
    }

    /// A new status: these are the ids of new conflicts.
    private mutating func tell(_ conflicts: AnyID..., isAdoption: Bool = false) {
        status.counters.conflicts += conflicts.count
        status.conflicts += conflicts
        if isAdoption { status.counters.adoptions += 1 }
        _ = AppReducer().reduce(
            state: &state, action: .saving(.statusChanged(status)),
            environment: AppEnvironment.fixture())
    }

    private func changed(_ change: (inout Item) -> Void) -> Item {
        var item = item
        change(&item)
        return item
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

    @Test("the note is named when it has gained the other text")
    mutating func note() {
        state.items.modify(item.id) { $0.note = "was: other" }
        tell(AnyID(item.id), isAdoption: true)
        #expect(state.ui.toast?.text == "Also changed elsewhere; see its note: “Buy milk”")
    }

    @Test("the note is not named when nothing of it is new")
    mutating func noNote() {
        state.items.modify(item.id) { $0.note = "was: long ago" }
        tell()
        state.items.modify(item.id) { $0.doneAt = Fixtures.now }
        tell(AnyID(item.id), isAdoption: true)
        #expect(state.ui.toast?.text == "Also changed elsewhere; your version was kept: “Buy milk”")
    }

    @Test("what a commit has merged is told again once it is here, if there is more to say")
    mutating func afterCommit() {
        tell(AnyID(item.id))
        #expect(state.ui.toast?.text == "Also changed elsewhere; your version was kept: “Buy milk”")
        state.items.modify(item.id) { $0.note = "was: other" }
        tell(isAdoption: true)
        #expect(state.ui.toast?.text == "Also changed elsewhere; see its note: “Buy milk”")
        state.ui.toast = nil
        state.items.modify(item.id) { $0.note = "was: another" }
        tell(isAdoption: true)
        #expect(state.ui.toast == nil)
    }

    @Test("a deletion that was not done is said to be none")
    mutating func deletion() {
        state.items[item.id] = nil
        tell()
        state.items[item.id] = item
        tell(AnyID(item.id), isAdoption: true)
        #expect(state.ui.toast?.text == "Not deleted; changed elsewhere: “Buy milk”")
    }

    @Test("a tag has no note")
    mutating func tags() {
        tell(AnyID(tag.id))
        #expect(state.ui.toast?.text == "Also changed elsewhere; your version was kept: “home”")
    }

    @Test("several are counted")
    mutating func several() {
        state.items.modify(item.id) { $0.note = "was: other" }
        tell(AnyID(item.id), AnyID(tag.id), isAdoption: true)
        #expect(state.ui.toast?.text == "2 also changed elsewhere, see the notes of 1 item")
        state.ui.toast = nil
        tell(AnyID(item.id), AnyID(tag.id), isAdoption: true)
        #expect(state.ui.toast?.text == "2 also changed elsewhere, your versions were kept")
    }
}
