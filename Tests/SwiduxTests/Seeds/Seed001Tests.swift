import Foundation
import Swidux
import SwiduxTesting
import Testing

@Suite("Seed 001: the item browser's reducer") struct Seed001ReducerTests {
    private let reducer = Seed001.ItemBrowserReducer()
    private var state = Seed001.AppState()

    private mutating func reduce(_ action: Seed001.ItemBrowserAction) {
        _ = reducer.reduce(state: &state, action: action, environment: .mock())
    }

    @Test("create inserts item and selects it")
    mutating func create() {
        reduce(.create)
        #expect(state.items.count == 1)
        #expect(state.ui.selectedItemID == state.items.values.first?.id)
        #expect(state.selectedItem?.name == "New Item")
    }

    @Test("delete removes item and clears selection")
    mutating func delete() {
        let item = Seed001.Item(name: "Test")
        state.items[item.id] = item
        state.ui.selectedItemID = item.id
        reduce(.delete(item.id))
        #expect(state.items.count == 0)
        #expect(state.ui.selectedItemID == nil)
    }

    @Test("rename trims the name, and an empty one changes nothing")
    mutating func rename() {
        let item = Seed001.Item(name: "Old")
        state.items[item.id] = item
        reduce(.rename(item.id, newName: " New\n"))
        #expect(state.items[item.id]?.name == "New")
        reduce(.rename(item.id, newName: "  "))
        #expect(state.items[item.id]?.name == "New")
    }

    @Test("reorder numbers the items anew, and indices out of range change nothing")
    mutating func reorder() {
        let items = (0..<3).map { Seed001.Item(id: .numbered($0), name: "\($0)", sortIndex: $0) }
        state.items = EntityStore(items)
        reduce(.reorder(fromIndex: 2, toIndex: 0))
        #expect(state.items.values.map(\.sortIndex) == [1, 2, 0])
        reduce(.reorder(fromIndex: 0, toIndex: 3))
        #expect(state.items.values.map(\.sortIndex) == [1, 2, 0])
    }
}

@MainActor
@Suite("Seed 001: the application") struct Seed001Tests {
    private let clock = ManualClock()
    private let analytics = Seed001.MockAnalyticsService()
    private let first = Seed001.Item(id: .numbered(1), name: "first", sortIndex: 0)
    private let second = Seed001.Item(id: .numbered(2), name: "second", sortIndex: 1)
    private let tag = Seed001.Tag(id: .numbered(3), name: "tag")

    private func makeStore(
        _ itemDB: any Seed001.ItemDBProtocol, selected: UUID? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Seed001.AppStore {
        let clock = clock
        return Seed001.AppStore(
            environment: Seed001.AppEnvironment(
                analytics: analytics,
                preferences: Seed001.MockPreferencesService(selectedItemID: selected),
                logger: Seed001.Logger(sink: log)),
            reducer: Seed001.AppReducer(itemDB: itemDB, tagDB: Seed001.TagDB([tag])),
            options: PersistenceOptions(clock: clock))
    }

    @Test("at the start everything is loaded, nothing written, and the selection restored")
    func hydration() async {
        let itemDB = Seed001.ItemDB([first, second])
        let store = makeStore(itemDB, selected: second.id)
        await store.hydrate()
        store.send(.itemBrowser(.restoreSelection))
        await store.settled()
        #expect(store.items.values == [first, second])
        #expect(store.tags.values == [tag])
        #expect(store.ui.selectedItemID == second.id)
        await store.persistence.flush()
        #expect(await itemDB.writes == 0)
    }

    @Test("what is created, renamed and deleted while loading is kept and then written")
    func editsDuringHydration() async {
        let itemDB = Seed001.ItemDB([first, second])
        let store = makeStore(itemDB)
        store.send(.itemBrowser(.create))
        clock.advance(by: .seconds(5))
        await store.persistence.flush()
        #expect(await itemDB.writes == 0)
        await store.hydrate()
        store.send(.itemBrowser(.rename(first.id, newName: "renamed")))
        store.send(.itemBrowser(.delete(second.id)))
        await store.persistence.flush()
        #expect(await Set(itemDB.fetchAll().map(\.name)) == ["New Item", "renamed"])
        #expect(store.persistence.status.phase == .saved)
    }

    @Test("a selection that is no longer there is not restored")
    func staleSelection() async {
        let store = makeStore(Seed001.ItemDB([first]), selected: second.id)
        await store.hydrate()
        store.send(.itemBrowser(.restoreSelection))
        await store.settled()
        #expect(store.ui.selectedItemID == nil)
    }

    @Test("effects do what is neither state nor persistence")
    func analyticsEffects() async {
        let store = makeStore(Seed001.ItemDB())
        store.send(.itemBrowser(.create))
        await store.settled()
        store.send(.itemBrowser(.delete(store.items.ids[0])))
        await store.settled()
        #expect(await analytics.events == [.itemCreated, .itemDeleted])
    }

    @Test("an effect inserts through an action of the root")
    func targetedInsert() async {
        let store = makeStore(Seed001.ItemDB([first]))
        await store.hydrate()
        store.send(.itemBrowser(.selectItem(first.id)))
        store.send(.inspector(.toggle))
        store.send(.inspector(.duplicateSelected))
        await store.settled()
        #expect(store.items.values.map(\.name) == ["first", "first copy"])
        #expect(store.ui.isInspectorOpen == false)
    }

    @Test("typing in a controlled field is one write of the last text")
    func controlledField() async {
        let itemDB = Seed001.ItemDB([first])
        let store = makeStore(itemDB)
        await store.hydrate()
        let field = Seed001.NameField(store: store, itemID: first.id)
        for text in ["n", "ne", "new"] { field.text = text }
        #expect(field.text == "new")
        clock.advance(by: .milliseconds(250))
        await store.persistence.flush()
        #expect(await itemDB.fetchAll().map(\.name) == ["new"])
        #expect(await itemDB.writes == 1)
    }

    @Test("loading that fails is logged, and nothing is written over what could not be read")
    func unreadable() async {
        let (messages, log) = AsyncStream<String>.makeStream()
        let store = makeStore(Seed001.UnreadableItemDB(), log: { log.yield($0) })
        await store.hydrate()
        store.send(.itemBrowser(.create))
        await store.persistence.flush()
        log.finish()
        var lines: [String] = []
        for await message in messages { lines.append(message) }
        #expect(lines == ["Hydration failed: Unreadable()"])
        #expect(store.persistence.status.phase == .unsaved)
    }

    @Test("a preview runs on mocks")
    func preview() async {
        let store = Seed001.AppStore(environment: .mock(), reducer: .mock())
        await store.hydrate()
        store.send(.itemBrowser(.create))
        #expect(store.items.count == 1)
        await store.persistence.flush()
        #expect(store.persistence.status.phase == .saved)
    }
}
