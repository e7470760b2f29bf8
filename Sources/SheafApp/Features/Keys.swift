/// Keys that are not, or not yet, part of a command.
package enum KeyAction: Hashable, Sendable {
    /// The labels of the keys of an incomplete sequence, or none if a sequence has ended.
    case pending([String])
    /// A digit of the count for the next command. A leading 0 is not a count.
    case counted(Int)
    case unknown(label: String)
    case pasteIgnored
    /// A paste of more than `most` bytes arrived and was discarded.
    case pasteTooLarge(most: Int)
    /// A paste has begun, but its end has not arrived.
    case pasteUnterminated
    /// A sequence is complete, but since its first key the selection has moved or gone out of
    /// sight.
    case sequenceLost
    /// A key followed a dropped one without a pause, and was discarded.
    case tooSoon
    /// The user has typed nothing for a while, so that the next keys apply to the visible screen.
    case paused
    /// The number of keys that wait for the list to load.
    case waiting(Int)
    /// Waiting keys were discarded.
    case dropped(Int, Cause)
    /// Waiting keys were discarded because the program was told to end.
    case droppedAtEnd(Int)

    /// The reason why keys are discarded.
    package enum Cause: Hashable, Sendable {
        /// The user cancelled them.
        case cancelled
        /// There is no row for the first key to act on.
        case nothing(to: String)
        case refused(String)
        case tooMany

        /// True if the first key could not be executed.
        fileprivate var isRefusal: Bool {
            switch self {
            case .nothing, .refused: true
            case .cancelled, .tooMany: false
            }
        }
    }
}

extension KeyAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .pending(let labels): ActionTraits(ends: labels.isEmpty ? [] : .viewRestoration)
        case .counted: ActionTraits(heading: .moving)
        case .waiting(let count): ActionTraits(origin: count > 0 ? .key : .program)
        case .unknown, .pasteIgnored, .pasteTooLarge, .sequenceLost, .tooSoon, .dropped:
            .key
        case .paused: .program
        case .pasteUnterminated, .droppedAtEnd: ActionTraits(ends: .count)
        }
    }

    /// The maximum count: more than a list has rows, and small enough for arithmetic.
    private static let maxCounted = 999_999_999

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .pending(let labels):
            state.beginSequence()
            if state.ui.pendingKeys.isEmpty, !labels.isEmpty {
                state.ui.numberedViews = Array(state.views.ids.prefix(9))
            }
            state.ui.pendingKeys = labels
        case .counted(0) where state.ui.count == nil:
            state.ui.refuse("0 does nothing here", hint: "? help")
        case .counted(let digit):
            state.beginSequence()
            state.ui.count = min((state.ui.count ?? 0) * 10 + digit, Self.maxCounted)
        case .unknown(let label):
            state.ui.pendingKeys = []
            state.ui.refuse("\(label) does nothing here", hint: "? help")
        case .pasteIgnored:
            let canAdd = state.takes(.items(.addRequested))
            state.ui.refuse(
                "Paste works only while editing a line", hint: canAdd ? "a add, then paste" : nil)
        case .pasteTooLarge(let most):
            state.ui.show("Paste dropped: it is larger than \(most >> 20) MB", isAlert: true)
        case .pasteUnterminated:
            state.ui.refuse("Waiting for the end of a paste", hint: "^C end it", isAlert: true)
        case .sequenceLost:
            let (loss, isByOthers) = (state.lossOfSubject, state.hasLostSubjectToOthers)
            state.ui.refuse(loss, isAlert: true)
            state.ui.pendingKeys = []
            state.acceptSubject()
            return isByOthers ? state.dropUntilPause(environment) : nil
        case .tooSoon:
            return state.dropUntilPause(environment)
        case .paused:
            state.resume()
        case .waiting(let count):
            state.ui.waitingKeys = count
            if count == 0, state.hasReplacedSubject { state.acceptSubject() }
        case .dropped(let count, let cause):
            let isByOthers = state.hasLostSubjectToOthers
            drop(&state)
            state.ui.show(message(count, cause), isAlert: true)
            state.ui.toast?.isRefusal = cause.isRefusal
            if isByOthers, cause.isRefusal { return state.dropUntilPause(environment) }
        case .droppedAtEnd(let count):
            drop(&state)
            state.ui.keysDroppedAtEnd = count
        }
        return nil
    }

    private func message(_ count: Int, _ cause: KeyAction.Cause) -> String {
        let dropped = "\(count.keys) dropped"
        return switch cause {
        case .cancelled: dropped
        case .nothing(let verb): "Nothing to \(verb): \(dropped)"
        case .refused(let reason): "\(dropped). \(reason)"
        case .tooMany: "Too many keys waiting: \(dropped)"
        }
    }

    private func drop(_ state: inout AppState) {
        state.ui.waitingKeys = 0
        state.ui.pendingKeys = []
        state.acceptSubject()
    }
}

extension AppState {
    /// Records the subject of a command at its first key, which may be a digit of its count.
    fileprivate mutating func beginSequence() {
        if ui.pendingKeys.isEmpty, ui.count == nil { ui.pendingSubject = keySubject }
    }

    /// Drops all keys until the user pauses. They may be text for the line that the first dropped
    /// key should have opened, and would act as commands on other rows.
    fileprivate mutating func dropUntilPause(_ environment: AppEnvironment) -> Effect {
        ui.dropsKeys = true
        return environment.pause()
    }

    /// Accepts keys again after a pause. Keys for a deleted item stay refused while keys wait or a
    /// line or box is open, because the user cannot see the deletion then.
    fileprivate mutating func resume() {
        if ui.dropsKeys {
            ui.dropsKeys = false
        } else if takesCommands, ui.waitingKeys == 0, case .deletedElsewhere = ui.lostSubject {
            acceptSubject()
        }
    }

    /// The reason why the key sequence no longer applies to its subject.
    fileprivate var lossOfSubject: String {
        guard showsSelection else { return "Keys dropped: the selected row is not visible" }
        let deleted = ui.pendingSubject.flatMap { isDeleted($0) ? $0.deletion : nil }
        return "Keys dropped: \(ui.lostSubject?.reason ?? deleted ?? "the selection moved")"
    }
}

extension AppEnvironment {
    /// Returns an effect that reports a pause in typing after a second, unless the effect is
    /// started again before then.
    func pause() -> Effect {
        Effects.cancellable(id: EffectID.pause, cancelInFlight: true) { [sleep] send in
            do { try await sleep(.seconds(1)) } catch { return }
            await send(.keys(.paused))
        }
    }
}

extension Int {
    /// The number with its noun: `1 key`, `2 keys`.
    var keys: String { self == 1 ? "1 key" : "\(grouped) keys" }
}
