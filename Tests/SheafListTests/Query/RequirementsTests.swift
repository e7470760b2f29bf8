import SheafTestSupport
import Testing

@testable import SheafList

/// The tags and the priority that all matches of a query have.
@Suite("Requirements of a query")
struct RequirementsTests {
    private let tags = Fixtures.tags(["+House", "+House/Bath", "book", "@phone"])

    private func required(_ search: ItemSearch) -> [String] {
        tags.filter { search.requiredTags.contains($0.id) }.map(\.name)
            + [search.requiredPriority.map { "\($0)" }].compactMap(\.self)
    }

    @Test(
        "AND joins them, OR leaves those of both sides, NOT has none",
        arguments: [
            ("", []), ("roof", []), ("book", []), ("#book", ["book"]), ("#phone", ["@phone"]),
            ("#book @phone", ["book", "@phone"]), ("roof #book priority:A", ["book", "A"]),
            ("#book OR @phone", []), ("#book @phone OR #book", ["book"]),
            ("#book (@phone OR +house)", ["book"]),
            ("(#book @phone) OR (@phone #book)", ["book", "@phone"]),
            ("-#book", []), ("NOT #book @phone", ["@phone"]), ("NOT (#book @phone)", []),
            ("priority:A", ["A"]), ("priority:A..B", []), ("priority:none", []),
            ("priority:A priority:B", []), ("priority:A OR priority:A", ["A"]),
            ("priority:A OR priority:B", []), ("priority:A OR #book", []),
            ("#house/", []), ("#house/bath/", ["+House/Bath"]),
            ("is:open is:untagged due:today", []), ("#book OR roof", []),
        ])
    func queries(text: String, required: [String]) throws {
        let search = try ItemSearch(
            Query(text), tags: tags, now: Fixtures.now, calendar: .utc)
        #expect(self.required(search) == required)
    }

    @Test("a saved view requires its tag too")
    func views() throws {
        var view = Fixtures.view(1, "v", query: "@phone priority:B", choice: .tag(tags[2].id))
        view.hidesDone = true
        func search() throws -> ItemSearch {
            try view.search(tags: tags, now: Fixtures.now, calendar: .utc)
        }
        #expect(try required(search()) == ["book", "@phone", "B"])
        view.query = "@phone OR roof"
        #expect(try required(search()) == ["book"])
    }
}
