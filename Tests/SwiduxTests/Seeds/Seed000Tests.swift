import Foundation
import Swidux
import SwiduxTesting
import Testing

@MainActor
@Suite("Seed 000: the original README") struct Seed000Tests {
    private let clock = ManualClock()
    private let database = Seed000.Database()
    private let item = UUID.numbered(1)
    private let tag = Seed000.Tag(id: .numbered(2), name: "swift")

    private func makeStore() -> Seed000.AppStore {
        let clock = clock
        return Seed000.AppStore(
            environment: Seed000.AppEnvironment(makeID: { .numbered(1) }, created: { _ in }),
            reducer: Seed000.AppReducer(
                itemDB: Seed000.ItemDB(database: database),
                tagDB: Seed000.TagDB(database: database)),
            options: PersistenceOptions(clock: clock))
    }

    /// A store with the item, its creation written.
    private func makeStoreWithItem() async -> Seed000.AppStore {
        let store = makeStore()
        store.send(.items(.create))
        for task in store.tasks { await task.value }
        await store.persistence.flush()
        return store
    }

    @Test("the view shows an action at once, and what its effect sends after it")
    func optimistic() async {
        let store = makeStore()
        store.send(.items(.create))
        #expect(Seed000.itemList(store) == ["New Item"])
        #expect(store.ui.selectedItemID == item)
        #expect(await database.items.isEmpty)
        for task in store.tasks { await task.value }
        #expect(Seed000.itemList(store) == ["Created Item"])
    }

    @Test("a flush begins once no change has come for 250 ms")
    func debounce() async {
        let store = await makeStoreWithItem()
        store.send(.items(.rename(item, newName: "a")))
        clock.advance(by: .milliseconds(249))
        #expect(store.persistence.status.pending == 1)
        clock.advance(by: .milliseconds(1))
        #expect(store.persistence.status.inFlight == 1)
        await store.persistence.flush()
        #expect(await database.items[item]?.name == "a")
    }

    @Test("of ten quick edits the last one is written, and it alone")
    func coalescing() async {
        let store = await makeStoreWithItem()
        let before = await database.log.count
        for number in 1...10 { store.send(.items(.rename(item, newName: "edit \(number)"))) }
        await store.persistence.flush()
        #expect(await Array(database.log.dropFirst(before)) == ["item edit 10"])
    }

    @Test("what is referred to is written first and deleted last")
    func writerOrdering() async {
        let store = await makeStoreWithItem()
        store.send(.items(.tag(item, with: tag.id)))
        store.send(.tags(.create(tag)))
        await store.persistence.flush()
        #expect(await database.log.suffix(2) == ["tag swift", "item Created Item"])
        #expect(Seed000.itemList(store) == ["Created Item #swift"])
        store.send(.tags(.delete(tag.id)))
        store.send(.items(.delete(item)))
        await store.persistence.flush()
        #expect(await database.log.suffix(2) == ["no item", "no tag"])
        #expect(store.persistence.status.phase == .saved)
    }

    @Test("a write that the database refuses is kept and shown")
    func failure() async {
        let store = await makeStoreWithItem()
        store.send(.items(.tag(item, with: tag.id)))
        await store.persistence.flush()
        #expect(store.persistence.status.phase == .failing)
        #expect(store.persistence.status.pending == 1)
        store.send(.tags(.create(tag)))
        await store.persistence.flush()
        #expect(await database.items[item]?.tagID == tag.id)
        #expect(store.persistence.status.phase == .saved)
    }

    @Test("the store of an application takes the place of Swidux's own")
    func dispatcher() {
        let store = makeStore()
        let dispatcher: any SwiduxDispatcher<Seed000.AppAction> = store
        dispatcher.send(.tags(.create(tag)))
        #expect(store.tags.values == [tag])
    }
}
