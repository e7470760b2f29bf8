import FoundationEssentials
import SheafList

/// What reducers and their effects need of the world: clock, ids, storage, terminal. Tests bring
/// their own.
public struct AppEnvironment: Sendable {
    public var now: @Sendable () -> Timestamp
    public var makeID: @Sendable () -> UUID
    /// Waits; throws when the effect that waits is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    public var storage: any ListStorage
    public var terminal: any TerminalControl
    /// Where the user's days begin.
    public var calendar = LocalCalendar.system
    /// Up to so many items are searched at once, which takes a millisecond at most; more of them
    /// on other threads.
    public var mostSearchedAtOnce = AppEnvironment.mostOfShortList
    /// The most items of a list that is short: what takes O(n) is done at once.
    static let mostOfShortList = 4_000
    /// Up to so many items are changed at once, which takes some 20 milliseconds; more of them in
    /// parts.
    public var mostChangedAtOnce = 1_000
    /// Items, which have the tags, as a text for other programs.
    public var text: @Sendable ([Item], [Tag]) -> String = { items, _ in
        items.map(\.name).joined(separator: "\n")
    }
    /// The items that a pasted text stands for, made at that time, or nil if each line is a name.
    public var read: @Sendable (String, Timestamp) -> [PastedItem]? = { _, _ in nil }
    /// Keeps what is shown for the next start.
    public var remember: @Sendable (RememberedView) -> Void = { _ in }
    /// The same, but does not wait until it is kept. What ``remember`` is given later counts.
    public var rememberSoon: @Sendable (RememberedView) -> Void = { _ in }
    /// The way to storage. ``AppStore`` sets it.
    public internal(set) var pipeline: any SavePipeline = NoPipeline()

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

/// What an effect may ask of the terminal that the program runs in.
@MainActor
public protocol TerminalControl: Sendable {
    /// Opens `text` in the user's editor and calls `take` with the saved text, before any key that
    /// was typed meanwhile is read; or with an error whose description tells the user why there is
    /// no edited text.
    func edit(
        _ text: String, _ take: @MainActor @Sendable (Result<String, any Error>) -> Void) async
    /// Gives the terminal back to the shell until the process is continued.
    func suspend() async
    /// Hands `text` to the terminal for the system's clipboard.
    func copy(_ text: String) -> ClipboardAnswer
    /// Draws everything anew, whatever the terminal shows.
    func redraw()
}
