import SheafApp
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Who else has changed an item, in its row and in the inspector.
@MainActor
@Suite("Authors of changes")
struct AuthorTests {
    private let ben = Author(name: "ben", at: Fixtures.now.advanced(days: -1))

    private func tell(_ author: Author, ofChanging item: Item, to driver: Driver) {
        driver.store.send(.saving(.authorsKnown([item.id: author], items: [item])))
    }

    private func row(of name: String, in driver: Driver) -> String {
        driver.canvas.textRows.first { $0.contains(name) } ?? ""
    }

    @Test("a row shows the initials of whoever has just changed it, for five minutes")
    func initials() async throws {
        let driver = await Driver.lettered()
        let item = try #require(driver.state.items.values.first { $0.name == "b" })
        #expect(!row(of: " b ", in: driver).contains("Be"))
        tell(ben, ofChanging: item, to: driver)
        #expect(row(of: " b ", in: driver).contains(" Be "))
        #expect(driver.canvas.textRows.count { $0.contains(" Be ") } == 1)

        let authors = driver.state.authors
        let later = Timestamp(milliseconds: Fixtures.now.milliseconds + 299_999)
        #expect(authors.recentAuthor(of: item, now: later) == ben)
        #expect(authors.recentAuthor(of: item, now: later.next) == nil)
        #expect(authors.author(of: item) == ben)
    }

    @Test("the inspector has the whole name and the time, until the item is edited here")
    func inspector() async throws {
        let driver = await Driver(
            items: Fixtures.items(["a", "b"]), size: Size(columns: 80, rows: 30))
        let item = try #require(driver.state.items.values.first { $0.name == "a" })
        driver.type("o")
        tell(ben, ofChanging: item, to: driver)
        let line = try #require(driver.canvas.textRows.first { $0.contains(" by ") })
        #expect(line.contains("ben, ") && line.contains("1 day ago"))
        driver.wall.set(Fixtures.now.advanced(days: 1))
        driver.type("x")
        #expect(!driver.canvas.textRows.contains { $0.contains(" by ") })
    }

    @Test(
        "initials are the first letters of two words, or two letters of one",
        arguments: [
            ("ben", "Be"), ("anna.meier", "AM"), ("Karl-Heinz von B", "KH"), ("x", "X"),
            ("\u{1B}[31m", "31"), ("--", "?"), ("", "?"), ("日本", "日本"),
        ])
    func words(name: String, initials: String) {
        #expect(Author(name: name, at: .zero).initials == initials)
    }

    @Test("of many changed items the last thousand are known")
    func bounded() async {
        let driver = await Driver(items: Fixtures.items(1_500))
        let items = driver.state.items.values
        let authors = Dictionary(uniqueKeysWithValues: items.map { ($0.id, ben) })
        driver.store.send(.saving(.authorsKnown(authors, items: items)))
        #expect(driver.state.authors.author(of: items[0]) == nil)
        #expect(items.suffix(1_000).allSatisfy { driver.state.authors.author(of: $0) == ben })
        // Again, which counts for none of them twice.
        driver.store.send(.saving(.authorsKnown(authors, items: items)))
        #expect(items.suffix(1_000).allSatisfy { driver.state.authors.author(of: $0) == ben })
    }
}
