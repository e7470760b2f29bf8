/// How far the program is on its way to its end. Only ``LeavingReducer`` changes it.
public enum Leaving: Hashable, Sendable {
    case staying
    /// A flush is waited for. The user goes on meanwhile: any key takes a wish to quit back, and
    /// what is typed after a signal is saved too.
    case saving(Leave)
    /// A flush is waited for before the terminal is given to the shell. Any key takes that back.
    case suspending
    /// Something could not be saved, and a person is asked what to do. After a signal nobody is.
    /// `keepingFailure` says why it could not be kept for the next start, if that was tried, and
    /// `mayBeSaved` that the answer of its commit was lost.
    case asking(keepingFailure: String?, mayBeSaved: Bool)
    /// What is not saved is being kept for the next start.
    case keeping(Leave, Keeping)
    /// Nothing is done any more but to end the process.
    case ended(Exit)

    /// How the process ends, once that is decided.
    public var exit: Exit? {
        if case .ended(let exit) = self { exit } else { nil }
    }

    public var isAsking: Bool {
        if case .asking = self { true } else { false }
    }
}

/// Why the program ends.
public enum Leave: Hashable, Sendable {
    case quit
    /// SIGTERM, SIGHUP, SIGINT or SIGQUIT, or a terminal that went away: no one is there to answer
    /// a question.
    case signalled(Int32)
}

/// One attempt to keep what is not saved.
public struct Keeping: Hashable, Sendable {
    let number: Int
    private let changes: Int
    private let batches: Int
    private let adoptions: Int

    /// The attempt with `number`, at what `status` counts as not saved.
    init(_ number: Int, of status: PersistenceStatus) {
        self.number = number
        changes = status.counters.changes
        batches = status.counters.batches
        adoptions = status.counters.adoptions
    }

    /// Whether what is not saved is the same in `status`: nothing was changed since, nothing saved,
    /// and nothing merged with what others did.
    func isCurrent(in status: PersistenceStatus) -> Bool {
        self == Keeping(number, of: status)
    }
}

/// How the process ends.
public struct Exit: Hashable, Sendable {
    public let status: Int32
    /// What is said on stderr, or nil.
    public let message: String?
    public let rest: Rest

    /// What becomes of what is not saved.
    public enum Rest: Hashable, Sendable {
        /// There is nothing of it, or it is given up.
        case none
        /// It stays in the intent log, for the next start.
        case kept
    }
}

extension AppState {
    /// What is asked about changes that are not saved, while it is.
    public var leavingQuestion: String? {
        guard case .asking(let keepingFailure, let mayBeSaved) = leaving else { return nil }
        // The reason of now, as the status beside it has: it changes while the question stands.
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
