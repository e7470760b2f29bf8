import Foundation

/// Texts and bytes that would steer a terminal, or break it, if they reached one as they are.
package enum HostileText {
    /// Whole sequences that terminals obey: CSI, OSC, DCS, APC, PM, SOS, single ones, by ESC and by
    /// C1.
    package static let sequences = [
        "\u{1b}[2J", "\u{1b}[31;1mred", "\u{1b}[?1049l", "\u{1b}[6n", "\u{1b}[200~dd\u{1b}[201~",
        "\u{1b}]0;title\u{7}", "\u{1b}]52;c;ZXZpbA==\u{1b}\\", "\u{1b}]8;;http://x\u{1b}\\link",
        "\u{1b}P$qm\u{1b}\\", "\u{1b}_apc\u{1b}\\", "\u{1b}^pm\u{1b}\\", "\u{1b}Xsos\u{1b}\\",
        "\u{1b}c", "\u{1b}#8", "\u{1b}(0", "\u{1b}=", "\u{1b}7", "\u{1b}%@", "\u{1b}",
        "\u{9b}2J", "\u{9d}0;title\u{9c}", "\u{90}$qm\u{9c}", "\u{9f}apc\u{9c}", "\u{84}", "\u{85}",
        "a\rb", "a\u{8}\u{8}b", "one\ntwo", "one\r\ntwo", "\u{e}lines\u{f}", "a\tb", "\u{7f}",
        "\u{7}",
    ]

    /// Each C0 and C1 control character and DEL, with letters around it.
    package static let controls = (Array(UInt32(1)...0x1f) + Array(0x7f...0x9f)).compactMap {
        Unicode.Scalar($0).map { "a\($0)b" }
    }

    /// Each bidi control, and others that cannot be seen, with letters around it.
    package static let invisible = [
        0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
        0x202c,
        0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x206f, 0xfe0f, 0xfeff,
        0xfff9,
        0xfffa, 0xfffb, 0xad, 0x34f, 0x115f, 0x3164, 0xffa0, 0xe0001, 0xe0020, 0xe007f, 0xe0100,
    ].compactMap { Unicode.Scalar(UInt32($0)).map { "a\($0)b" } }

    /// All of them.
    package static let all = sequences + controls + invisible

    /// Bytes that are no UTF-8: lone continuations, overlong forms, surrogates, cut and impossible
    /// ones, C1 alone.
    package static let brokenBytes: [[UInt8]] = [
        [0x80], [0xbf], [0x9b, 0x32, 0x4a], [0x9d, 0x30, 0x3b, 0x74, 0x9c], [0xc0, 0x9b],
        [0xc1, 0xbf],
        [0xe0, 0x80, 0x9b], [0xf0, 0x80, 0x80, 0x9b], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
        [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98],
        [0xf4, 0x90, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe], [0xff], [0xc3, 0x1b, 0x5b, 0x32, 0x4a],
        [0xe2, 0x1b, 0x63],
    ]

    /// Whether a terminal that is sent `scalar` may do anything but draw it.
    ///
    /// Judged by the standard library's tables and by name, not by the program's own.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
