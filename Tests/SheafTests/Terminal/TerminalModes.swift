/// The modes of a terminal of xterm's kind after the bytes it received.
struct TerminalModes: Equatable, CustomStringConvertible {
    /// The private modes that are set: 7 wraps lines, 25 is a visible cursor, 1049 the alternate
    /// screen, 2004 bracketed paste, 1 the cursor keys of applications, 1002 and 1006 the mouse.
    private(set) var privateModes: Set<Int> = [7, 25]
    /// Whether the keypad sends sequences of its own.
    private(set) var isKeypadForApplications = false
    /// Whether text is drawn in other than the terminal's own colours and looks.
    private(set) var isStyled = false
    /// Whether letters are drawn as lines.
    private(set) var isLineDrawing = false

    /// As a terminal is at first.
    init() {}

    /// As `bytes` leave a terminal.
    init(after bytes: [UInt8]) {
        var rest = bytes[...]
        while let escape = rest.firstIndex(of: 0x1b) {
            rest = rest[(escape + 1)...]
            guard let kind = rest.popFirst() else { return }
            switch kind {
            case 0x3d: isKeypadForApplications = true
            case 0x3e: isKeypadForApplications = false
            case 0x28: isLineDrawing = rest.popFirst() == 0x30
            case 0x5b:
                let parameters = rest.prefix { 0x20..<0x40 ~= $0 }
                rest = rest.dropFirst(parameters.count)
                guard let final = rest.popFirst() else { return }
                take(String(decoding: parameters, as: UTF8.self), final: final)
            default: break
            }
        }
    }

    private mutating func take(_ parameters: String, final: UInt8) {
        switch final {
        case 0x68 where parameters.hasPrefix("?"): privateModes.formUnion(numbers(parameters))
        case 0x6c where parameters.hasPrefix("?"): privateModes.subtract(numbers(parameters))
        case 0x6d: isStyled = numbers(parameters).contains { ![0, 39, 49].contains($0) }
        default: break
        }
    }

    private func numbers(_ parameters: String) -> [Int] {
        parameters.split { !$0.isNumber }.compactMap { Int($0) }.filter { $0 != 12 }
    }

    var description: String {
        "\(privateModes.sorted()), keypad \(isKeypadForApplications), styled \(isStyled), "
            + "lines \(isLineDrawing)"
    }
}
