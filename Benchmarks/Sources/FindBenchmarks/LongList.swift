import Foundation
import SheafCore
import SheafStorage
import Swidux

/// A long list in an application's store, as it is once storage has been read.
@MainActor
final class LongList {
    let store: AppStore
    let items: [Item]

    init(count: Int) {
        let now = Timestamp(milliseconds: 1_760_000_000_000)
        var environment = AppEnvironment.live(storage: MemoryStorage(), terminal: NoTerminal())
        environment.now = { now }
        store = AppStore(
            initialState: AppState(size: Size(columns: 120, rows: 40)), environment: environment)
        var items: [Item] = []
        for changes in DemoData(count: count, now: now) {
            if !changes.tags.upserts.isEmpty {
                store.send(
                    .session(
                        .tagsLoaded(
                            changes.tags.upserts, views: [], itemCount: count, lastRank: nil)))
            }
            store.send(.session(.itemsLoaded(changes.items.upserts)))
            items += changes.items.upserts
        }
        store.send(.session(.loadEnded(advice: nil)))
        self.items = items
    }
}

private struct NoTerminal: TerminalControl {
    func edit(_ text: String) async throws -> String { text }
    func suspend() async {}
    func copy(_ text: String) -> ClipboardAnswer { .unsupported }
    func redraw() {}
    func setMouse(_ isOn: Bool) -> Bool { false }
}
