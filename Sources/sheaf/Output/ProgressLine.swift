import Dispatch
import Glibc
import Synchronization
import Terminal

/// A line on standard error that shows the progress of a long operation. It appears only on a
/// terminal, after 0.3 seconds, is drawn at most five times a second, and is erased at the end.
final class ProgressLine: Sendable {
    /// The timer that draws the line on a separate thread, because the working thread may be
    /// blocked.
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

    /// Sets the current phase, such as `writing 100,000 items`.
    func show(_ phase: @autoclosure () -> String) {
        if timer != nil { line.set(phase()) }
    }

    /// Erases the line. It is not drawn afterwards.
    func finish() {
        timer?.cancel()
        line.finish()
    }
}

/// The visible text of the line, and the text to draw next.
private final class Line: Sendable {
    private struct State {
        var phase = ""
        var shown = ""
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The control sequence that moves to the first column and erases to the end of the line.
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
