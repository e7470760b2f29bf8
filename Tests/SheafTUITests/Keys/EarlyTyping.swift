import Dispatch
import SheafApp
import SheafTestSupport
import Terminal

@testable import SheafTUI

/// The program from its start, with the part of the list that the test has read.
@MainActor
final class EarlyTyping {
    let store: AppStore
    let terminal = FakeTerminal()
    let dispatcher: KeyDispatcher
    private let tags: [SheafList.Tag]
    private let views: [SavedView]
    private let items: [Item]

    /// A list of `items` that begins to be read, and was left with `view`.
    init(
        tags: [SheafList.Tag] = [], views: [SavedView] = [], items: [Item] = [],
        view: RememberedView? = nil,
        maxWaiting: Int = 100
    ) {
        self.tags = tags
        self.views = views
        self.items = items
        let ids = Counter(from: 201)
        store = AppStore(
            initialState: AppState(
                list: ListInfo(name: "reading.sqlite", loading: Loading()),
                size: Size(columns: 80, rows: 16), view: view),
            environment: AppEnvironment(
                now: { Fixtures.now }, makeID: { Fixtures.id(ids.next()) },
                sleep: { _ in throw CancellationError() }, storage: FakeStorage(),
                terminal: terminal))
        dispatcher = KeyDispatcher(store: store, maxWaiting: maxWaiting)
    }

    /// Types all of `keys` at once, by the names that `Driver` knows.
    func type(_ keys: String) { dispatcher.handle(Driver.keys(keys)) }

    /// Pauses long enough for the next keys to apply to the visible screen.
    func pause() { store.send(.keys(.paused)) }

    /// Delivers a bracketed paste.
    func paste(_ text: String) { dispatcher.handle([Key(.paste(text))]) }

    /// The tags have been read, and how many items there are.
    func loadTags() {
        store.send(
            .session(
                .tagsAndViewsLoaded(
                    StorageChanges(tags: tags, views: views), itemCount: items.count,
                    lastRank: items.last?.rank)))
    }

    /// A page has been read.
    func loadItems(_ range: Range<Int>) { store.send(.session(.itemsLoaded(Array(items[range])))) }

    func endLoad() { store.send(.session(.loadEnded(advice: nil))) }

    /// All has been read, and the keys that waited have had their turn.
    func loadAll() async {
        loadTags()
        if !items.isEmpty { loadItems(items.indices) }
        endLoad()
        await turn()
    }

    /// Returns when those who are told once a turn have been told.
    func turn() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }

    var state: AppState { store.state }

    var toast: String? { state.ui.toast?.text }

    /// The names of the rows shown, from the top.
    var names: [String] { state.rows.ids.compactMap { state.items[$0]?.name } }

    var done: [String] { state.items.values.filter(\.isDone).map(\.name) }
}

extension RememberedView {
    /// The view of a run that ended with `item` selected.
    init(selecting item: Item, hidesDone: Bool = false) {
        self.init(AppState())
        selectedItem = item.id
        self.hidesDone = hidesDone
    }
}
