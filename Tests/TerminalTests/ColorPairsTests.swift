import Testing

@testable import Terminal

@Suite struct ColorPairsTests {
    private let grey = Style(foreground: .palette(8), background: .palette(196))

    @Test("a pair is defined once, and the standard colours need none")
    func once() {
        var pairs = ColorPairs(colors: 256, hasDefault: true, capacity: 64)
        #expect(pairs.pair(for: Style(attributes: .bold)).number == 0)
        let first = pairs.pair(for: grey)
        #expect(first.new == .init(number: 1, foreground: 8, background: 196))
        let again = pairs.pair(for: grey)
        #expect(again.number == 1)
        #expect(again.new == nil)
        let other = pairs.pair(for: Style(foreground: .blue))
        #expect(other.new == .init(number: 2, foreground: 4, background: -1))
    }

    @Test("fewer colours give the nearest, bright letters in bold")
    func fewer() {
        var sixteen = ColorPairs(colors: 16, hasDefault: true, capacity: 64)
        #expect(sixteen.pair(for: grey).new == .init(number: 1, foreground: 8, background: 9))
        var eight = ColorPairs(colors: 8, hasDefault: true, capacity: 64)
        let result = eight.pair(for: grey)
        #expect(result.new == .init(number: 1, foreground: 0, background: 1))
        #expect(result.attributes == .bold)
    }

    @Test("without colours, or with NO_COLOR, attributes are left")
    func none() {
        var pairs = ColorPairs(colors: 0, hasDefault: false, capacity: 0)
        let result = pairs.pair(for: Style(foreground: .blue, attributes: .underline))
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
        let definition = pairs.pair(for: Style(foreground: .blue)).new
        #expect(definition == .init(number: 1, foreground: 4, background: 0))
    }

    @Test("when the pairs run out, cells stay standard")
    func exhausted() {
        var pairs = ColorPairs(colors: 256, hasDefault: true, capacity: 2)
        #expect(pairs.pair(for: Style(foreground: .red)).number == 1)
        #expect(pairs.pair(for: Style(foreground: .blue)).number == 0)
        #expect(pairs.pair(for: Style(foreground: .red)).number == 1)
    }
}
