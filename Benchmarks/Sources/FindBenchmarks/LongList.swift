import Foundation
import SheafApp
import SheafStorage
import Swidux

/// A long list in an application's store, in the state after loading.
@MainActor
final class LongList {
    let store: AppStore
    let items: [Item]

    /// - Parameter nameBytes: the minimum length of a name. Shorter names are repeated up to it.
    init(count: Int, nameBytes: Int = 0) {
        let now = Timestamp(milliseconds: 1_760_000_000_000)
        var environment = AppEnvironment.live(storage: MemoryStorage(), terminal: NoTerminal())
        environment.now = { now }
        // Toasts never expire, since waiting for their end is not part of the measurement.
        environment.sleep = { _ in throw CancellationError() }
        store = AppStore(
            initialState: AppState(size: Size(columns: 120, rows: 40)), environment: environment)
        var items: [Item] = []
        for changes in DemoData(count: count, now: now) {
            if !changes.tags.upserts.isEmpty {
                var tags = StorageChanges()
                tags.tags.upsert(changes.tags.upserts)
                store.send(.session(.tagsAndViewsLoaded(tags, itemCount: count, lastRank: nil)))
            }
            let page = changes.items.upserts.map { item in
                var item = item
                item.name = Self.lengthened(item.name, to: nameBytes)
                return item
            }
            store.send(.session(.itemsLoaded(page)))
            items += page
        }
        store.send(.session(.loadEnded(advice: nil)))
        self.items = items
    }

    private static func lengthened(_ name: String, to bytes: Int) -> String {
        let length = name.utf8.count + 1
        return ([name] + Array(repeating: name, count: max((bytes - 1) / length, 0)))
            .joined(separator: " ")
    }
}

private struct NoTerminal: TerminalControl {
    func edit(
        _ text: String, _ take: @MainActor @Sendable (Result<String, any Error>) -> Void
    ) async {}
    func suspend() async {}
    func copy(_ text: String) -> ClipboardAnswer { .unsupported }
    func redraw() {}
}
