import Geometry

/// A mouse event at a cell of the terminal.
///
/// The modifiers are those of the ``Key`` that carries the event. Terminals reserve Shift: dragging
/// with Shift selects text even while the program requests mouse reports.
package struct MouseEvent: Hashable, Sendable {
    package enum Button: Hashable, Sendable {
        case left, middle, right
    }

    package enum Kind: Hashable, Sendable {
        case pressed(Button)
        /// The pointer moved to another cell with the button down.
        case dragged(Button)
        case released(Button)
        /// One step of the wheel.
        case wheelUp, wheelDown
    }

    package var kind: Kind
    /// The cell of the event, which may lie outside the screen.
    package var position: Point

    package init(_ kind: Kind, at position: Point) {
        self.kind = kind
        self.position = position
    }
}

extension Key {
    /// Decodes a mouse report in SGR form (1006): `CSI < button ; column ; row M`, with `m` for a
    /// release. Returns `nil` for unsupported events: moves without a button, further buttons,
    /// horizontal wheel steps, and numbers that no terminal sends.
    ///
    /// Source: xterm's ctlseqs.txt, "Extended coordinates".
    init?(sgrMouse parameters: [UInt8], final: UInt8) {
        let fields = parameters.dropFirst().split(separator: 0x3b, omittingEmptySubsequences: false)
        let numbers = fields.compactMap(Self.mouseNumber)
        guard parameters.first == 0x3c, fields.count == 3, numbers.count == 3,
            numbers[1] >= 1, numbers[2] >= 1,
            let kind = MouseEvent.Kind(sgr: numbers[0], isRelease: final == 0x6d)
        else {
            return nil
        }
        let bits: [(Int, Modifiers)] = [(4, .shift), (8, .alt), (16, .control)]
        let modifiers = bits.filter { numbers[0] & $0.0 != 0 }.map(\.1)
        let position = Point(x: numbers[1] - 1, y: numbers[2] - 1)
        self.init(.mouse(MouseEvent(kind, at: position)), Modifiers(modifiers))
    }

    /// Decodes a number of a mouse report. Terminals count their cells in 16 bits.
    private static func mouseNumber(_ digits: ArraySlice<UInt8>) -> Int? {
        guard 1...5 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension MouseEvent.Kind {
    /// - Parameter number: the button in bits 0, 1, 6 and 7, the modifiers in bits 2 to 4, and in
    ///   bit 5 whether the pointer moved.
    fileprivate init?(sgr number: Int, isRelease: Bool) {
        let buttons: [MouseEvent.Button] = [.left, .middle, .right]
        let button = number & ~0b11_1100
        switch (button, isMoved: number & 32 != 0, isRelease) {
        case (0..<3, _, true): self = .released(buttons[button])
        case (0..<3, true, false): self = .dragged(buttons[button])
        case (0..<3, false, false): self = .pressed(buttons[button])
        case (64, false, false): self = .wheelUp
        case (65, false, false): self = .wheelDown
        default: return nil
        }
    }
}
