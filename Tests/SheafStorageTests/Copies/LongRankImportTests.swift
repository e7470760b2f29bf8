import SheafFormats
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@Suite("Ranks at the end that leave no short one behind them")
struct LongRankImportTests {
    @Test("make room for an import")
    func importing() async throws {
        let storage = MemoryStorage()
        var last = Fixtures.item(1)
        last.rank = try #require(Rank(text: String(repeating: "z", count: 2_000)))
        _ = try await storage.commit(StorageChanges(items: [last]))
        var list = ImportedList()
        list.items = [ImportedItem(name: "b"), ImportedItem(name: "c")]
        let plan = try await Importer(now: Fixtures.now).plan(list, into: storage)
        #expect(plan.addedItems == 2)
        #expect(try await storage.commit(plan.changes).refused.isEmpty)
        let names = try await storage.loadItems(after: nil, limit: 100).map(\.name)
        #expect(names == [last.name, "b", "c"])
    }
}
