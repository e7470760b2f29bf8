import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

@MainActor
@Suite("Marks")
struct KeyMarkTests {
    @Test("the marked items of a list that can only be read are copied, once")
    func readOnly() async {
        let driver = await Driver(
            items: Fixtures.items(["a", "b"]), readOnlyReason: "The file is not writable.")
        driver.type("^A x y")
        await driver.store.settled()
        #expect(driver.terminal.copied.count == 1)
    }
}
