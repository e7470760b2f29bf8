import FoundationEssentials
import SheafList

/// The dependencies of reducers and effects: clock, ids, storage, terminal. Tests supply their own.
package struct AppEnvironment: Sendable {
    package var now: @Sendable () -> Timestamp
    package var makeID: @Sendable () -> UUID
    /// Waits for a duration. Throws if the waiting effect is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    package var storage: any ListStorage
    package var terminal: any TerminalControl
    /// The calendar that determines where the user's days begin.
    package var calendar = LocalCalendar.system
    /// The maximum number of items that are searched at once, which takes at most a millisecond.
    /// More are searched on other threads.
    package var maxSearchedAtOnce = AppEnvironment.maxOfShortList
    /// The maximum length of a short list, for which O(n) work is done at once.
    static let maxOfShortList = 4_000
    /// The maximum number of items that are changed at once, which takes about 20 milliseconds.
    /// More are changed in parts.
    package var maxChangedAtOnce = 1_000
    /// Formats items as text for other programs, with the given tags of the list.
    package var formatItems: @Sendable ([Item], [Tag]) -> String = { items, _ in
        items.map(\.name).joined(separator: "\n")
    }
    /// Parses a pasted text. The given time becomes the creation time of items for which the text
    /// has none. Returns nil if the text has no format, so that each of its lines is a name.
    package var parsePastedText: @Sendable (String, Timestamp) -> [PastedItem]? = { _, _ in nil }
    /// Saves the view for the next start.
    package var rememberView: @Sendable (RememberedView) -> Void = { _ in }
    /// Saves the view for the next start without waiting. A later call of ``rememberView`` takes
    /// precedence.
    package var rememberViewSoon: @Sendable (RememberedView) -> Void = { _ in }
    /// The connection to storage. ``AppStore`` sets it.
    package internal(set) var pipeline: any SavePipeline = NoPipeline()

    package init(
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

    /// Returns an environment with the real clock and random ids.
    package static func live(
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

/// The services of the terminal that effects can use.
@MainActor
package protocol TerminalControl: Sendable {
    /// Opens `text` in the user's editor and calls `take` with the saved text, before any key that
    /// was typed meanwhile is read. If there is no edited text, calls `take` with an error whose
    /// description tells the user why.
    func edit(
        _ text: String, _ take: @MainActor @Sendable (Result<String, any Error>) -> Void) async
    /// Gives the terminal back to the shell until the process is continued.
    func suspend() async
    /// Sends `text` to the system's clipboard through the terminal. Returns the reason if it was
    /// not sent.
    func copy(_ text: String) -> ClipboardAnswer
    /// Redraws the whole screen, regardless of its present content.
    func redraw()
}
