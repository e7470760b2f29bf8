/// A screen without a display, for tests. It keeps its content.
@MainActor
public final class HeadlessScreen: Screen {
    /// The size that ``resize()`` finds; set it to simulate a change of the terminal's size.
    public var terminalSize: Size

    public private(set) var size: Size

    /// The last canvas shown, or nil before the first.
    public private(set) var canvas: Canvas?

    /// How many frames were shown.
    public private(set) var frames = 0

    /// How often a full redraw was requested.
    public private(set) var redraws = 0

    /// True if it has a mouse that it can report.
    public var hasMouse = true

    /// True if it reports the mouse.
    public private(set) var reportsMouse = false

    /// True if it accepts text for the clipboard.
    public var hasClipboard = true

    /// The texts that were put into the clipboard, the last one last.
    public private(set) var copied: [String] = []

    /// How often it rang.
    public private(set) var bells = 0

    /// How often the terminal was suspended.
    public private(set) var suspensions = 0

    /// True while it is suspended and shows nothing.
    public private(set) var isSuspended = false

    /// True if it has ended.
    public private(set) var hasEnded = false

    /// A screen of `size`, which the terminal has too.
    public init(size: Size) {
        self.size = size
        terminalSize = size
    }

    public func present(_ canvas: Canvas) {
        guard !isSuspended, !hasEnded else { return }
        self.canvas = canvas
        frames += 1
    }

    public func resize() { size = terminalSize }

    public func redraw() { redraws += 1 }

    public func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        suspensions += 1
    }

    public func resume() {
        isSuspended = false
        resize()
    }

    public func setMouse(_ isOn: Bool) -> Bool {
        reportsMouse = isOn && hasMouse
        return reportsMouse
    }

    public func copy(_ text: String) -> Clipboard.Outcome {
        guard hasClipboard, !isSuspended, !hasEnded else { return .unsupported }
        guard Clipboard.sequence(for: text) != nil else { return .tooLong }
        copied.append(text)
        return .sent
    }

    public func bell() { bells += 1 }

    public func end() { hasEnded = true }
}
