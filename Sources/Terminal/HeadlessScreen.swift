/// A screen without a display, for tests. It records all frames, calls and settings.
@MainActor
public final class HeadlessScreen: Screen {
    /// The size that ``resize()`` finds; set it to simulate a change of the terminal's size.
    public var terminalSize: Size

    public private(set) var size: Size

    /// The last canvas shown, or nil before the first.
    public private(set) var canvas: Canvas?

    /// The number of frames shown.
    public private(set) var frames = 0

    /// The number of full redraws requested.
    public private(set) var redraws = 0

    /// A Boolean value that indicates whether the screen supports the mouse.
    public var hasMouse = true

    /// A Boolean value that indicates whether the screen reports the mouse.
    public private(set) var reportsMouse = false

    /// A Boolean value that indicates whether the screen accepts text for the clipboard.
    public var hasClipboard = true

    /// The texts that were copied to the clipboard, oldest first.
    public private(set) var copied: [String] = []

    /// The number of calls of ``bell()``.
    public private(set) var bells = 0

    /// The number of times that the screen was suspended.
    public private(set) var suspensions = 0

    /// A Boolean value that indicates whether the screen is suspended. A suspended screen shows no
    /// frames.
    public private(set) var isSuspended = false

    /// A Boolean value that indicates whether ``end()`` was called.
    public private(set) var hasEnded = false

    /// Creates a screen of `size` on a terminal of the same size.
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
