import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Keys that are typed before the list is loaded.
@MainActor
@Suite("Keys before the first rows")
struct WaitingKeysTests {
    private let letters = Fixtures.items(["a", "b", "c", "d", "e"])

    @Test("they wait, and are done in order once the first page is there")
    func order() async {
        let early = EarlyTyping(items: letters)
        early.type("j j a 'NEW' Enter")
        #expect(early.state.ui.mode.isNormal)
        #expect(early.state.ui.waitingKeys == 7)
        early.loadTags()
        early.loadItems(0..<4)
        await early.turn()
        #expect(early.names == ["a", "b", "c", "NEW", "d"])
        #expect(early.state.ui.waitingKeys == 0)
    }

    @Test("a text that was meant for a line never runs as commands", arguments: [true, false])
    func renaming(isOneBatch: Bool) async {
        let early = EarlyTyping(items: letters)
        for keys in isOneBatch ? ["r d d q Enter x"] : ["r", "d", "d", "q", "Enter", "x"] {
            early.type(keys)
        }
        await early.loadAll()
        #expect(early.names == ["addq", "b", "c", "d", "e"])
        #expect(early.done == ["addq"])
        #expect(early.state.leaving.exit == nil)
    }

    @Test("a key that comes after the first page, before those that wait, is done after them")
    func keyBetween() {
        let early = EarlyTyping(items: letters)
        early.type("r")
        early.loadTags()
        early.loadItems(0..<5)
        early.type("x Enter")
        #expect(early.names.first == "ax")
        #expect(early.done.isEmpty)
    }

    @Test("a A ? W h and what needs no row work at once, and so does what was just added")
    func atOnce() {
        let early = EarlyTyping(items: letters)
        early.type("a 'new' Enter r '!' Enter x W ? Esc Z")
        #expect(early.state.ui.waitingKeys == 0)
        #expect(early.names == ["new!"])
        #expect(early.done == ["new!"])
        #expect(early.state.ui.showsWrites)
        #expect(early.toast == "Z does nothing here")
    }

    @Test("q quits at once, and the next start shows what this one would have")
    func quit() async {
        let view = RememberedView(selecting: letters[3], hidesDone: true)
        let early = EarlyTyping(items: letters, view: view)
        early.type("? Esc h l q")
        await early.store.settled()
        #expect(early.state.leaving.exit?.status == 0)
        #expect(RememberedView(early.state) == view)
    }

    @Test("a view waits for no item to be deleted, and a tag for all of them")
    func viewBeforeItems() async {
        let early = EarlyTyping(
            tags: Fixtures.tags(["one"]), views: [Fixtures.view(1), Fixtures.view(2)],
            items: letters)
        early.type("h g g d d")
        #expect(early.state.ui.waitingKeys == 4)
        early.loadTags()
        await early.turn()
        #expect(early.state.views.values.map(\.name) == ["view 2"])
        early.type("G d d")
        #expect(early.state.ui.waitingKeys > 0)
        await early.loadAll()
        #expect(early.state.tags.isEmpty)
    }

    @Test("gv waits for the first rows, and the name typed after it is one")
    func newView() async {
        let early = EarlyTyping(items: letters, view: RememberedView(selecting: letters[3]))
        early.type("g v 'add' Enter")
        #expect(early.state.views.isEmpty)
        await early.loadAll()
        #expect(early.state.views.values.map(\.name) == ["add"])
        #expect(early.names.count == 5)
    }

    @Test("a command that has nothing to act on goes, with all that was typed after it")
    func vain() async {
        let early = EarlyTyping()
        early.type("x")
        early.type("q u a 'q' Enter")
        await early.loadAll()
        #expect(early.toast == "Nothing to mark as done: 6 keys dropped")
        #expect(early.state.ui.waitingKeys == 0)
        #expect(early.names.isEmpty)
        #expect(early.state.ui.mode.isNormal)
        await early.store.settled()
        #expect(early.state.leaving.exit == nil)
    }

    @Test(
        "each says what there is nothing to do it to",
        arguments: [
            ("r 'NEW' Enter", "Nothing to rename: 5 keys dropped"),
            ("d d", "Nothing to delete: 2 keys dropped"),
            ("t", "Nothing to tag: 1 key dropped"),
            ("K", "Nothing to move: 1 key dropped"),
            ("h r 'q' Enter", "Nothing to rename: 3 keys dropped"),
        ])
    func nothing(keys: String, toast: String) async {
        let early = EarlyTyping()
        early.type(keys)
        await early.loadAll()
        #expect(early.toast == toast)
    }

    @Test("a movement in a list that proves empty is none, and what was typed after it is done")
    func movementInEmptyList() async {
        let early = EarlyTyping()
        early.type("j j a 'NEW' Enter")
        await early.loadAll()
        #expect(early.names == ["NEW"])
    }

    @Test("a load that fails drops what can no longer be done, and says why")
    func failure() async {
        let early = EarlyTyping(items: letters, view: RememberedView(selecting: letters[4]))
        early.type("x q")
        early.loadTags()
        early.loadItems(0..<2)
        early.store.send(.session(.loadFailed(reason: "damaged")))
        await early.turn()
        #expect(
            early.toast
                == "2 keys dropped. Read-only. Only part of the list could be read (damaged).")
        #expect(early.done.isEmpty)
    }

    @Test("^C drops what waits and says so; the next one quits")
    func interrupt() async {
        let early = EarlyTyping(items: letters)
        early.type("x r 'ab' ^C a 'new' Enter")
        #expect(early.toast == "4 keys dropped")
        #expect(early.names == ["new"])
        early.type("/")
        early.type("^C")
        #expect(early.toast == "1 key dropped")
        #expect(early.state.ui.waitingKeys == 0)
        await early.loadAll()
        #expect(early.done.isEmpty)
        #expect(early.state.ui.mode.isNormal)
        early.type("^C")
        await early.store.settled()
        #expect(early.state.leaving.exit?.status == 0)
    }

    @Test("a signal drops what waits and says so at the end")
    func signal() async {
        let early = EarlyTyping(items: letters)
        early.type("d d")
        early.dispatcher.dropAtEnd()
        early.store.send(.leaving(.signalled(15)))
        await early.loadAll()
        await early.store.settled()
        #expect(early.names.count == 5)
        #expect(early.state.leaving.exit?.status == 143)
        #expect(
            early.state.leaving.exit?.message == "2 keys dropped: the list did not load in time")
    }

    @Test("Esc, a paste, ^Z and ^L wait in their turn like any key")
    func othersWait() async {
        let early = EarlyTyping(items: letters)
        early.type("r")
        early.dispatcher.handle([Key(.paste("q\nq"))])
        early.type("Esc ^L x ^Z")
        #expect(early.terminal.suspensions == 0)
        await early.loadAll()
        await early.store.settled()
        #expect(early.terminal.suspensions == 1)
        #expect(early.terminal.redraws == 1)
        #expect(early.names.first == "a")
        #expect(early.done == ["a"])
    }

    @Test("no more than a certain number waits; what comes after it is dropped without a gap")
    func bound() async {
        let early = EarlyTyping(items: letters, maxWaiting: 4)
        early.type("r '12'")
        early.dispatcher.handle([Key(.paste("345")), "6"])
        #expect(early.toast == "Too many keys waiting: 2 keys dropped")
        early.type("7 Enter")
        #expect(early.toast == "Too many keys waiting: 4 keys dropped")
        #expect(early.state.ui.waitingKeys == 3)
        await early.loadAll()
        #expect(early.state.ui.mode.draft?.line.text == "a12")
        early.type("8 Enter")
        #expect(early.names.first == "a128")
    }

    @Test("once the waiting keys are dropped, there is room again")
    func boundAfterDrop() async {
        let early = EarlyTyping(items: letters, maxWaiting: 4)
        early.type("r '12345'")
        #expect(early.toast == "Too many keys waiting: 2 keys dropped")
        early.type("^C r")
        early.type("'1234'")
        #expect(early.toast == "Too many keys waiting: 1 key dropped")
        await early.loadAll()
        #expect(early.state.ui.mode.draft?.line.text == "a123")
    }

    // Needs

    @Test("G, and the deletion of a tag, wait for the whole list")
    func wholeList() async {
        let tags = Fixtures.tags(["one"])
        var items = letters
        items[4].tags = [tags[0].id]
        let early = EarlyTyping(tags: tags, items: items)
        early.type("h j j d d n l G x")
        early.loadTags()
        early.loadItems(0..<4)
        await early.turn()
        #expect(early.state.selectedTag?.name == "one")
        #expect(early.state.ui.waitingKeys == 6)
        early.loadItems(4..<5)
        early.endLoad()
        await early.turn()
        #expect(early.state.tags.count == 1)
        #expect(early.done == ["e"])
    }

    @Test("keys of the tags pane wait for the tags alone")
    func tagsPane() async {
        let early = EarlyTyping(tags: Fixtures.tags(["one", "two"]), items: letters)
        early.type("h j j j r '2' Enter J")
        #expect(early.state.ui.waitingKeys == 7)
        early.loadTags()
        await early.turn()
        #expect(early.state.tags.values.map(\.name) == ["one", "two2"])
        #expect(early.state.ui.waitingKeys == 0)
    }

    @Test("H and / wait for the view of the last run, which they are about")
    func view() async {
        let view = RememberedView(selecting: letters[1], hidesDone: true)
        let early = EarlyTyping(items: letters, view: view)
        early.type("H /")
        #expect(early.state.ui.waitingKeys == 2)
        await early.loadAll()
        #expect(!early.state.ui.viewSettings.hidesDone)
        early.type("Esc")
        #expect(early.state.selectedItem?.name == "b")
    }

    @Test("keys are about the selection of the last run, on whichever page it comes")
    func rememberedSelection() async {
        let early = EarlyTyping(items: letters, view: RememberedView(selecting: letters[3]))
        early.type("x")
        early.loadTags()
        early.loadItems(0..<2)
        await early.turn()
        #expect(early.names == ["a", "b"])
        #expect(early.done.isEmpty)
        // The user cannot have read these rows yet.
        early.type("j")
        early.store.send(.session(.rowsSeen))
        await early.turn()
        #expect(early.state.ui.waitingKeys == 2)
        early.loadItems(2..<5)
        await early.turn()
        #expect(early.done == ["d"])
        #expect(early.state.selectedItem?.name == "e")
    }

    @Test("rows that have been seen are what a key is about, and the selection then stays")
    func seenRows() async {
        let early = EarlyTyping(items: letters, view: RememberedView(selecting: letters[3]))
        early.loadTags()
        early.loadItems(0..<2)
        early.store.send(.session(.rowsSeen))
        early.type("x")
        #expect(early.done == ["a"])
        early.loadItems(2..<5)
        early.endLoad()
        #expect(early.state.selectedItem?.name == "a")
    }

    @Test("keys about a selection that is gone are dropped, once it can no longer come")
    func goneSelection() async {
        let view = RememberedView(selecting: Fixtures.items(["x", "x", "x", "x", "x", "gone"])[5])
        let early = EarlyTyping(items: letters, view: view)
        early.type("x")
        early.loadTags()
        early.loadItems(0..<5)
        await early.turn()
        #expect(early.state.ui.waitingKeys == 1)
        early.endLoad()
        await early.turn()
        #expect(early.done.isEmpty)
        #expect(
            early.toast == "1 key dropped. The item that was selected last has been deleted")
    }

    @Test("keys about a selection that is hidden by now are dropped")
    func hiddenSelection() async {
        var items = letters
        items[3].doneAt = Fixtures.now
        let view = RememberedView(selecting: items[3], hidesDone: true)
        let early = EarlyTyping(items: items, view: view)
        early.type("j d d")
        await early.loadAll()
        #expect(early.names == ["a", "b", "c", "e"])
        #expect(early.toast == "3 keys dropped. The item that was selected last is hidden")
        early.type("x")
        #expect(early.done == ["a", "d"])
    }

    @Test(
        "keys about a view or tag that is gone are dropped, until there are rows",
        arguments: ["view", "tag", "query"])
    func goneChoice(_ kind: String) async {
        var view = RememberedView(selecting: letters[1])
        switch kind {
        case "view": view.view = Fixtures.viewID(9)
        case "tag": view.tag = Fixtures.tagID(9)
        default: view.view = Fixtures.viewID(1)
        }
        let early = EarlyTyping(
            views: [Fixtures.view(1, "V", query: "#gone")], items: letters, view: view)
        early.type("^A x q")
        early.loadTags()
        await early.turn()
        let reason =
            switch kind {
            case "view": "The view that was shown last has been deleted"
            case "tag": "The tag that was chosen last has been deleted"
            default: "Cannot show view “V”: no tag is named #gone"
            }
        #expect(early.toast == "3 keys dropped. \(reason)")
        early.type("d")
        #expect(early.state.ui.waitingKeys == 0)
        early.pause()
        early.type("d")
        early.type("d")
        early.loadItems(0..<5)
        early.endLoad()
        await early.turn()
        #expect(early.toast == "2 keys dropped. \(reason)")
        #expect(early.names == ["a", "b", "c", "d", "e"])
        #expect(early.done.isEmpty)
        #expect(early.state.leaving.exit == nil)
        // The rows have not been seen before.
        early.pause()
        early.type("^A x")
        #expect(early.done.isEmpty)
        early.pause()
        early.type("^A x")
        #expect(early.done.count == 5)
    }

    @Test("a list that is empty or cannot be read refuses no keys", arguments: [true, false])
    func noRows(isRead: Bool) async {
        var view = RememberedView(AppState())
        view.view = Fixtures.viewID(9)
        let tag = Fixtures.tags(["one"])[0]
        let early = EarlyTyping(tags: [tag], view: view)
        early.loadTags()
        if isRead {
            early.endLoad()
        } else {
            early.store.send(.session(.loadFailed(reason: "damaged")))
        }
        early.type("h G c")
        #expect((early.state.tags.values[0].color != tag.color) == isRead)
        #expect(early.toast?.contains("dropped") != true)
    }

    @Test(
        "without keys typed ahead, the first command about the rows is refused once",
        arguments: ["view", "tag", "query", "tag of the view", "tag deleted elsewhere"])
    func goneWithoutKeys(_ kind: String) async {
        let tag = Fixtures.tags(["one"])[0]
        var view = RememberedView(selecting: letters[1])
        var views = [Fixtures.view(1, "V", query: "#gone")]
        let reason: String
        switch kind {
        case "view":
            view.view = Fixtures.viewID(9)
            reason = "The view that was shown last has been deleted"
        case "query":
            view.view = Fixtures.viewID(1)
            reason = "Cannot show view “V”: no tag is named #gone"
        case "tag of the view":
            let former = [Fixtures.view(1, "V", choice: .tag(tag.id))]
            let driver = await Driver(tags: [tag], views: former, items: letters)
            driver.type("g 1")
            view = RememberedView(driver.state)
            views = [Fixtures.view(1, "V")]
            reason = "The tag of the view that was shown last has been deleted"
        case "tag deleted elsewhere":
            let driver = await Driver(tags: [tag], items: letters)
            driver.type("h j j")
            driver.store.send(.saving(.arrived(Arrival(StorageChanges(deletingTags: [tag.id])))))
            view = RememberedView(driver.state)
            #expect(driver.state.ui.deletedTag == tag)
            #expect(view.tag == tag.id)
            reason = "The tag that was chosen last has been deleted"
        default:
            view.tag = Fixtures.tagID(9)
            reason = "The tag that was chosen last has been deleted"
        }
        let early = EarlyTyping(views: views, items: letters, view: view)
        await early.loadAll()
        #expect(early.toast == reason)
        early.type("^A x")
        #expect(early.done.isEmpty)
        #expect(early.toast == "2 keys dropped. \(reason)")
        early.type("^A x")
        #expect(early.done.isEmpty)
        early.pause()
        early.type("^A x")
        #expect(early.done.count == 5)
        let other = EarlyTyping(views: views, items: letters, view: view)
        await other.loadAll()
        other.type("j")
        other.type("^A x")
        #expect(other.done.count == 5)
    }

    @Test("the status line says how many keys wait, and what drops them")
    func screen() throws {
        let early = EarlyTyping(items: letters)
        early.type("r 'NEW' Enter")
        try expectGolden(
            ScreenView.canvas(
                of: early.state, at: Moment(wall: Fixtures.now, monotonic: .now)), "keys-waiting")
    }
}
