import SheafCore
import Terminal

/// Turns keys into actions and sends them, in the order in which they were typed.
@MainActor
public struct KeyDispatcher {
    private let store: AppStore
    private let keymap: Keymap

    public init(store: AppStore, keymap: Keymap = .standard) {
        self.store = store
        self.keymap = keymap
    }

    /// Handles `keys` one after the other, each in the state that the one before left.
    public func handle(_ keys: [Key]) {
        for key in keys { handle(key) }
    }

    private func handle(_ key: Key) {
        let context = KeyContext(store.state)
        let pending = store.state.ui.pendingKeys
        switch keymap.meaning(of: key, in: context, after: pending) {
        case .action(.help(.opened)):
            endSequence(pending)
            store.send(.help(.opened(keymap.helpEntries(in: context))))
        case .action(let action):
            endSequence(pending)
            store.send(action)
        case .pending(let labels):
            store.send(.session(.keysPending(labels)))
        case .unknown where key.code == .escape:
            endSequence(pending)
        case .unknown:
            endSequence(pending)
            report(key, after: pending, in: context)
        }
    }

    private func endSequence(_ pending: [String]) {
        if !pending.isEmpty { store.send(.session(.keysPending([]))) }
    }

    /// Says that a key means nothing here, once, instead of silence. While text is typed, stray keys stay silent.
    private func report(_ key: Key, after pending: [String], in context: KeyContext) {
        switch key.code {
        case .paste where !context.takesText: store.send(.session(.pasteIgnored))
        case .unknown: break
        default:
            guard context == .items || context == .tags else { return }
            store.send(.session(.keyUnknown(label: (pending + [key.label]).joined())))
        }
    }
}
