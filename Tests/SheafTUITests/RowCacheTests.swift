import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// `Driver.canvas` compares each frame with one that is drawn completely.
@MainActor
@Suite("Rows of the last frame")
struct RowCacheTests {
    @Test("whatever is typed, rows that are copied look as if they were drawn")
    func anyKeys() async {
        let driver = await Driver(
            tags: Fixtures.tags(["Garden", "Work"]),
            items: Fixtures.items((1...40).map { "item \($0) of many, żółty 漢字" }))
        let keys = [
            "j", "k", "3 j", "G", "g g", "x", "Space", "V j", "t 'g' Enter", "D 'fri' Enter", "! a",
            "r 'Milk' Enter", "a 'new' Enter", "d d", "u", "^R", "m p", "/ '1' Enter", "Esc", "H",
            "s n", "s m", "h j", "l", "o", "^D", "^U", "y p", "e", ": Esc", "g H",
        ]
        var random = SeededGenerator(seed: 7)
        _ = driver.canvas
        for _ in 0..<400 {
            driver.type(keys[Int.random(in: keys.indices, using: &random)])
            _ = driver.canvas
        }
    }
}
