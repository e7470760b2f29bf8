import SheafCore
import Testing

@testable import SheafTUI

@MainActor
@Suite("Keys about tags")
struct KeyTagTests {
    @Test("c gives a tag the next colour")
    func color() async {
        let driver = await Driver.readingList()
        driver.type("h j j r ^U 'read' Enter c")
        #expect(driver.state.tags.first?.color == .green)
    }
}
