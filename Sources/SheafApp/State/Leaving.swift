/// The progress of quitting or suspending the program. Only ``LeavingAction`` changes it.
package enum Leaving: Hashable, Sendable {
    case staying
    /// The program waits for a flush before it ends, and the user can continue to work. If the user
    /// asked to quit, any key cancels the request. A signal cannot be cancelled, but edits made
    /// after it are saved too.
    case saving(LeaveReason)
    /// The program waits for a flush before it returns the terminal to the shell. Any key cancels
    /// the request.
    case suspending
    /// A change could not be saved, and the program asks the user how to proceed. It does not ask
    /// after a signal. If an attempt to keep the changes for the next start failed,
    /// `keepingFailure` is the reason. `mayBeSaved` is true if the reply to their commit was lost.
    case asking(keepingFailure: String?, mayBeSaved: Bool)
    /// The program is keeping the unsaved changes for the next start.
    case keeping(LeaveReason, KeepAttempt)
    /// Nothing remains to be done except to end the process.
    case ended(Exit)

    /// The way in which the process ends, once that is decided.
    package var exit: Exit? {
        if case .ended(let exit) = self { exit } else { nil }
    }

    package var isAsking: Bool {
        if case .asking = self { true } else { false }
    }
}

/// The reason why the program ends.
package enum LeaveReason: Hashable, Sendable {
    case quit
    /// SIGTERM, SIGHUP, SIGINT or SIGQUIT, or a disconnected terminal: the program cannot ask the
    /// user.
    case signalled(Int32)
}

/// One attempt to keep unsaved changes for the next start.
package struct KeepAttempt: Hashable, Sendable {
    let number: Int
    private let changes: Int
    private let batches: Int
    private let adoptions: Int

    /// Creates attempt `number`, to keep the changes that are unsaved in `status`.
    init(_ number: Int, of status: PersistenceStatus) {
        self.number = number
        changes = status.counters.changes
        batches = status.counters.batches
        adoptions = status.counters.adoptions
    }

    /// Returns true if the unsaved changes in `status` are those of the attempt: since then, no
    /// entity was changed, saved, or merged with changes of other processes.
    func isCurrent(in status: PersistenceStatus) -> Bool {
        self == KeepAttempt(number, of: status)
    }
}

/// The way in which the process ends.
package struct Exit: Hashable, Sendable {
    package let status: Int32
    /// The message for stderr, or nil.
    package let message: String?
    package let unsavedChanges: UnsavedChanges

    /// The fate of the unsaved changes.
    package enum UnsavedChanges: Hashable, Sendable {
        /// There are none, or the user has discarded them.
        case none
        /// They stay in the intent log for the next start.
        case kept
    }
}

extension AppState {
    /// The question about unsaved changes, while it is asked.
    package var leavingQuestion: String? {
        guard case .asking(let keepingFailure, let mayBeSaved) = leaving else { return nil }
        // The current reason, as in the status beside the question: it can change while the
        // question is open.
        let reason = keepingFailure.map { "cannot be kept: \($0)" } ?? saving.reasonNotSaved
        let because = reason.map { " (\($0))" } ?? ""
        let changes =
            mayBeSaved
            ? "\(saving.uncommitted.allChanges) that may have been saved"
            : saving.uncommitted.changes
        return "Quit with \(changes)?\(because)"
    }
}

extension Int {
    /// The number with its noun: `1 unsaved change`, `2 unsaved changes`.
    var changes: String {
        self == 1 ? "1 unsaved change" : "\(grouped) unsaved changes"
    }

    /// The number with its noun if some of the changes may have been saved: `1 change`.
    var allChanges: String { self == 1 ? "1 change" : "\(grouped) changes" }
}
