import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// The chosen view after another start, and after changes of other processes.
@Suite("Chosen view")
@MainActor
struct ChosenViewTests {
    private let tag = Fixtures.tags(["home"])[0]
    private let items = Fixtures.items(["one", "two"])
    private let views = [Fixtures.view(1, query: "one"), Fixtures.view(2, query: "#gone")]

    private func store(
        view: RememberedView? = nil, views: [SavedView]? = nil
    ) async -> AppStore {
        let storage = FakeStorage(tags: [tag], views: views ?? self.views, items: items)
        let store = AppStore(
            initialState: AppState(list: ListInfo(loading: Loading()), view: view),
            environment: .fixture(storage: storage))
        await store.load()
        await store.settled()
        return store
    }

    private func others(_ changes: StorageChanges) -> AppAction {
        .saving(.arrived(Arrival(changes)))
    }

    @Test("it is shown at the next start, and what was shown before comes back after it")
    func remembered() async {
        let store = await store()
        store.send(.browse(.hideDoneToggled))
        store.send(.views(.choose(views[0].id)))
        let view = RememberedView(store.state)
        #expect(view.view == views[0].id)
        #expect(view.hidesDone)

        let next = await self.store(view: view)
        #expect(next.state.selectedView == views[0])
        #expect(next.state.showsChosenView)
        #expect(next.state.rows.count == 1)
        next.send(.browse(.escaped))
        #expect(next.state.ui.viewSettings.hidesDone)
        #expect(next.state.ui.viewSettings.filter.isEmpty)
    }

    @Test(
        "with a view chosen, a tag's row counts what choosing it shows, also after edits",
        arguments: ["", "t", "is:open", "t is:open", "#none OR t"])
    func counts(former: String) async {
        let tags = Fixtures.tags(["home", "work", "none"])
        var items = Fixtures.items((0..<40).map { ["one", "two", "ten"][$0 % 3] })
        for index in items.indices {
            items[index].tags = Set(tags.filter { _ in index % 4 != 0 }.prefix(index % 3).map(\.id))
            if index % 5 == 0 { items[index].doneAt = Fixtures.now }
        }
        var ranked = Fixtures.view(2, query: "o")
        (ranked.sort, ranked.hidesDone) = (.match, true)
        var tagged = Fixtures.view(3, choice: .tag(tags[0].id))
        tagged.sort = .name
        let storage = FakeStorage(
            tags: tags, views: [Fixtures.view(1, query: "one"), ranked, tagged], items: items)
        var state = AppState(list: ListInfo(loading: Loading()))
        state.ui.viewSettings.filter = former
        let store = AppStore(initialState: state, environment: .fixture(storage: storage))
        await store.load()
        await store.settled()
        func choose(_ choice: TagChoice) async {
            store.send(.browse(.tagRowChosen(.choice(choice))))
            await store.settled()
        }
        for step in 0..<4 {
            if step == 2 { store.send(.browse(.hideDoneToggled)) }
            for view in store.state.views {
                store.send(.views(.choose(view.id)))
                await store.settled()
                if step % 2 == 1 { store.send(.items(.doneToggled)) }
                await store.settled()
                let counts = store.state.rows.counts
                await choose(.all)
                #expect(counts == store.state.rows.counts)
                // A hidden item is shown until the selection leaves it.
                guard step < 2 else { continue }
                #expect(counts.total == store.state.rows.count)
                for tag in tags {
                    await choose(.tag(tag.id))
                    #expect(counts[tag.id] == store.state.rows.count)
                }
                await choose(.all)
            }
        }
    }

    @Test("a query whose tag is gone counts, and finds once the view is left, what it found before")
    func formerFault() async {
        let store = await store()
        store.send(.filter(.opened))
        store.send(.line(.edited(.insert("#home"))))
        store.send(.filter(.accepted))
        store.send(others(StorageChanges(deletingTags: [tag.id])))
        #expect(store.state.query.error != nil)
        let (ids, counts) = (store.state.rows.ids, store.state.rows.counts)
        store.send(.views(.choose(views[0].id)))
        #expect(store.state.query.error == nil)
        #expect(store.state.rows.count == 1)
        #expect(store.state.rows.counts == counts)
        store.send(.browse(.escaped))
        #expect(store.state.ui.viewSettings.filter == "#home")
        #expect(store.state.query.error != nil)
        #expect(store.state.rows.ids == ids)
    }

    @Test("one that is gone at the next start is as if nothing had been chosen")
    func rememberedGone() async {
        let store = await store()
        store.send(.browse(.hideDoneToggled))
        store.send(.views(.choose(views[0].id)))
        let next = await self.store(view: RememberedView(store.state), views: [])
        #expect(next.state.chosenRow == .choice(.all))
        #expect(next.state.ui.viewSettings.hidesDone)
        #expect(next.state.rows.count == 2)
        #expect(RememberedView(next.state).view == nil)
    }

    @Test("a view or tag that is gone at the next start is told", arguments: ["view", "tag"])
    func rememberedGoneTold(_ kind: String) {
        var view = RememberedView(AppState())
        if kind == "view" { view.view = Fixtures.id(7) } else { view.tag = Fixtures.id(7) }
        var state = AppState(list: ListInfo(loading: Loading()), view: view)
        let loaded = SessionAction.tagsAndViewsLoaded(
            StorageChanges(tags: [tag], views: views), itemCount: 2, lastRank: nil)
        _ = AppReducer().reduce(
            state: &state, action: .session(loaded), environment: .fixture())
        let verb = kind == "view" ? "shown" : "chosen"
        #expect(state.ui.toast?.text == "The \(kind) that was \(verb) last has been deleted")
    }

    @Test("what it shows stays if another process deletes it, and a message says so")
    func deletedElsewhere() async {
        let store = await store()
        store.send(.browse(.hideDoneToggled))
        store.send(.views(.choose(views[0].id)))
        store.send(others(StorageChanges(deletingViews: [views[0].id])))
        #expect(store.state.selectedView == nil)
        #expect(store.state.ui.viewSettings.filter == "one")
        #expect(store.state.rows.count == 1)
        #expect(
            store.state.ui.toast?.text
                == "View “view 1” was deleted by another process; what it shows stays")
        store.send(.browse(.escaped))
        #expect(store.state.ui.viewSettings.filter.isEmpty)
        #expect(store.state.rows.count == 2)
    }

    @Test("another query of it is shown, with a message unless it only follows a renamed tag")
    func changedElsewhere() async {
        let store = await store()
        store.send(.views(.choose(views[0].id)))
        store.send(others(StorageChanges(views: [Fixtures.view(1, query: "-one")])))
        #expect(store.state.rows.ids == [items[1].id])
        let message = "View “view 1” was changed by another process"
        #expect(store.state.ui.toast?.text == message)

        let tagged = await self.store(views: [Fixtures.view(1, query: "#home")])
        tagged.send(.views(.choose(views[0].id)))
        var renamed = tag
        renamed.name = "house"
        var changes = StorageChanges(views: [Fixtures.view(1, query: "#house")])
        changes.tags.upsert(renamed)
        tagged.send(others(changes))
        #expect(tagged.state.ui.viewSettings.filter == "#house")
        #expect(tagged.state.ui.toast?.text != message)
    }

    @Test("of a chosen tag that another process deletes no item is left, until the user goes on")
    func tagDeletedElsewhere() async {
        let store = await store()
        let tag = Fixtures.tags(["home"])[0]
        store.send(others(StorageChanges(tags: [tag])))
        store.send(.browse(.tagRowChosen(.choice(.tag(tag.id)))))
        store.send(others(StorageChanges(deletingTags: [tag.id])))
        #expect(store.state.rows.count == 0)
        store.send(.marks(.allMarked))
        store.send(.items(.doneToggled))
        #expect(store.state.items.allSatisfy { !$0.isDone })
        store.send(.browse(.escaped))
        #expect(store.state.rows.count == 2)
    }

    @Test("deleted elsewhere while it is renamed, Enter saves what it showed under the new name")
    func deletedWhileRenamed() async throws {
        let store = await store()
        store.send(.views(.choose(views[0].id)))
        store.send(.views(.renameRequested(views[0].id)))
        store.send(.line(.edited(.insert("!"))))
        store.send(others(StorageChanges(deletingViews: [views[0].id])))
        #expect(store.state.ui.toast?.text == Draft.deletedElsewhere)
        #expect(store.state.ui.mode.draft?.target == .newView)
        #expect(store.state.rows.count == 1)
        store.send(.line(.accepted))
        let view = try #require(store.state.selectedView)
        #expect(view.name == "view 1!")
        #expect(view.query == "one")
        store.send(.browse(.escaped))
        #expect(store.state.rows.count == 2)
    }

    @Test("deleted elsewhere while it is renamed, Esc goes back to what was shown before it")
    func deletedAndCancelled() async {
        let store = await store()
        store.send(.views(.choose(views[0].id)))
        store.send(.views(.renameRequested(views[0].id)))
        store.send(others(StorageChanges(deletingViews: [views[0].id])))
        store.send(.line(.cancelled))
        #expect(store.state.chosenRow == .choice(.all))
        #expect(store.state.rows.count == 2)
        #expect(store.state.ui.toast == nil)
    }

    @Test("renamed elsewhere while it is renamed here, the edit here stands, and is told of")
    func renamedTwice() async {
        let store = await store()
        store.send(.views(.choose(views[0].id)))
        store.send(.views(.renameRequested(views[0].id)))
        store.send(.line(.edited(.insert("!"))))
        store.send(others(StorageChanges(views: [Fixtures.view(1, "theirs", query: "one")])))
        store.send(.line(.accepted))
        #expect(store.state.selectedView?.name == "view 1!")
        #expect(
            store.state.ui.toast?.text
                == "Also changed by another process; your version was kept: “view 1!”")
    }

    @Test("a name that is typed is kept at the end as Enter keeps it", arguments: [true, false])
    func keptAtTheEnd(isNew: Bool) async throws {
        let storage = FakeStorage(tags: [tag], views: views, items: items)
        let store = AppStore(
            initialState: AppState(list: ListInfo(loading: Loading())),
            environment: .fixture(storage: storage))
        await store.load()
        store.send(.views(isNew ? .addRequested : .renameRequested(views[1].id)))
        store.send(.line(.edited(.insert("new"))))
        store.send(.leaving(.signalled(15)))
        await store.settled()
        #expect(store.state.leaving.exit?.status == 143)
        #expect(try await storage.loadViews().last?.name == (isNew ? "new" : "view 2new"))
    }

    @Test("a tag that was shown before and is gone has all items take its place")
    func formerTagGone() async {
        let store = await store()
        store.send(.browse(.paneChosen(.tags)))
        store.send(.browse(.moved(.toLast)))
        store.send(.views(.choose(views[0].id)))
        store.send(.tags(.delete(tag.id)))
        store.send(.browse(.escaped))
        #expect(store.state.chosenRow == .choice(.all))
        #expect(store.state.rows.count == 2)
    }

    @Test("a view deleted with its row among others leaves a sequence of keys that began on it")
    func sequence() async {
        let store = await store()
        store.send(.browse(.paneChosen(.tags)))
        store.send(.views(.choose(views[0].id)))
        store.send(.keys(.pending(["d"])))
        store.send(others(StorageChanges(deletingViews: [views[0].id])))
        #expect(!store.state.isSequenceCurrent)
        store.send(.keys(.sequenceLost))
        #expect(
            store.state.ui.toast?.text
                == "Keys dropped: the selection was deleted by another process")
    }

    @Test("a tag that was shown before and proves to be another's is that one")
    func formerTagReplaced() async {
        let other = SheafList.Tag(id: Fixtures.id(150), name: "Home", color: .red, rank: tag.rank)
        var state = await store().state
        state.choose(.choice(.tag(tag.id)), .fixture())
        state.choose(.view(views[0].id), .fixture())
        state.tags[other.id] = other
        state.replaceTag(tag.id, by: other)
        _ = state.settle(.fixture())
        state.leaveViews()
        #expect(state.selectedTag == other)
    }

    @Test("a query with a fault is not saved, and what was typed for its name is no command")
    func faultyQuery() async {
        let store = await store()
        store.send(.filter(.opened))
        store.send(.line(.edited(.insert("#home"))))
        store.send(.filter(.accepted))
        store.send(.tags(.delete(tag.id)))
        store.send(.views(.addRequested))
        let reason = "Cannot save the view: no tag is named #home"
        #expect(store.state.ui.mode.isNormal)
        #expect(store.state.ui.toast?.text == reason)
        #expect(
            store.state.obstacle(to: .views(.addRequested), requiring: .list) == .refused(reason))
    }
}
