import Foundation
import SheafCore
import Terminal

/// What effects ask of the terminal: the real one.
@MainActor
public final class ScreenControl: TerminalControl {
    private var screen: (any Screen)?
    private var input: TerminalInput?
    private var refresh: @MainActor () -> Void = {}

    /// Whether an editor has the terminal.
    private(set) var isEditing = false
    private var isSuspended = false

    /// Whether something else has the terminal, so that nothing may be drawn.
    var isAway: Bool { isEditing || isSuspended }

    public init() {}

    /// Gives the control what it controls; `refresh` takes the size anew and draws.
    func attach(
        screen: any Screen, input: TerminalInput, refresh: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.input = input
        self.refresh = refresh
    }

    public func edit(_ text: String) async throws -> String {
        isEditing = true
        input?.pause()
        screen?.suspend()
        defer {
            isEditing = false
            screen?.resume()
            input?.start()
            refresh()
        }
        return try await ExternalEditor().edit(text)
    }

    public func suspend() async {
        // The editor was stopped, and has the terminal again when both go on.
        if isEditing { return stop(getpid()) }
        isSuspended = true
        input?.pause()
        screen?.suspend()
        // The whole group stops, as the shell expects; a group without a shell does not stop at all.
        stop(0)
        isSuspended = false
        screen?.resume()
        input?.start()
        refresh()
    }

    private func stop(_ process: pid_t) {
        signal(SIGTSTP, SIG_DFL)
        kill(process, SIGTSTP)
        signal(SIGTSTP, SIG_IGN)
    }

    /// The process goes on after a stop that it did not ask for: the terminal may show anything.
    func continued() {
        guard !isAway else { return }
        screen?.suspend()
        screen?.resume()
        refresh()
    }

    public func redraw() {
        screen?.redraw()
        refresh()
    }

    public func leave(status: Int32, message: String?) {
        input?.pause()
        screen?.end()
        if let message {
            FileHandle.standardError.write(Data("sheaf: \(DisplayText.sanitized(message))\n".utf8))
        }
        exit(status)
    }
}
