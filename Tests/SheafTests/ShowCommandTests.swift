import SheafList
import SheafTUI
import SheafTestSupport
import Testing

@testable import sheaf

/// The text that `sheaf show` prints.
@Suite("All of an item as text")
struct ShowCommandTests {
    private func text(_ item: Item) -> String {
        let moment = Moment(wall: Fixtures.now, monotonic: .now, calendar: .utc)
        return ShowCommand.text(of: item, tags: [Fixtures.fullTag], at: moment)
    }

    @Test("each field but the place in the list shows", arguments: Item.fields.map(\.name))
    func everyField(name: String) throws {
        let field = try #require(Item.fields.first { $0.name == name })
        var without = Fixtures.fullItem
        field.copy(from: Item(id: without.id), to: &without)
        let (full, rest) = (text(Fixtures.fullItem), text(without))
        #expect((full == rest) == (name == "rank"), "\(full)")
    }
}
