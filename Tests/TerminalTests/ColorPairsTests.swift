import Glibc
import Testing

@testable import Terminal

@Suite struct ColorPairsTests {
    private let grey = Style(foreground: .palette(8), background: .palette(196))

    /// WCAG 2.2, "relative luminance".
    private func luminance(of color: Color) throws -> Double {
        let (red, green, blue) = try #require(color.components)
        let linear = [red, green, blue].map { value in
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    @Test("the named colours and grey have a contrast of 3 : 1 with black and with white")
    func contrast() throws {
        for color in [Color.red, .green, .yellow, .blue, .magenta, .cyan, .grey] {
            let luminance = try luminance(of: color)
            #expect((luminance + 0.05) / 0.05 >= 3, "\(color) on black")
            #expect(1.05 / (luminance + 0.05) >= 3, "\(color) on white")
        }
    }

    @Test("the named colors keep a contrast of 3 : 1 on a selected row")
    func contrastOnTint() throws {
        let tint = try luminance(of: .tint)
        for color in [Color.red, .green, .yellow, .blue, .magenta, .cyan] {
            let letters = try luminance(of: #require(color.onTint))
            #expect((letters + 0.05) / (tint + 0.05) >= 3, "\(color)")
        }
        #expect(Color.standard.onTint == nil)
        // Where the tint is only the nearest gray, a color might not be seen on it.
        let style = Style(foreground: .palette(203), background: .tint)
        var sixteen = ColorPairs(colors: 16, hasDefault: true, capacity: 64)
        #expect(sixteen.pair(for: style).new == .init(number: 1, foreground: 15, background: 8))
    }

    @Test("a terminal of 16 or 8 colours shows its own of the same name")
    func names() {
        let names: [(Color, Int)] = [
            (.red, 1), (.green, 2), (.yellow, 3), (.blue, 4), (.magenta, 5), (.cyan, 6),
        ]
        for (color, number) in names {
            for colors in [8, 16] {
                var pairs = ColorPairs(colors: colors, hasDefault: true, capacity: 64)
                let pair = pairs.pair(for: Style(foreground: color))
                #expect(pair.new?.foreground == number && pair.attributes.isEmpty, "\(color)")
            }
        }
    }

    @Test("dim is grey among 256 colours, and an attribute among fewer")
    func dim() {
        var many = ColorPairs(colors: 256, hasDefault: true, capacity: 64)
        let grey = many.pair(for: Style(attributes: [.dim, .bold]))
        #expect(grey.new?.foreground == 244 && grey.attributes == .bold)
        var few = ColorPairs(colors: 16, hasDefault: true, capacity: 64)
        #expect(few.pair(for: Style(attributes: .dim)) == (0, .dim, nil))
    }

    @Test("as parameters of ECMA-48, for as many colours as there are")
    func rendition() {
        let style = Style(foreground: .yellow, attributes: [.bold, .underline])
        #expect(style.graphicRendition(colors: 256) == "1;4;38;5;136")
        #expect(style.graphicRendition(colors: 8) == "1;4;33")
        #expect(style.graphicRendition(colors: 0) == "1;4")
        #expect(Style.standard.graphicRendition(colors: 256) == nil)
        #expect(Style(foreground: .palette(12)).graphicRendition(colors: 16) == "94")
        #expect(Style(attributes: .dim).graphicRendition(colors: 256) == "38;5;244")
    }

    @Test("a pair is defined once, and the standard colours need none")
    func once() {
        var pairs = ColorPairs(colors: 256, hasDefault: true, capacity: 64)
        #expect(pairs.pair(for: Style(attributes: .bold)).number == 0)
        let first = pairs.pair(for: grey)
        #expect(first.new == .init(number: 1, foreground: 8, background: 196))
        let again = pairs.pair(for: grey)
        #expect(again.number == 1)
        #expect(again.new == nil)
        let other = pairs.pair(for: Style(foreground: .palette(4)))
        #expect(other.new == .init(number: 2, foreground: 4, background: -1))
    }

    @Test("fewer colours give the nearest, bright letters in bold")
    func fewer() {
        let bright = Style(foreground: .palette(196))
        var sixteen = ColorPairs(colors: 16, hasDefault: true, capacity: 64)
        #expect(sixteen.pair(for: bright).new == .init(number: 1, foreground: 9, background: -1))
        #expect(sixteen.pair(for: grey).new == .init(number: 2, foreground: 15, background: 9))
        var eight = ColorPairs(colors: 8, hasDefault: true, capacity: 64)
        let result = eight.pair(for: bright)
        #expect(result.new == .init(number: 1, foreground: 1, background: -1))
        #expect(result.attributes == .bold)
        #expect(eight.pair(for: grey).new == .init(number: 2, foreground: 7, background: 1))
    }

    @Test("without colours, or with NO_COLOR, attributes are left")
    func none() {
        var pairs = ColorPairs(colors: 0, hasDefault: false, capacity: 0)
        let result = pairs.pair(for: Style(foreground: .palette(4), attributes: .underline))
        #expect(result.number == 0)
        #expect(result.attributes == .underline)
        #expect(result.new == nil)
    }

    @Test("a background that a terminal cannot show is told by reversing")
    func lostBackground() {
        let tint = Style(foreground: .palette(231), background: .palette(238))
        var sixteen = ColorPairs(colors: 16, hasDefault: true, capacity: 64)
        #expect(sixteen.pair(for: tint).new == .init(number: 1, foreground: 15, background: 8))
        for colors in [0, 8] {
            var pairs = ColorPairs(colors: colors, hasDefault: true, capacity: 64)
            #expect(pairs.pair(for: tint) == (0, .reverse, nil))
        }
    }

    @Test("a terminal without colours of its own gets white on black")
    func noDefault() {
        var pairs = ColorPairs(colors: 8, hasDefault: false, capacity: 64)
        let definition = pairs.pair(for: Style(foreground: .palette(4))).new
        #expect(definition == .init(number: 1, foreground: 4, background: 0))
    }

    @Test("when the pairs run out, cells stay standard")
    func exhausted() {
        var pairs = ColorPairs(colors: 256, hasDefault: true, capacity: 2)
        #expect(pairs.pair(for: Style(foreground: .palette(1))).number == 1)
        #expect(pairs.pair(for: Style(foreground: .palette(4))).number == 0)
        #expect(pairs.pair(for: Style(foreground: .palette(1))).number == 1)
    }
}
