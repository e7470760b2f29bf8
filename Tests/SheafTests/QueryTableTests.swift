import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@Suite("A query finds the same everywhere: commands")
struct QueryTableTests {
    @Test("list, count and list --view find the items of the table")
    func commands() async throws {
        let sheaf = try SheafBinary()
        let path = sheaf.path("list.sqlite")
        let storage = try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
        let views = QueryTable.rows.enumerated().map {
            Fixtures.view($0 + 1, "view \($0)", query: $1.query)
        }
        _ = try await storage.commit(
            StorageChanges(tags: QueryTable.tags, views: views, items: QueryTable.items))
        await storage.close()
        for (number, (query, found)) in QueryTable.rows.enumerated() {
            let names = found.map { "\(QueryTable.items[$0].name)\n" }.joined()
            let ends = ["--store", path, "--", query]
            let list = try await sheaf.run(["list"] + ends)
            #expect(list.status == 0 && list.output == names, "\(query): \(list)")
            let count = try await sheaf.run(["count"] + ends)
            #expect(count.output == "\(found.count)\n", "\(query)")
            let view = try await sheaf.run(["list", "--store", path, "--view", "view \(number)"])
            #expect(view.status == 0 && view.output == names, "\(query): \(view)")
        }
    }
}
