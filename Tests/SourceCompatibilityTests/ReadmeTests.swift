import Foundation
import Testing

@Suite("Code that was written for the original README")
struct ReadmeTests {
    private let itemDB = Readme.ItemDB()
    private let tagDB = Readme.TagDB()
    private let tracked: AsyncStream<String>
    private let store: Readme.AppStore

    init() {
        let (tracked, continuation) = AsyncStream<String>.makeStream()
        self.tracked = tracked
        store = Readme.AppStore(
            environment: Readme.AppEnvironment(track: { continuation.yield($0) }),
            reducer: Readme.AppReducer(itemDB: itemDB, tagDB: tagDB))
    }

    @Test("actions, effects and writers do what it says")
    func application() async {
        let list = Readme.ItemList(store: store)
        store.send(.items(.create))
        store.send(.tags(.create(name: "swift")))
        #expect(list.lines == ["New Item"])
        await until { list.lines == ["Created Item"] }
        await store.persistence.flush()
        #expect(await itemDB.rows.values.map(\.name) == ["Created Item"])
        #expect(await tagDB.rows.values.map(\.name) == ["swift"])
        var events = tracked.makeAsyncIterator()
        #expect(await events.next() == "created")

        let id = store.items.values[0].id
        #expect(store.ui.selectedItemID == id)
        store.send(.items(.delete(id)))
        await store.persistence.flush()
        #expect(await itemDB.rows.isEmpty)
    }

    @Test("a sort is written: the items that it moved")
    func sort() async {
        for _ in 0..<3 { store.send(.items(.create)) }
        let names = store.items.values.map(\.id)
        await until { store.items.values.allSatisfy { $0.name == "Created Item" } }
        await store.persistence.flush()
        let before = await itemDB.upserts.count
        store.send(.items(.sort))
        await store.persistence.flush()
        #expect(store.items.values.map(\.id) == names.reversed())
        #expect(await itemDB.upserts.count == before + 2)
        store.send(.items(.sort))
        await store.persistence.flush()
        #expect(await itemDB.upserts.count == before + 2)
    }

    @Test("deletions come as a set")
    func deletions() async {
        struct State: Sendable { var items = EntityStore<Readme.Item>() }
        actor Deleted {
            private(set) var ids: Set<UUID> = []
            func insert(_ ids: Set<UUID>) { self.ids.formUnion(ids) }
        }
        let (one, two) = (Readme.Item(name: "one"), Readme.Item(name: "two"))
        var state = State(items: EntityStore([one, two]))
        let deleted = Deleted()
        let persist: @Sendable ([Readme.Item], Set<UUID>) async -> Void = { _, deletes in
            await deleted.insert(deletes)
        }
        let persistence = PersistenceMiddleware<State>(
            writers: [StateWriter(keyPath: \.items, persist: persist)],
            debounce: .milliseconds(250))
        state.items.removeAll { $0.name == "one" }
        state.items[two.id] = nil
        persistence.afterReduce(state: &state)
        await persistence.flush()
        #expect(await deleted.ids == [one.id, two.id])
    }
}
