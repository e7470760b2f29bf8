import SheafApp
import SheafTestSupport
import Testing

@MainActor
@Suite("A query finds the same everywhere: the screen") struct QueryTableTests {
    @Test("a typed query, and a saved view of it, show the items of the table")
    func screen() async throws {
        for (query, found) in QueryTable.rows where !query.isEmpty {
            let driver = await Driver(
                tags: QueryTable.tags, views: [Fixtures.view(1, "v", query: query)],
                items: QueryTable.items)
            let expected = found.map { QueryTable.items[$0].id }
            driver.type("/")
            driver.paste(query)
            let typed = driver.state.rows
            #expect(Set(typed.isFuzzy ? [] : typed.ids) == Set(expected), "\(query)")
            #expect(typed.counts.total == expected.count, "\(query)")
            driver.type("Esc g 1")
            #expect(driver.state.rows.ids == expected, "\(query)")
        }
    }
}
