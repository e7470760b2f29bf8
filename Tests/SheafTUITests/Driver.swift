import Foundation
import SheafApp
import SheafFormats
import SheafTestSupport
import SwiduxTesting
import Synchronization
import Terminal
import Testing

@testable import SheafTUI

/// A clock that tests set.
final class WallClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ now: Timestamp) { time = Mutex(now) }

    var now: Timestamp { time.withLock { $0 } }

    func set(_ now: Timestamp) { time.withLock { $0 = now } }
}

/// The whole program without a terminal: keys go in where the decoder would deliver them, screens
/// come out.
@MainActor
final class Driver {
    let store: AppStore
    let storage: FakeStorage
    let terminal = FakeTerminal()
    let clock = ManualClock()
    /// The time of day, and the day.
    let wall = WallClock(Fixtures.now)
    private let dispatcher: KeyDispatcher
    private var drawnRows = RowCache()

    /// A driver over `other`, or over memory that holds `tags`, `views` and `items`.
    ///
    /// - Parameter expectsSettled: true if settling again after any action must change nothing.
    ///   To look for differences takes three times as long as the rest of an action.
    init(
        tags: [SheafList.Tag] = [], views: [SavedView] = [], items: [Item] = [],
        size: Size = Size(columns: 80, rows: 16),
        readOnlyReason: String? = nil,
        over other: (any ListStorage)? = nil, idsFrom firstID: Int = 201,
        searchesElsewhere: Bool = false, expectsSettled: Bool = Torture.isOn
    ) async {
        storage = FakeStorage(
            tags: tags, views: views, items: items, readOnlyReason: readOnlyReason)
        let ids = Counter(from: firstID)
        var environment = AppEnvironment(
            now: { [wall] in wall.now },
            makeID: { Fixtures.id(ids.next()) },
            // Toasts stay, so that the screens can be read; an effect that waits must not keep a
            // test waiting.
            sleep: { _ in throw CancellationError() },
            storage: other ?? storage,
            terminal: terminal)
        environment.calendar = .utc
        environment.parsePastedText = PastedText.items
        if searchesElsewhere { environment.maxSearchedAtOnce = -1 }
        let clock = clock
        store = AppStore(
            initialState: AppState(
                list: ListInfo(name: storage.displayName, readOnlyReason: readOnlyReason),
                size: size),
            environment: environment,
            options: PersistenceOptions(clock: clock),
            middleware: expectsSettled ? [.expectingSettled(environment)] : [])
        dispatcher = KeyDispatcher(store: store)
        await store.load()
    }

    /// Returns when `condition` holds, which is asked now and after actions of any of `drivers`; or
    /// when the test's time is over.
    static func wait(
        for drivers: Driver..., until condition: () async throws -> Bool
    ) async rethrows {
        let (actions, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriptions = drivers.map { $0.store.subscribe { _ in continuation.yield() } }
        defer { for subscription in subscriptions { subscription.cancel() } }
        var next = actions.makeAsyncIterator()
        while try await !condition(), await next.next() != nil {}
    }

    /// A driver on the short reading list of the fixtures.
    static func readingList(
        size: Size = Size(columns: 80, rows: 16)
    ) async -> Driver {
        let (tags, items) = Fixtures.readingList()
        return await Driver(tags: tags, items: items, size: size)
    }

    /// A driver on a list of one item for each letter.
    static func lettered(_ letters: String = "abcde") async -> Driver {
        await Driver(items: Fixtures.items(letters.map(String.init)))
    }

    /// Types keys by their names, separated by spaces; `'text'` in quotes is typed letter by
    /// letter, `_` as a space.
    func type(_ keys: String) {
        for part in keys.split(separator: " ") { dispatcher.handle(Self.keys(String(part))) }
    }

    /// Pauses long enough for the next keys to apply to the visible screen.
    func pause() { store.send(.keys(.paused)) }

    /// Types keys, and waits for the effects of each before the next.
    func typeSettling(_ keys: String) async {
        for part in keys.split(separator: " ") {
            type(String(part))
            await store.settled()
        }
    }

    /// The keys that ``type(_:)`` types.
    static func keys(_ names: String) -> [Key] {
        names.split(separator: " ").flatMap { part in
            if part.count > 2, part.hasPrefix("'"), part.hasSuffix("'") {
                let text = part.dropFirst().dropLast().replacing("_", with: " ")
                // By code points, as a terminal sends them.
                return text.unicodeScalars.map { Key(.character(Character($0))) }
            }
            if let key = Key(part) { return [key] }
            Issue.record("no key is named \(part)")
            return []
        }
    }

    /// Delivers reports of the mouse at once, each as a terminal sends it after `CSI <`: the
    /// button, column and row, counted from 1, and `M` or, for a button that goes up, `m`.
    func mouse(_ reports: String...) { dispatcher.handle(Self.reports(reports)) }

    /// The keys that ``mouse(_:)`` delivers.
    static func reports(_ reports: [String]) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.feed(reports.flatMap { Array("\u{1b}[<\($0)".utf8) })
    }

    /// Presses and releases the left button in a cell, counted from 1.
    func click(_ column: Int, _ row: Int) {
        mouse("0;\(column);\(row)M", "0;\(column);\(row)m")
    }

    /// Presses the left button in one cell and releases it in another, with a report between.
    func drag(from start: (Int, Int), to end: (Int, Int)) {
        mouse(
            "0;\(start.0);\(start.1)M", "32;\(end.0);\(end.1)M", "0;\(end.0);\(end.1)m")
    }

    /// Types all of `keys` at once, as they come in one read.
    func typeAtOnce(_ keys: String) { handle(Self.keys(keys)) }

    /// Delivers all of `keys` at once.
    func handle(_ keys: [Key]) { dispatcher.handle(keys) }

    /// Delivers a bracketed paste.
    func paste(_ text: String) {
        dispatcher.handle([Key(.paste(text))])
    }

    var state: AppState { store.state }

    /// The frame, drawn as the program does, with the rows of the one before, and as if there had
    /// been none: both must look the same.
    var canvas: Canvas {
        let moment = Moment(wall: Fixtures.now, monotonic: clock.now, calendar: .utc)
        let canvas = ScreenView.canvas(of: store.state, at: moment, reusing: &drawnRows)
        #expect(canvas == ScreenView.canvas(of: store.state, at: moment))
        return canvas
    }

    /// The names of the rows shown, from the top.
    var names: [String] { state.rows.ids.compactMap { state.items[$0]?.name } }
}

extension Driver {
    /// Five fruits: two have a tag, one is done.
    static func fruitList() -> (tags: [SheafList.Tag], items: [Item]) {
        let tags = Fixtures.tags(["book", "to read", "+Garden"])
        var items = Fixtures.items(["pear 10", "apple", "pear 9", "Äpfel", "plum"])
        items[1].tags = [tags[2].id]
        items[3].tags = [tags[1].id]
        items[4].doneAt = Fixtures.now
        return (tags, items)
    }

    /// A driver on the list of fruits.
    static func fruit(elsewhere: Bool = false) async -> Driver {
        let (tags, items) = fruitList()
        return await Driver(tags: tags, items: items, searchesElsewhere: elsewhere)
    }

    /// The reading list with the views `swift`, `open` by name, and `lost`, whose tag is not there.
    static func viewList() -> (tags: [SheafList.Tag], views: [SavedView], items: [Item]) {
        let (tags, items) = Fixtures.readingList()
        var open = Fixtures.view(2, "open", choice: .tag(tags[0].id))
        open.hidesDone = true
        open.sort = .name
        let views = [
            Fixtures.view(1, "swift", query: "#swift"), open,
            Fixtures.view(3, "lost", query: "#gone"),
        ]
        return (tags, views, items)
    }

    /// The text of the screen.
    var text: String { canvas.textRows.joined(separator: "\n") }

    /// The names of the marked rows, from the top.
    var marked: [String] {
        state.rows.ids.enumerated().filter { state.isMarked($1, at: $0) }
            .compactMap { state.items[$1]?.name }
    }

    /// The names of the rows that are done.
    var done: [String] {
        state.rows.ids.compactMap { state.items[$0] }.filter(\.isDone).map(\.name)
    }

    /// The number of items that have the tag of this name, or -1 if there is no such tag.
    func tagged(_ name: String) -> Int {
        state.tags.first(named: name).map { tag in
            state.items.values.count { $0.tags.contains(tag.id) }
        } ?? -1
    }

    /// The question on the screen, or nil.
    var question: String? {
        if case .confirmation(let confirmation) = state.ui.mode {
            confirmation.question
        } else {
            nil
        }
    }
}

extension SavingAction {
    /// Another process has deleted items.
    static func arrived(deleting ids: [Item.ID]) -> SavingAction {
        .arrived(Arrival(StorageChanges(deletingItems: ids)))
    }
}

/// Numbers in turn, from anywhere.
final class Counter: @unchecked Sendable {
    private var value: Int
    private let lock = NSLock()

    init(from first: Int) {
        value = first
    }

    func next() -> Int {
        lock.withLock {
            defer { value += 1 }
            return value
        }
    }
}
