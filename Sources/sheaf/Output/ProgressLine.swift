import Dispatch
import Glibc
import Synchronization
import Terminal

/// One line on standard error that says how far something long has come: on a terminal only, not
/// before it has taken 0.3 seconds, at most five times a second, and gone in the end.
final class ProgressLine: Sendable {
    /// The line is drawn on a thread of its own, because the one that works may stand still.
    private nonisolated(unsafe) let timer: (any DispatchSourceTimer)?
    private let line = Line()

    /// - Throws: ``CommandFailure`` if its thread cannot be started.
    init() throws {
        guard isatty(STDERR_FILENO) == 1 else {
            timer = nil
            return
        }
        try SystemLimits.checkThreads()
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 0.3, repeating: 0.2)
        timer.setEventHandler { [line] in line.draw() }
        timer.activate()
        self.timer = timer
    }

    deinit {
        timer?.cancel()
    }

    /// Shows the present phase, such as `writing 100,000 items`.
    func show(_ phase: @autoclosure () -> String) {
        if timer != nil { line.set(phase()) }
    }

    /// Takes the line away. Nothing is drawn afterwards.
    func finish() {
        timer?.cancel()
        line.finish()
    }
}

/// The text on the terminal, and the text to show.
private final class Line: Sendable {
    private struct State {
        var phase = ""
        var shown = ""
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Back to the first column, and erase to the end of the line.
    private static let erasing = "\r\u{1B}[K"

    func set(_ phase: String) {
        state.withLock { $0.phase = phase }
    }

    func draw() {
        state.withLock { state in
            guard !state.isFinished, state.phase != state.shown else { return }
            StandardError.write(Self.erasing + DisplayText.sanitized(state.phase) + "…")
            state.shown = state.phase
        }
    }

    func finish() {
        state.withLock { state in
            if !state.shown.isEmpty { StandardError.write(Self.erasing) }
            state.shown = ""
            state.isFinished = true
        }
    }
}
