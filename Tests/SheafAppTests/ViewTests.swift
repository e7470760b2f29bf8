import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// Commands on saved views, and their results.
@Suite("Saved views")
@MainActor
struct ViewTests {
    private let tag = Fixtures.tags(["home"])[0]
    private let items = Fixtures.items(["one", "two"])
    private let views = (1...3).map { Fixtures.view($0) }
    private let storage: FakeStorage

    init() {
        storage = FakeStorage(tags: [tag], views: views, items: items)
    }

    private func store(
        of storage: FakeStorage? = nil, readOnly reason: String? = nil
    ) async -> AppStore {
        let storage = storage ?? self.storage
        let store = AppStore(
            initialState: AppState(list: ListInfo(readOnlyReason: reason, loading: Loading())),
            environment: .fixture(storage: storage))
        await store.load()
        await store.settled()
        return store
    }

    private func names(_ store: AppStore) -> [String] { store.state.views.values.map(\.name) }

    @Test("what is shown is saved under a name, as the last view, and chosen again")
    func addAndChoose() async throws {
        let store = await store()
        #expect(names(store) == views.map(\.name))
        store.send(.browse(.hideDoneToggled))
        store.send(.views(.add(name: " at home ")))
        let view = try #require(store.state.views.last)
        #expect(view.name == "at home")
        #expect(view.hidesDone)
        #expect(view.choice == .all)
        store.send(.browse(.hideDoneToggled))
        store.send(.views(.choose(view.id)))
        #expect(store.state.ui.viewSettings.hidesDone)
        await store.flush()
        #expect(try await storage.loadViews() == views + [view])
    }

    @Test("a view with a query and a tag shows these, and what it shows saves as the same")
    func shown() {
        var state = AppState()
        state.tags = EntityStore([tag])
        let view = SavedView(
            id: Fixtures.id(1), name: "v", query: "one", choice: .tag(tag.id), hidesDone: true,
            rank: .middle)
        state.views = EntityStore([view])
        state.choose(.view(view.id), .fixture())
        #expect(state.ui.viewSettings.filter == "one")
        #expect(state.ui.viewSettings.tagChoice == .tag(tag.id))
        #expect(state.shownView(id: view.id, name: "v", rank: .middle) == view)
        #expect(state.showsChosenView)
    }

    @Test("a name that is empty or that another view has is refused")
    func refusedNames() async {
        let store = await store()
        for name in ["", " \n", "VIEW 2", " view 2 "] {
            store.send(.views(.add(name: name)))
            store.send(.views(.rename(views[0].id, newName: name)))
            #expect(store.state.views.values == views)
            #expect(store.state.ui.toast?.isAlert == true)
        }
        store.send(.views(.rename(views[1].id, newName: "VIEW 2")))
        #expect(names(store) == ["view 1", "VIEW 2", "view 3"])
    }

    @Test("each command is one step of undo, and reaches storage both ways")
    func undo() async throws {
        let commands: [ViewAction] = [
            .add(name: "new"), .rename(views[0].id, newName: "other"),
            .move(views[0].id, .down), .move(views[2].id, .up), .delete(views[1].id),
        ]
        for command in commands {
            let store = await store()
            store.send(.views(command))
            let changed = store.state.views.values
            #expect(changed != views, "\(command)")
            await store.flush()
            #expect(try await storage.loadViews() == changed)
            store.send(.history(.undoRequested))
            #expect(store.state.views.values == views, "\(command)")
            store.send(.history(.redoRequested))
            #expect(store.state.views.values == changed)
            store.send(.history(.undoRequested))
            await store.flush()
            #expect(try await storage.loadViews() == views)
        }
    }

    @Test("a view at an end moves no further, and one that is gone is left alone")
    func nothingToDo() async {
        let store = await store()
        let gone = Fixtures.viewID(9)
        for action in [
            ViewAction.move(views[0].id, .up), .move(views[2].id, .down), .move(gone, .up),
            .rename(gone, newName: "x"), .delete(gone), .choose(gone),
            .rename(views[0].id, newName: views[0].name),
        ] {
            store.send(.views(action))
            #expect(store.state.views.values == views)
        }
        store.send(.history(.undoRequested))
        #expect(store.state.ui.toast?.text == "Nothing to undo")
    }

    @Test("a deleted tag leaves its views, which show all then; undo brings both back")
    func deletedTag() async throws {
        let store = await store()
        store.send(.browse(.paneChosen(.tags)))
        store.send(.browse(.moved(.toLast)))
        store.send(.views(.add(name: "tagged")))
        let view = try #require(store.state.views.last)
        #expect(view.choice == .tag(tag.id))
        store.send(.tags(.delete(tag.id)))
        #expect(store.state.views[view.id]?.choice == .all)
        #expect(
            store.state.ui.toast?.text
                == "Tag deleted: “home”. View “tagged” now shows the items of all tags")
        await store.flush()
        store.send(.history(.undoRequested))
        #expect(store.state.views[view.id] == view)
        #expect(store.state.tags.values == [tag])
        await store.flush()
        #expect(try await storage.loadViews().last == view)
    }

    @Test("a new name of a tag that makes a view's query too long is refused")
    func tooLong() async {
        let query = "#home OR " + String(repeating: "x", count: 4_087)
        let view = SavedView(id: Fixtures.id(1), name: "long", query: query, rank: .middle)
        let store = await store(of: FakeStorage(tags: [tag], views: [view], items: items))
        store.send(.tags(.rename(tag.id, newName: "house")))
        #expect(
            store.state.ui.toast?.text
                == "The query of the view “long” would be longer than 4096 bytes")
        #expect(store.state.tags.values == [tag] && store.state.views.values == [view])
        store.send(.tags(.rename(tag.id, newName: "hut")))
        #expect(store.state.views.first?.query.hasPrefix("#hut OR x") == true)
    }

    @Test("a rename over another process's keeps the one here, and says so")
    func concurrentRename() async {
        let store = await store()
        store.send(
            .saving(.arrived(Arrival(StorageChanges(views: [Fixtures.view(1, "theirs")])))))
        #expect(names(store)[0] == "theirs")
        store.send(.views(.rename(views[0].id, from: "view 1", newName: "mine")))
        #expect(names(store)[0] == "mine")
        #expect(
            store.state.ui.toast?.text
                == "Also changed by another process; your version was kept: “mine”")
    }

    @Test("undo skips a view that another process has changed since, and says so")
    func skipped() async {
        let store = await store()
        store.send(.views(.rename(views[0].id, newName: "mine")))
        await store.flush()
        store.send(
            .saving(.arrived(Arrival(StorageChanges(views: [Fixtures.view(1, "theirs")])))))
        store.send(.history(.undoRequested))
        #expect(names(store)[0] == "theirs")
        #expect(
            store.state.ui.toast?.text == "Cannot undo rename view: 1 view changed since")
    }

    @Test("on a list that can only be read a view can be chosen, and nothing else")
    func readOnly() async {
        let store = await store(readOnly: "The file is write-protected.")
        for action in [
            ViewAction.add(name: "x"), .rename(views[0].id, newName: "x"),
            .move(views[0].id, .down), .delete(views[0].id),
        ] {
            store.send(.views(action))
            #expect(store.state.views.values == views)
        }
        #expect(store.state.takes(.views(.choose(views[0].id))))
    }

    @Test("what an interrupted session left of views is shown and saved")
    func recovered() async throws {
        var state = AppState()
        state.tags = EntityStore([tag])
        var view = Fixtures.view(1, choice: .tag(tag.id))
        state.views = EntityStore([view])
        state.recover(
            AbandonedLogContent(batches: [
                StorageChanges(views: [Fixtures.view(2)], deletingTags: [tag.id])
            ]), stored: [])
        view.tag = nil
        #expect(state.views.values == [view, Fixtures.view(2)])
        #expect(
            state.list.notice
                == "Recovered 2 unsaved changes of an interrupted session. A tag was deleted; "
                + "another process had added it to the view “view 1”")
    }
}
