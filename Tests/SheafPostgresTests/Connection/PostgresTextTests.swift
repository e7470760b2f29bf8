import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("Texts as PostgreSQL stores them")
struct PostgresTextTests {
    private func decoded(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer { String(postgresText: $0) }
    }

    @Test(
        "every text comes back, and none has U+0000",
        arguments: [
            "", "plain", "\0", "a\0b", "\0\0", "\u{E000}", "\u{E000}0", "\u{E000}\0",
            "\0\u{E000}", "\u{E000}\u{E000}0", "\u{E001}", "\u{D7FF}\u{F8FF}", "é\u{301}\0",
            "👩‍👩‍👧\u{E000}x", "\u{E000}\u{301}",
        ])
    func roundTrip(_ text: String) {
        let encoded = text.postgresText
        #expect(!encoded.utf8.contains(0))
        #expect(Array(decoded(encoded).utf8) == Array(text.utf8))
    }

    @Test("two texts are never stored as one")
    func distinct() {
        let letters = ["\0", "\u{E000}", "0", "a"]
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in letters.map { text + $0 } } }
        let different = Set(texts.map { Array($0.utf8) })
        #expect(
            Set(
                different.map {
                    Array(String(decoding: $0, as: UTF8.self).postgresText.utf8)
                }
            ).count == different.count)
    }

    @Test("a text without either is stored as it is")
    func plain() {
        for text in ["milk", "日本", "\u{EE80}", "\u{E07F}"] {
            #expect(text.postgresText == text)
        }
    }

    @Test("what was cut within an escape is still a text")
    func cut() {
        #expect(decoded("a\u{E000}") == "a")
        #expect(decoded("a\u{E000}b") == "ab")
    }
}
