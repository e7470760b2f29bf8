import FoundationEssentials

/// What reducers and their effects need of the world: clock, ids, storage, terminal. Tests bring
/// their own.
public struct AppEnvironment: Sendable {
    public var now: @Sendable () -> Timestamp
    public var makeID: @Sendable () -> UUID
    /// Waits; throws when the effect that waits is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    public var storage: any ListStorage
    public var terminal: any TerminalControl
    /// Keeps what is shown for the next start.
    public var remember: @Sendable (RememberedView) -> Void = { _ in }
    /// Writes all that is pending and returns when it is committed or has failed. ``AppStore`` sets
    /// it to its own pipeline's flush.
    public internal(set) var saveNow: @MainActor @Sendable () async -> Void = {}
    /// Writes changes that storage does not take to a file elsewhere, in the place of what it wrote
    /// there before, and returns its path. Throws an error whose description tells the user why it
    /// could not.
    public var rescue: @Sendable (StorageChanges) throws -> String = { _ in throw NoRescue() }
    /// Takes away what ``rescue`` wrote.
    public var withdrawRescue: @Sendable () -> Void = {}
    /// What is not committed. ``AppStore`` sets it.
    public internal(set) var uncommitted: @MainActor @Sendable () -> StorageChanges = {
        StorageChanges()
    }
    /// Whether nothing was typed since the wish to quit. ``AppStore`` sets it.
    public internal(set) var mayLeave: @MainActor @Sendable (SessionAction.Leave) -> Bool = { _ in
        true
    }
    /// Ends the intent log, which keeps what is not committed if it is told to.
    public internal(set) var closeLog: @MainActor @Sendable (_ keepsRest: Bool) -> Void = { _ in }

    public init(
        now: @escaping @Sendable () -> Timestamp,
        makeID: @escaping @Sendable () -> UUID,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        storage: any ListStorage,
        terminal: any TerminalControl
    ) {
        self.now = now
        self.makeID = makeID
        self.sleep = sleep
        self.storage = storage
        self.terminal = terminal
    }

    /// The real clock and random ids.
    public static func live(
        storage: any ListStorage, terminal: any TerminalControl
    ) -> AppEnvironment {
        AppEnvironment(
            now: { Timestamp.now },
            makeID: { UUID.random() },
            sleep: { try await Task.sleep(for: $0) },
            storage: storage,
            terminal: terminal)
    }
}

/// There is nowhere to rescue changes to.
private struct NoRescue: Error, CustomStringConvertible {
    var description: String { "there is no folder for a rescue file" }
}

/// What an effect may ask of the terminal that the program runs in.
@MainActor
public protocol TerminalControl: Sendable {
    /// Opens `text` in the user's editor and returns what was saved. Throws an error whose
    /// description tells the user why there was no editor.
    func edit(_ text: String) async throws -> String
    /// Gives the terminal back to the shell until the process is continued.
    func suspend() async
    /// Draws everything anew, whatever the terminal shows.
    func redraw()
    /// Restores the terminal and ends the process with `status`, after `message`, where there is
    /// one, on stderr.
    func leave(status: Int32, message: String?)
}

extension Timestamp {
    /// The wall clock's time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
