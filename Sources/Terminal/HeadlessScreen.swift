/// A screen without a display, for tests. It records all frames, calls and settings.
@MainActor
package final class HeadlessScreen: Screen {
    /// The size that ``resize()`` finds; set it to simulate a change of the terminal's size.
    package var terminalSize: Size

    package private(set) var size: Size

    /// The last canvas shown, or nil before the first.
    package private(set) var canvas: Canvas?

    /// The number of frames shown.
    package private(set) var frames = 0

    /// The number of full redraws requested.
    package private(set) var redraws = 0

    /// A Boolean value that indicates whether the screen supports the mouse.
    package var hasMouse = true

    /// A Boolean value that indicates whether the screen reports the mouse.
    package private(set) var reportsMouse = false

    /// A Boolean value that indicates whether the screen accepts text for the clipboard.
    package var hasClipboard = true

    /// The texts that were copied to the clipboard, oldest first.
    package private(set) var copied: [String] = []

    /// The number of calls of ``bell()``.
    package private(set) var bells = 0

    /// The number of times that the screen was suspended.
    package private(set) var suspensions = 0

    /// A Boolean value that indicates whether the screen is suspended. A suspended screen shows no
    /// frames.
    package private(set) var isSuspended = false

    /// A Boolean value that indicates whether ``end()`` was called.
    package private(set) var hasEnded = false

    /// Creates a screen of `size` on a terminal of the same size.
    package init(size: Size) {
        self.size = size
        terminalSize = size
    }

    package func present(_ canvas: Canvas) {
        guard !isSuspended, !hasEnded else { return }
        self.canvas = canvas
        frames += 1
    }

    package func resize() { size = terminalSize }

    package func redraw() { redraws += 1 }

    package func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        suspensions += 1
    }

    package func resume() {
        isSuspended = false
        resize()
    }

    package func setMouse(_ isOn: Bool) -> Bool {
        reportsMouse = isOn && hasMouse
        return reportsMouse
    }

    package func copy(_ text: String) -> Clipboard.Outcome {
        guard hasClipboard, !isSuspended, !hasEnded else { return .unsupported }
        guard Clipboard.sequence(for: text) != nil else { return .tooLong }
        copied.append(text)
        return .sent
    }

    package func bell() { bells += 1 }

    package func end() { hasEnded = true }
}
