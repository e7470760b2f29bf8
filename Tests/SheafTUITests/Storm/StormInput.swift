import SheafTestSupport
import Terminal

@testable import SheafTUI

/// Random input of a terminal: keys of the table, text, pastes, mouse reports, noise.
struct StormInput {
    /// The sequences of the table, as bytes, each with the contexts' own weight.
    private static let bindings: [[UInt8]] = Keymap.standard.bindings.flatMap { binding in
        binding.keys.map { labels in
            labels.flatMap { label in Key(label).map(bytes) ?? [] }
        }
    }

    private static let words = [
        "a", "e", "new", "日本語", "👩\u{200d}👩\u{200d}👧", "e\u{301}", "🇩🇪", "\u{301}", " ", "#tag",
        "swift", "한글",
    ]

    /// Weighted towards bytes that begin and end sequences.
    private static let special: [UInt8] = Array("\u{1b}\u{1b}[O]P;0129~MABu$<\u{7}\\".utf8)

    /// The bytes that xterm sends for `key`.
    static func bytes(of key: Key) -> [UInt8] {
        let modifier =
            1 + (key.modifiers.contains(.shift) ? 1 : 0) + (key.modifiers.contains(.alt) ? 2 : 0)
            + (key.modifiers.contains(.control) ? 4 : 0)
        func cursor(_ final: String) -> [UInt8] {
            Array((modifier == 1 ? "\u{1b}[\(final)" : "\u{1b}[1;\(modifier)\(final)").utf8)
        }
        func editing(_ number: Int) -> [UInt8] {
            Array((modifier == 1 ? "\u{1b}[\(number)~" : "\u{1b}[\(number);\(modifier)~").utf8)
        }
        let alt: [UInt8] = key.modifiers.contains(.alt) ? [0x1b] : []
        return switch key.code {
        case .character(let character) where key.modifiers.contains(.control):
            alt + character.utf8.map { $0 & 0x1f }
        case .character(let character): alt + Array(character.utf8)
        case .enter: alt + [0x0d]
        case .tab: alt + [0x09]
        case .escape: alt + [0x1b]
        case .backspace: alt + [0x7f]
        case .backTab: cursor("Z")
        case .up: cursor("A")
        case .down: cursor("B")
        case .right: cursor("C")
        case .left: cursor("D")
        case .home: cursor("H")
        case .end: cursor("F")
        case .insert: editing(2)
        case .delete: editing(3)
        case .pageUp: editing(5)
        case .pageDown: editing(6)
        case .function(let number): editing(10 + number)
        case .paste(let text): Array("\u{1b}[200~\(text)\u{1b}[201~".utf8)
        case .mouse, .oversizedPaste, .unterminatedPaste, .unknown: Array("\u{1b}[99x".utf8)
        }
    }

    /// The bytes of one step.
    static func next(using random: inout some RandomNumberGenerator) -> [UInt8] {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<48: bindings.randomElement(using: &random) ?? []
        case ..<57: [0x0d]
        case ..<65: gestures(using: &random)
        case ..<72: Array((words.randomElement(using: &random) ?? "").utf8)
        case ..<76: Array((HostileText.all.randomElement(using: &random) ?? "").utf8)
        case ..<79: HostileText.brokenBytes.randomElement(using: &random) ?? []
        case ..<86: bytes(of: Key(.paste(pasted(using: &random))))
        case ..<93: mouse(using: &random)
        default: noise(using: &random)
        }
    }

    private static func pasted(using random: inout some RandomNumberGenerator) -> String {
        let parts = words + HostileText.sequences + ["\n", "\r", "\r\n", "q", "dd"]
        return (0..<Int.random(in: 0..<6, using: &random))
            .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }

    /// Some presses, drags, releases and turns of the wheel, mostly on the screen.
    private static func gestures(using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
            let button = [0, 0, 32, 64, 65].randomElement(using: &random) ?? 0
            let x = Int.random(in: 1...70, using: &random)
            let y = Int.random(in: 1...16, using: &random)
            let final = button == 0 && Bool.random(using: &random) ? "m" : "M"
            return Array("\u{1b}[<\(button);\(x);\(y)\(final)".utf8)
        }
    }

    /// A report in one of the three ways: SGR, urxvt's, and X10's with its three bytes of any
    /// value.
    private static func mouse(using random: inout some RandomNumberGenerator) -> [UInt8] {
        let button = Int.random(in: 0..<100, using: &random)
        let x = Int.random(in: 0..<300, using: &random)
        let y = Int.random(in: 0..<300, using: &random)
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: Array("\u{1b}[<\(button);\(x);\(y)M".utf8)
        case 1: Array("\u{1b}[<\(button);\(x);\(y)m".utf8)
        case 2: Array("\u{1b}[\(button + 32);\(x);\(y)M".utf8)
        default:
            Array("\u{1b}[M".utf8)
                + (0..<3).map { _ in UInt8.random(in: 0x20...0xff, using: &random) }
        }
    }

    private static func noise(using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            Bool.random(using: &random)
                ? special[Int.random(in: 0..<special.count, using: &random)]
                : UInt8.random(in: 0...255, using: &random)
        }
    }
}
