import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

@MainActor
@Suite("Keys about tags")
struct KeyTagTests {
    @Test("of marked items that are deleted elsewhere the picker shows what is left")
    func pickerOfDeleted() async {
        let tags = Fixtures.tags(["a", "b"])
        var items = Fixtures.items(["one", "two", "three"])
        items[1].tags = [tags[1].id]
        let driver = await Driver(tags: tags, items: items)
        driver.type("Space Space t 'b'")
        #expect(driver.text.contains("Tags of 2 items"))
        #expect(driver.text.contains("– ● b"))
        driver.store.send(.saving(.arrived(deleting: [items[0].id])))
        #expect(driver.text.contains("Tags of 1 item "))
        #expect(driver.text.contains("✓ ● b"))
        driver.type("Enter")
        #expect(driver.state.items[items[1].id]?.tags == [])
        #expect(driver.state.ui.toast?.text == "#b removed: “two”")
    }

    @Test("c gives a tag the next colour")
    func color() async {
        let driver = await Driver.readingList()
        driver.type("h j j r ^U 'read' Enter c")
        #expect(driver.state.tags.first?.color == .green)
    }
}
