import Foundation
import Testing

@testable import SheafTUI

@Suite("Guide")
struct GoldenGuideTests {
    @Test("the guide's tables of keys are those of the keymap")
    func keys() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Resources/guide/keys.md")
        let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        let begin = try #require(
            text.range(of: "<!-- keys: made from the keymap table by `make golden` -->\n"))
        let end = try #require(text.range(of: "<!-- end of keys -->"))
        let wanted = "\n\(Keymap.standard.markdown)\n\n"
        if ProcessInfo.processInfo.environment["SHEAF_RECORD"] != nil {
            let edited = text[..<begin.upperBound] + wanted + text[end.lowerBound...]
            try Data(edited.utf8).write(to: file)
        } else {
            #expect(
                text[begin.upperBound..<end.lowerBound] == wanted, "`make golden` writes it anew")
        }
    }
}
