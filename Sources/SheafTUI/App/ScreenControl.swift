import Dispatch
import Glibc
import SheafApp
import Terminal

/// Control of the real terminal, for effects.
@MainActor
package final class ScreenControl: TerminalControl {
    private var screen: (any Screen)?
    private var input: TerminalInput?
    private var refresh: @MainActor () -> Void = {}

    /// The editor that has the terminal while the user edits a note.
    private var editor: ExternalEditor?
    private var editWaiters: [CheckedContinuation<Void, Never>] = []
    private var isSuspended = false
    /// A Boolean value that indicates whether a signal has asked the process to end, so that it
    /// does not reopen the terminal.
    var isEnding = false

    /// A Boolean value that indicates whether an editor has the terminal.
    var isEditing: Bool { editor != nil }

    /// A Boolean value that indicates whether another program has the terminal, so that this one
    /// must not draw.
    var isTerminalLent: Bool { isEditing || isSuspended }

    package init() {}

    /// Connects the control to the screen and its input. `refresh` reads the size again and draws.
    func attach(
        screen: any Screen, input: TerminalInput, refresh: @escaping @MainActor () -> Void
    ) {
        self.screen = screen
        self.input = input
        self.refresh = refresh
    }

    package func edit(
        _ text: String, _ completion: @MainActor @Sendable (Result<String, any Error>) -> Void
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
        completion(result)
        input?.start()
        refresh()
        for continuation in editWaiters { continuation.resume() }
        editWaiters = []
    }

    /// Ends the editor, if there is one, and returns when its saved text has been applied.
    func endEditing() async {
        guard let editor else { return }
        editor.interrupt()
        await withCheckedContinuation { editWaiters.append($0) }
    }

    package func suspend() async {
        // The stop signal was for the editor, which has the terminal again when both processes
        // continue.
        if isEditing { return stop(getpid()) }
        isSuspended = true
        input?.pause()
        screen?.suspend()
        repeat {
            // The whole process group stops, as the shell expects. A group without a shell does not
            // stop at all.
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

    package func copy(_ text: String) -> ClipboardAnswer {
        switch screen?.copy(text) {
        case .sent: .sent
        case .tooLong: .tooLong
        case .unsupported, nil: .unsupported
        }
    }

    /// A Boolean value that indicates whether the shell has the terminal. False if there is no
    /// terminal any more.
    private var isInBackground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group > 0 && group != getpgrp()
    }

    /// Waits, so that the main queue can handle signals.
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

    /// Redraws after the process continues from a stop that it did not request, because the
    /// terminal may then show anything.
    func handleContinue() {
        guard !isTerminalLent else { return }
        screen?.suspend()
        screen?.resume()
        refresh()
    }

    package func redraw() {
        screen?.redraw()
        refresh()
    }

    /// Restores the terminal and ends the process, with the message of `end` on standard error.
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
