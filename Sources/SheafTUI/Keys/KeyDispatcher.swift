import SheafApp
import Terminal

/// A dispatcher that converts keys to actions and sends them, in the order in which the user typed
/// the keys.
///
/// Each key is interpreted in the state that the previous key left. A key that needs a part of the
/// list that is not yet loaded waits, together with all later input, until that part is loaded. If
/// a command has no subject, it is dropped together with all input that waits after it or came in
/// the same read. Otherwise, text that was meant for the line editor would run as commands. If a
/// choice of a view, a sort order or a row fails, the keys after it are dropped too. If another
/// process has deleted or changed the subject of a key, that key and all keys until a pause are
/// dropped.
///
/// A mouse report is queued like a key. It refers to the screen at the time when it arrived, so its
/// row is determined then, regardless of the effects of earlier keys.
@MainActor
package final class KeyDispatcher {
    /// A closure that is called after waiting keys have been handled or dropped.
    package var onTurn: () -> Void = {}

    private let store: AppStore
    private let keymap: Keymap
    /// The input that has not been handled yet: keys, and mouse reports with their actions.
    private var queue: [(key: Key, mouse: MouseAction?)] = []
    /// The subscription to the state. It exists only while keys wait.
    private var subscription: Subscription?

    /// The maximum number of waiting keys, or bytes of pasted text. Further input is dropped.
    private let maxWaiting: Int
    /// The number of keys dropped since the first waiting key.
    private var overflow = 0

    package init(store: AppStore, keymap: Keymap = .standard, maxWaiting: Int = 1 << 16) {
        self.store = store
        self.keymap = keymap
        self.maxWaiting = maxWaiting
    }

    /// Handles `keys` in order, each in the state that the previous key left.
    package func handle(_ keys: [Key]) {
        // If the selection moved before these keys were read, the user has seen that.
        if queue.isEmpty, store.state.hasReplacedSubject { store.send(.keys(.waiting(0))) }
        let waiting = queue.count
        for key in keys { enqueue(key) }
        work(after: waiting)
        limit(after: waiting)
        updateWaitingKeys()
    }

    /// Queues `key` with its meaning in the current state. A mouse report without a meaning is
    /// omitted, and a drag replaces the previous drag, since only the last position of the pointer
    /// matters.
    private func enqueue(_ key: Key) {
        guard case .mouse(let event) = key.code else { return queue.append((key, nil)) }
        guard let action = MouseAction(event, key.modifiers, in: store.state) else { return }
        if case .dragged = action, case .dragged = queue.last?.mouse { queue.removeLast() }
        queue.append((key, action))
    }

    /// Drops the keys that wait, because a signal has asked the program to end.
    package func dropAtEnd() {
        guard !queue.isEmpty else { return }
        store.send(.keys(.droppedAtEnd(queue.count)))
        queue = []
        updateWaitingKeys()
    }

    private func resume() {
        guard !queue.isEmpty else { return }
        let waiting = queue.count
        work(after: waiting)
        updateWaitingKeys()
        if queue.count < waiting { onTurn() }
    }

    // MARK: Working

    private enum Step {
        case done(keys: Int)
        case waits
        /// The key has no subject now, and will not get one.
        case rejected(KeyAction.Cause)
    }

    /// Handles as much of the queue as possible. Its first `waiting` keys have waited before.
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
                // The keys that have waited before include no key that drops the others.
                guard let stop = queue[max(next, waiting)...].firstIndex(where: { drops($0.key) })
                else {
                    break loop
                }
                store.send(.keys(.dropped(stop - next, .cancelled)))
                next = stop + 1
                overflow = 0
            case .rejected(let cause): drop(cause)
            }
        }
        queue.removeFirst(next)
    }

    private func step(at index: Int, hasWaited: Bool) -> Step {
        let context = KeyContext(store.state)
        let pending = store.state.ui.pendingKeys
        if store.state.ui.dropsKeys {
            // A mouse report refers to the visible rows.
            let isAimed = queue[index].mouse != nil
            store.send(.keys(isAimed ? .paused : .tooSoon))
            if !isAimed { return .done(keys: 1) }
        }
        if let action = queue[index].mouse {
            if store.state.awaits(store.state.requirement(of: action)) { return .waits }
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
        case .action(let action, let requirement):
            if store.state.closesLargeRange(action, requiring: requirement) {
                store.send(.marks(.rangeToggled))
            }
            if store.state.awaits(requirement) { return .waits }
            let isFollowed = index + 1 < queue.count
            if hasWaited || isFollowed,
                let cause = store.state.obstacle(to: action, requiring: requirement)
            {
                return .rejected(cause)
            }
            perform(action, requirement, after: pending, in: context)
        case .pending(let labels, let requirement):
            if store.state.awaits(requirement) { return .waits }
            if hasWaited, let cause = store.state.obstacle(to: nil, requiring: requirement) {
                return .rejected(cause)
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
        _ action: AppAction, _ requirement: Requirement, after pending: [String],
        in context: KeyContext
    ) {
        guard !store.state.hasLostSequence(requiring: requirement) else {
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
                perform(command.action, command.requirement, after: [], in: KeyContext(store.state))
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

    /// Reports that a key has no meaning here. While the user types text, such keys are ignored
    /// silently.
    private func report(_ key: Key, after pending: [String], in context: KeyContext) {
        switch key.code {
        case .oversizedPaste(let most): store.send(.keys(.pasteTooLarge(most: most)))
        case .unterminatedPaste: store.send(.keys(.pasteUnterminated))
        case .paste where !context.takesText: store.send(.keys(.pasteIgnored))
        case .mouse, .unknown: break
        default:
            guard case .pane = context else { return }
            store.send(.keys(.unknown(label: (pending + [key.label]).joined())))
        }
    }

    // MARK: Waiting

    /// Returns true if `key` drops the keys that wait.
    private func drops(_ key: Key) -> Bool {
        if case .action(.keys(.dropped), _) = keymap.meaning(of: key, in: .waiting) {
            true
        } else {
            false
        }
    }

    /// Drops input beyond the limit, apart from the first `waiting` keys. All later input is
    /// dropped too, since otherwise the typed input would have a gap.
    private func limit(after waiting: Int) {
        guard !queue.isEmpty else { return }
        var room = maxWaiting
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

    /// Updates the number of waiting keys in the state, and subscribes to the state while keys
    /// wait.
    private func updateWaitingKeys() {
        if store.state.ui.waitingKeys != queue.count { store.send(.keys(.waiting(queue.count))) }
        if queue.isEmpty {
            subscription = nil
            overflow = 0
        } else if subscription == nil {
            subscription = store.subscribe(oncePerTurn: true) { [weak self] _ in self?.resume()
            }
        }
    }
}
