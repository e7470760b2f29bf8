import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

@MainActor
@Suite("Keys that undo")
struct KeyUndoTests {
    @Test("an alert stays when a line opens")
    func alertAndMode() async {
        let driver = await Driver.lettered()
        driver.type("m a Esc")
        var status = driver.state.saving
        status.refused = [.init(id: AnyID(Fixtures.id(1)), reason: "no")]
        driver.store.send(.saving(.statusChanged(status)))
        driver.type("a")
        #expect(driver.state.ui.toast?.isAlert == true)
    }
}
