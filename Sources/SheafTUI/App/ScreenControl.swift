import Dispatch
import Glibc
import SheafApp
import Terminal

/// The implementation of terminal effects for a real terminal.
@MainActor
public final class ScreenControl: TerminalControl {
    private var screen: (any Screen)?
    private var input: TerminalInput?
    private var refresh: @MainActor () -> Void = {}

    /// The program that uses the terminal while a note is edited.
    private var editor: ExternalEditor?
    private var whenEdited: [CheckedContinuation<Void, Never>] = []
    private var isSuspended = false
    /// Whether a signal has asked the process to end, so that it does not take the terminal again.
    var isEnding = false

    /// Whether an editor has the terminal.
    var isEditing: Bool { editor != nil }

    /// Whether something else has the terminal, so that nothing may be drawn.
    var isAway: Bool { isEditing || isSuspended }

    public init() {}

    /// Attaches the screen and its input. `refresh` reads the size again and draws.
    func attach(
        screen: any Screen, input: TerminalInput, refresh: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.input = input
        self.refresh = refresh
    }

    public func edit(
        _ text: String, _ take: @MainActor @Sendable (Result<String, any Error>) -> Void
    ) async {
        let editor = ExternalEditor()
        self.editor = editor
        input?.pause()
        screen?.suspend()
        let result: Result<String, any Error>
        do {
            result = .success(try await editor.edit(text))
        } catch {
            result = .failure(error)
        }
        self.editor = nil
        screen?.resume()
        take(result)
        input?.start()
        refresh()
        for continuation in whenEdited { continuation.resume() }
        whenEdited = []
    }

    /// Ends the editor, if there is one, and returns when its saved text is in the state.
    func endEditing() async {
        guard let editor else { return }
        editor.interrupt()
        await withCheckedContinuation { whenEdited.append($0) }
    }

    public func suspend() async {
        // The editor was stopped, and has the terminal again when both go on.
        if isEditing { return stop(getpid()) }
        isSuspended = true
        input?.pause()
        screen?.suspend()
        repeat {
            // The whole group stops, as the shell expects; a group without a shell does not stop at
            // all.
            stop(0)
            // The shell's kill sends SIGCONT after SIGTERM. If the process took the terminal in the
            // background, the system would stop it before the main queue handles SIGTERM.
            if isInBackground { await Self.pause() }
            if isEnding { return }
        } while isInBackground
        isSuspended = false
        screen?.resume()
        input?.start()
        refresh()
    }

    public func copy(_ text: String) -> ClipboardAnswer {
        switch screen?.copy(text) {
        case .sent: .sent
        case .tooLong: .tooLong
        case .unsupported, nil: .unsupported
        }
    }

    /// Whether the shell has the terminal; false if there is none any longer.
    private var isInBackground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group > 0 && group != getpgrp()
    }

    /// Lets the main queue handle signals.
    private static func pause() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) {
                continuation.resume()
            }
        }
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

    /// Restores the terminal and ends the process, with its message on stderr.
    func leave(_ end: Exit) -> Never {
        input?.pause()
        screen?.end()
        if let message = end.message {
            StandardError.write("sheaf: \(DisplayText.sanitized(message))\n")
        }
        if let path = editor?.path {
            StandardError.write("sheaf: the edited note is in \(path)\n")
        }
        exit(end.status)
    }
}
