import SheafApp
import Terminal

/// Turns keys into actions and sends them, in the order in which they were typed.
///
/// Each key is interpreted in the state that the previous one left. A key that needs part of the
/// list that is not yet read waits, with all input after it, until that part is read. A command
/// that has nothing to act on is dropped together with all input that waits after it or came in the
/// same read: text that was meant for the line it would have opened must not run as commands. Keys
/// after a choice of a view, an order or a row that failed are dropped too.
///
/// Mouse reports take the same path, in their turn. They refer to the screen at the time of their
/// arrival: the row is determined then, before earlier keys change the screen.
@MainActor
public final class KeyDispatcher {
    /// Called after keys that waited are done or dropped.
    public var onTurn: () -> Void = {}

    private let store: AppStore
    private let keymap: Keymap
    /// A key, or a mouse report with its meaning.
    private struct Input {
        var key: Key
        var mouse: MouseAction?
    }

    /// The input that is not yet processed.
    private var queue: [Input] = []
    /// There while keys wait.
    private var subscription: Subscription?

    /// The maximum number of waiting keys, or bytes of pasted text. Input beyond it is dropped.
    private let mostWaiting: Int
    /// How many keys were not kept since the first that waits.
    private var overflow = 0

    public init(store: AppStore, keymap: Keymap = .standard, mostWaiting: Int = 1 << 16) {
        self.store = store
        self.keymap = keymap
        self.mostWaiting = mostWaiting
    }

    /// Handles `keys` one after the other, each in the state that the one before left.
    public func handle(_ keys: [Key]) {
        // The user has seen a selection that moved before these keys were read.
        if queue.isEmpty, store.state.hasReplacedSubject { store.send(.keys(.waiting(0))) }
        let waiting = queue.count
        for key in keys { enqueue(key) }
        work(after: waiting)
        limit(after: waiting)
        tell()
    }

    /// Takes `key` as it is in the present state. A report that means nothing is left out, and a
    /// drag replaces the one before it: only the last place of the pointer counts.
    private func enqueue(_ key: Key) {
        guard case .mouse(let event) = key.code else { return queue.append(Input(key: key)) }
        guard let action = MouseAction(event, key.modifiers, in: store.state) else { return }
        if case .dragged = action, case .dragged = queue.last?.mouse { queue.removeLast() }
        queue.append(Input(key: key, mouse: action))
    }

    /// Gives up the keys that wait, because the program was told to end.
    public func abandon() {
        guard !queue.isEmpty else { return }
        store.send(.keys(.abandoned(queue.count)))
        queue = []
        tell()
    }

    private func resume() {
        guard !queue.isEmpty else { return }
        let waiting = queue.count
        work(after: waiting)
        tell()
        if queue.count < waiting { onTurn() }
    }

    // MARK: Working

    private enum Step {
        case done(keys: Int)
        case waits
        /// Nothing is there to do it to, nor will be.
        case vain(KeyAction.Cause)
    }

    /// Processes input as far as possible. The first keys, as many as `waiting`, have waited.
    private func work(after waiting: Int) {
        var next = 0
        func drop(_ cause: KeyAction.Cause) {
            let begun = store.state.ui.pendingKeys.count
            store.send(.keys(.dropped(begun + queue.count - next, cause)))
            next = queue.count
        }
        loop: while next < queue.count {
            if next + waiting > 0, let cause = store.state.failedChoice {
                drop(cause)
                break
            }
            switch step(at: next, hasWaited: waiting > 0) {
            case .done(let count):
                next += count
            case .waits:
                // Keys that have waited before include none.
                guard let stop = queue[max(next, waiting)...].firstIndex(where: { drops($0.key) })
                else {
                    break loop
                }
                store.send(.keys(.dropped(stop - next, .wish)))
                next = stop + 1
                overflow = 0
            case .vain(let cause): drop(cause)
            }
        }
        queue.removeFirst(next)
    }

    private func step(at index: Int, hasWaited: Bool) -> Step {
        let context = KeyContext(store.state)
        let pending = store.state.ui.pendingKeys
        if let action = queue[index].mouse {
            if store.state.awaits(store.state.need(of: action)) { return .waits }
            endSequence(pending)
            store.send(.mouse(action))
            return .done(keys: 1)
        }
        if pending.isEmpty {
            let (text, count) = keymap.text(of: queue[index...].lazy.map(\.key), in: context)
            if count > 0 {
                store.send(.line(.edited(.insert(text))))
                return .done(keys: count)
            }
        }
        let key = queue[index].key
        switch keymap.meaning(of: key, in: context, after: pending) {
        case .action(let action, let need):
            if store.state.closesLargeRange(action, needing: need) {
                store.send(.marks(.rangeToggled))
            }
            if store.state.awaits(need) { return .waits }
            let isFollowed = index + 1 < queue.count
            if hasWaited || isFollowed,
                let cause = store.state.obstacle(to: action, needing: need)
            {
                return .vain(cause)
            }
            perform(action, need, after: pending, in: context)
        case .pending(let labels, let need):
            if store.state.awaits(need) { return .waits }
            if hasWaited, let cause = store.state.obstacle(to: nil, needing: need) {
                return .vain(cause)
            }
            store.send(.keys(.pending(labels)))
        case .unknown:
            endSequence(pending)
            if key.code != .escape {
                report(key, after: pending, in: context)
            } else if store.state.ui.count != nil {
                store.send(.browse(.escaped))
            }
        }
        return .done(keys: 1)
    }

    private func perform(
        _ action: AppAction, _ need: Need, after pending: [String], in context: KeyContext
    ) {
        guard !need.isAboutSelection || store.state.isSequenceCurrent else {
            return store.send(.keys(.sequenceLost))
        }
        endSequence(pending)
        switch action {
        case .help(.opened):
            store.send(.help(.opened(keymap.helpEntries(in: context, of: store.state))))
        case .palette(.opened):
            let entries = keymap.paletteEntries(in: store.state.ui.pane).map { entry in
                var entry = entry
                entry.obstacle = store.obstacle(to: entry.action)
                return entry
            }
            store.send(.palette(.opened(entries)))
        case .palette(.chosen):
            let command = store.state.chosenCommand
            store.send(action)
            if let command {
                perform(command.action, command.need, after: [], in: KeyContext(store.state))
            }
        case .inspector(.scrolled(let lines, _)):
            let rows = lines * (store.state.ui.count ?? 1)
            let last = InspectorText.lastTop(of: store.state, scrolledBy: rows)
            store.send(.inspector(.scrolled(rows: rows, last: last)))
        default:
            store.send(action)
        }
    }

    private func endSequence(_ pending: [String]) {
        if !pending.isEmpty { store.send(.keys(.pending([]))) }
    }

    /// Says that a key means nothing here, once, instead of silence. While text is typed, stray
    /// keys stay silent.
    private func report(_ key: Key, after pending: [String], in context: KeyContext) {
        switch key.code {
        case .oversizedPaste(let most): store.send(.keys(.pasteTooLarge(most: most)))
        case .unendedPaste: store.send(.keys(.pasteUnended))
        case .paste where !context.takesText: store.send(.keys(.pasteIgnored))
        case .mouse, .unknown: break
        default:
            guard case .pane = context else { return }
            store.send(.keys(.unknown(label: (pending + [key.label]).joined())))
        }
    }

    // MARK: Waiting

    /// Whether `key` drops the keys that wait.
    private func drops(_ key: Key) -> Bool {
        if case .action(.keys(.dropped), _) = keymap.meaning(of: key, in: .waiting) {
            true
        } else {
            false
        }
    }

    /// Drops excess input that arrived after the first keys, as many as `waiting`. Later input is
    /// dropped too, because otherwise typed text would have a gap.
    private func limit(after waiting: Int) {
        guard !queue.isEmpty else { return }
        var room = mostWaiting
        let kept =
            overflow > 0
            ? min(waiting, queue.count)
            : queue.prefix { input in
                if case .paste(let text) = input.key.code {
                    room -= text.utf8.count
                } else {
                    room -= 1
                }
                return room >= 0
            }.count
        guard kept < queue.count else { return }
        overflow += queue.count - kept
        store.send(.keys(.dropped(overflow, .tooMany)))
        queue.removeLast(queue.count - kept)
    }

    /// Tells the state how many keys wait, and has itself told when that may be over.
    private func tell() {
        if store.state.ui.waitingKeys != queue.count { store.send(.keys(.waiting(queue.count))) }
        if queue.isEmpty {
            subscription = nil
            overflow = 0
        } else if subscription == nil {
            subscription = store.subscribe(delivery: .oncePerTurn) { [weak self] _ in self?.resume()
            }
        }
    }
}
