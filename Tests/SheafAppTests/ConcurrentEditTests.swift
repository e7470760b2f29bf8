import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// Typing while another process changes the same entity: its edit is in the state when the typing
/// ends.
@Suite("An edit that was begun before another process's")
@MainActor
struct ConcurrentEditTests {
    private let reducer = AppReducer()
    private let environment = AppEnvironment.fixture()
    private let item: Item
    private let tag: SheafList.Tag
    private var state = AppState()

    init() {
        item = Fixtures.items(["Buy milk"])[0]
        tag = Fixtures.tags(["home"])[0]
        state.items = EntityStore([item])
        state.tags = EntityStore([tag])
        _ = state.settle(.fixture())
    }

    private mutating func reduce(_ actions: AppAction...) {
        for action in actions {
            _ = reducer.reduce(state: &state, action: action, environment: environment)
        }
    }

    private mutating func fetch(_ change: (inout Item) -> Void) {
        state.items.modify(item.id, change)
        _ = state.settle(.fixture())
    }

    @Test("a rename in which nothing was typed leaves the other's alone, also on a hangup")
    mutating func untouchedRename() {
        for ending in [AppAction.line(.accepted), .leaving(.signalled(1))] {
            state.items = EntityStore([item])
            _ = state.settle(.fixture())
            reduce(.items(.renameRequested))
            fetch { $0.name = "theirs" }
            let theirs = state.items[item.id]
            reduce(ending)
            #expect(state.items[item.id] == theirs)
            #expect(state.ui.toast == nil)
        }
    }

    @Test("a rename keeps the other's name in the note, and says so")
    mutating func rename() {
        reduce(.items(.renameRequested), .line(.edited(.insert(" today"))))
        fetch {
            $0.name = "Buy cream"
            $0.doneAt = Fixtures.now
        }
        reduce(.line(.accepted))
        #expect(state.items[item.id]?.name == "Buy milk today")
        #expect(state.items[item.id]?.note == "was: Buy cream")
        #expect(state.items[item.id]?.isDone == true)
        #expect(state.ui.toast?.isAlert == true)
    }

    @Test("a rename to what the other has made of it is no conflict, and no change")
    mutating func sameRename() {
        reduce(.items(.renameRequested), .line(.edited(.insert("!"))))
        fetch { $0.name = "Buy milk!" }
        let theirs = state.items[item.id]
        reduce(.line(.accepted))
        #expect(state.items[item.id] == theirs)
        #expect(state.ui.toast == nil)
    }

    @Test("the best match of a query is selected, though the selected item goes at that moment")
    mutating func bestMatch() {
        let items = Fixtures.items(["gone", "silky milking", "milk"])
        state.items = EntityStore(items)
        state.ui.selectedItem = items[0].id
        _ = state.settle(.fixture())
        state.ui.mode = .filter(FilterDraft(line: LineEditor("milk"), previous: ""))
        state.ui.viewSettings.filter = "milk"
        state.items[items[0].id] = nil
        _ = state.settle(.fixture())
        #expect(state.rows.ids.compactMap { state.items[$0]?.name } == ["milk", "silky milking"])
        #expect(state.selectedItem?.name == "milk")
    }

    @Test("a note that comes back from the editor keeps what the other wrote")
    mutating func note() {
        fetch { $0.note = "theirs\nin two lines" }
        reduce(.items(.noteEdited(item, to: "mine")))
        #expect(state.items[item.id]?.note == "mine\nwas: theirs\nin two lines")
        #expect(state.ui.toast?.isAlert == true)
    }

    @Test("a note that was only looked at is no change")
    mutating func untouchedNote() {
        fetch { $0.note = "theirs" }
        let theirs = state.items[item.id]
        reduce(.items(.noteEdited(item, to: item.note)))
        #expect(state.items[item.id] == theirs)
    }

    @Test("a note that comes back to an item that is gone brings it back, and undo takes it away")
    mutating func noteOfDeleted() {
        let before = state.items[item.id]
        state.items[item.id] = nil
        _ = state.settle(.fixture())
        reduce(.items(.noteEdited(item, to: item.note)))
        #expect(state.items.isEmpty)
        reduce(.items(.noteEdited(item, to: "mine")))
        #expect(state.selectedItem?.note == "mine")
        #expect(state.selectedItem?.rank == before?.rank)
        #expect(state.ui.toast?.isAlert == true)
    }

    @Test("a tag's rename keeps its other fields, and says that another name had to yield")
    mutating func tagRename() {
        state.ui.viewSettings.tagChoice = .tag(tag.id)
        reduce(.tags(.renameRequested), .line(.edited(.insert("!"))))
        state.tags.modify(tag.id) {
            $0.name = "house"
            $0.color = .red
        }
        reduce(.line(.accepted))
        #expect(state.tags[tag.id]?.name == "home!")
        #expect(state.tags[tag.id]?.color == .red)
        #expect(state.ui.toast?.isAlert == true)
    }

    @Test("a tag's rename in which nothing was typed leaves the other's as it is")
    mutating func untouchedTagRename() {
        state.ui.viewSettings.tagChoice = .tag(tag.id)
        reduce(.tags(.renameRequested))
        state.tags.modify(tag.id) { $0.name = "house" }
        reduce(.line(.accepted))
        #expect(state.tags[tag.id]?.name == "house")
        #expect(state.ui.toast == nil)
    }
}
