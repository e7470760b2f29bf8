import Foundation
import Testing

private typealias AppState = CodePatterns.AppState
private typealias AppStore = CodePatterns.AppStore
private typealias Item = CodePatterns.Item
private typealias ItemBrowserReducer = CodePatterns.ItemBrowserReducer

/// The three tests of the templates' testing pattern, word for word.
@Suite("ItemBrowser Reducer")
struct ItemBrowserReducerTests {

    @Test("create inserts item and selects it")
    func create() {
        var state = AppState()
        let reducer = ItemBrowserReducer()
        _ = reducer.reduce(state: &state, action: .create, environment: .mock())
        #expect(state.items.count == 1)
        #expect(state.ui.selectedItemID == state.items.values.first?.id)
    }

    @Test("delete removes item and clears selection")
    func delete() {
        var state = AppState()
        let item = Item(name: "Test")
        state.items[item.id] = item
        state.ui.selectedItemID = item.id

        let reducer = ItemBrowserReducer()
        _ = reducer.reduce(state: &state, action: .delete(item.id), environment: .mock())
        #expect(state.items.count == 0)
        #expect(state.ui.selectedItemID == nil)
    }

    @Test("rename updates item name via modify")
    func rename() {
        var state = AppState()
        let item = Item(name: "Old")
        state.items[item.id] = item

        let reducer = ItemBrowserReducer()
        _ = reducer.reduce(
            state: &state, action: .rename(item.id, newName: "New"), environment: .mock())
        #expect(state.items[item.id]?.name == "New")
    }
}

@Suite("Code that was written from the original's patterns")
struct CodePatternsTests {
    private let first = Item(name: "first", sortIndex: 0)
    private let second = Item(name: "second", sortIndex: 1)

    private func makeStore(
        _ itemDB: CodePatterns.ItemDB, analytics: CodePatterns.MockAnalyticsService = .init()
    ) -> AppStore {
        AppStore(
            environment: CodePatterns.AppEnvironment(
                analytics: analytics, preferences: CodePatterns.MockPreferencesService()),
            reducer: CodePatterns.AppReducer(itemDB: itemDB, tagDB: CodePatterns.MockTagDB()))
    }

    @Test("what is hydrated is edited, reordered and deleted, in memory and on disk")
    func application() async {
        let itemDB = CodePatterns.ItemDB([first, second])
        let store = makeStore(itemDB)
        await store.hydrate()
        #expect(store.failure == nil)
        #expect(store.items.values.map(\.name) == ["first", "second"])

        store.send(.itemBrowser(.reorder(fromIndex: 1, toIndex: 0)))
        let field = CodePatterns.NameField(store: store, itemID: first.id)
        for text in ["f", "fi", " fir "] { field.text = text }
        await store.persistence.flush()
        #expect(field.text == "fir")
        #expect(await itemDB.fetchAll().map(\.name) == ["second", "fir"])

        store.send(.itemBrowser(.delete(second.id)))
        await store.persistence.flush()
        #expect(await itemDB.fetchAll().map(\.id) == [first.id])
        #expect(store.persistence.status.phase == .saved)
    }

    @Test("an effect inserts through an action of the root, and a view is told")
    func targetedInsert() async {
        let itemDB = CodePatterns.ItemDB([first])
        let store = makeStore(itemDB)
        await store.hydrate()
        store.send(.itemBrowser(.selectItem(first.id)))
        store.send(.inspector(.duplicate))
        await until { store.items.count == 2 }
        await store.persistence.flush()
        #expect(await itemDB.fetchAll().map(\.name) == ["first", "first"])
    }

    @Test("DB actor upserts and fetches")
    func dbUpsertsAndFetches() async throws {
        let db = CodePatterns.ItemDB()
        let item = Item(name: "Test")
        await db.upsert(item)
        let all = await db.fetchAll()
        #expect(all.count == 1)
        #expect(all[0].name == "Test")
    }
}
