import SheafList

/// What leads to the end of the program, and what is reported on the way.
public enum LeavingAction: Hashable, Sendable {
    case quitRequested
    /// A signal, or the end of the terminal.
    case signalled(Int32)
    /// Storage has had the time that a signal leaves: what is not saved by now is kept elsewhere.
    case patienceEnded(Int32)
    /// Keeping has had its time too.
    case overdue(Int32)
    /// The flush that was waited for has ended. Sent by its effect, so that it comes after every
    /// status of before: see ``LeavingReducer``.
    case flushed
    case answered(Answer)
    /// `place` says where what is not saved waits.
    case kept(Keeping, place: String)
    case keepingFailed(Keeping, reason: String)

    /// The answer to the question about what is not saved.
    public enum Answer: Hashable, Sendable {
        case retry, keep, discard, stay
    }
}

extension LeavingAction: FeatureAction {
    static let reducer = LeavingReducer()

    var traits: ActionTraits {
        switch self {
        case .quitRequested, .signalled, .patienceEnded, .overdue, .flushed, .answered, .kept,
            .keepingFailed:
            ActionTraits.program.keepingLine
        }
    }
}

/// Every transition of ``Leaving``.
///
/// The end is decided in the turn of an action, by the state alone, and every later action is
/// refused: nothing can be typed, painted and lost between the decision and the end. For that
/// `state.saving` has to be current. It is, because all that decides (the end of a flush, of
/// keeping, of patience, an answer) is sent while no other action is worked on: the status that an
/// action causes waits in the store's queue before it. What an action changes itself is not counted
/// until it is through, so that where a line is still open it is kept first, and the same action
/// comes again.
struct LeavingReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: LeavingAction, environment: AppEnvironment
    ) -> Effect? {
        if let rest = state.restAtOnce(in: environment.storage), let leave = action.leave {
            if state.leaving.exit == nil {
                end(&state, leave.status(isSaved: true), saying: nil, rest)
            }
            return nil
        }
        switch (state.leaving, action) {
        case (.ended, _):
            return nil
        case (.saving(.signalled), .quitRequested), (.keeping, .quitRequested):
            return nil
        case (_, .quitRequested):
            return quit(&state, environment)
        case (.saving(.signalled), .signalled), (.keeping(.signalled, _), .signalled):
            return nil
        case (_, .signalled(let signal)):
            return save(&state, .signalled(signal), environment)
        case (.keeping(.signalled, _), .patienceEnded):
            return nil
        case (_, .patienceEnded(let signal)):
            if let again = keepLine(&state, before: action, environment) { return again }
            return conclude(&state, .signalled(signal), environment)
        case (_, .overdue(let signal)):
            if let again = keepLine(&state, before: action, environment) { return again }
            endUnkept(&state, .signalled(signal), environment)
        case (.saving, .flushed) where state.ui.bulk != nil:
            // Goes on once the rest of it is there.
            return nil
        case (.saving(let leave), .flushed):
            // What was typed meanwhile, after a signal, is saved as well.
            guard state.ui.mode.commandName == nil, !state.saving.mayStillBeSaved else {
                return save(&state, leave, environment)
            }
            return conclude(&state, leave, environment)
        case (.suspending, .flushed):
            // Whatever storage has not taken is in the log, and still here after `fg`.
            stay(&state)
            return { [terminal = environment.terminal] _ in await terminal.suspend() }
        case (_, .flushed):
            return nil
        case (.asking, .answered(let answer)):
            return take(answer, &state, environment)
        case (_, .answered):
            return nil
        case (.keeping(let leave, let current), .kept(let keeping, let place))
        where keeping == current:
            if let again = keepLine(&state, before: action, environment) { return again }
            guard keeping.isCurrent(in: state.saving) else {
                return conclude(&state, leave, environment, answer: .keep)
            }
            endKept(&state, leave, in: place, environment)
        case (.keeping(let leave, let current), .keepingFailed(let keeping, let reason))
        where keeping == current:
            if let again = keepLine(&state, before: action, environment) { return again }
            guard leave == .quit, state.saving.uncommitted > 0 else {
                endUnkept(&state, leave, environment)
                return nil
            }
            ask(&state, environment, keepingFailure: reason)
        case (.keeping, .kept), (.keeping, .keepingFailed):
            // Of an earlier attempt; the one that is waited for makes up for it.
            return nil
        case (_, .kept), (_, .keepingFailed):
            // The user stays, and the log goes on.
            return nil
        }
        return nil
    }

    // MARK: What others report

    /// A bulk command is complete, which the end waits for.
    func bulkEnded(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard case .saving(let leave) = state.leaving else { return nil }
        return save(&state, leave, environment)
    }

    /// A key was typed, other than an answer: that takes a wish to quit back.
    func keyTyped(_ state: inout AppState) {
        switch state.leaving {
        case .saving(.quit), .suspending, .asking, .keeping(.quit, _): stay(&state)
        case .staying, .saving, .keeping, .ended: break
        }
    }

    /// The terminal is wanted back by the shell, which takes a wish to quit back as any key does.
    /// A process that was told to end does that and nothing else.
    func suspensionRequested(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch state.leaving {
        case .saving(.signalled), .keeping(.signalled, _), .ended: return nil
        case .staying, .saving(.quit), .suspending, .asking, .keeping(.quit, _): break
        }
        if state.saving.uncommitted > 0 || state.ui.mode.commandName != nil {
            state.ui.show(Self.suspending, hint: Self.cancelling)
        }
        return flush(&state, .suspending, environment)
    }

    /// `state.saving` has changed. The question answers itself once all is saved.
    func savingChanged(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard state.leaving.isAsking, state.saving.uncommitted == 0 else { return nil }
        return save(&state, .quit, environment)
    }

    // MARK: Transitions

    private static let quitting = "Quitting once everything is saved"
    private static let suspending = "Suspending once everything is saved"
    private static let cancelling = "any key cancels"

    /// Returns true if the message is one of those about waiting for storage.
    static func isWaiting(_ toast: Toast?) -> Bool {
        toast?.text == quitting || toast?.text == suspending
    }

    private func stay(_ state: inout AppState) {
        state.leaving = .staying
        if Self.isWaiting(state.ui.toast) { state.ui.toast = nil }
    }

    private func quit(_ state: inout AppState, _ environment: AppEnvironment) -> Effect {
        if state.saving.uncommitted > 0 { state.ui.show(Self.quitting, hint: Self.cancelling) }
        return save(&state, .quit, environment)
    }

    private func save(
        _ state: inout AppState, _ leave: Leave, _ environment: AppEnvironment
    ) -> Effect {
        flush(&state, .saving(leave), environment)
    }

    /// Waits in the state `leaving` for a flush, which has the open line too.
    private func flush(
        _ state: inout AppState, _ leaving: Leaving, _ environment: AppEnvironment
    ) -> Effect {
        let kept = state.keepLine(environment)
        state.leaving = leaving
        return { [pipeline = environment.pipeline] send in
            await kept?(send)
            await pipeline.flush()
            await send(.leaving(.flushed))
        }
    }

    /// Storage is waited for no longer: the end if all is saved; else a person is asked, unless
    /// the answer is known, and after a signal it is kept.
    private func conclude(
        _ state: inout AppState, _ leave: Leave, _ environment: AppEnvironment,
        answer: LeavingAction.Answer? = nil
    ) -> Effect? {
        if state.saving.uncommitted == 0 {
            end(&state, leave, environment)
        } else if leave == .quit, answer != .keep {
            ask(&state, environment)
        } else {
            return keep(&state, leave, environment)
        }
        return nil
    }

    private func ask(
        _ state: inout AppState, _ environment: AppEnvironment, keepingFailure: String? = nil
    ) {
        state.ui.mode = .normal
        if Self.isWaiting(state.ui.toast) { state.ui.toast = nil }
        state.leaving = .asking(
            keepingFailure: keepingFailure, mayBeSaved: environment.storage.mayHaveCommitted)
    }

    private func take(
        _ answer: LeavingAction.Answer, _ state: inout AppState, _ environment: AppEnvironment
    ) -> Effect? {
        switch answer {
        case .retry: return quit(&state, environment)
        case .keep: return conclude(&state, .quit, environment, answer: .keep)
        case .discard: end(&state, .quit, environment)
        case .stay: stay(&state)
        }
        return nil
    }

    private func keep(
        _ state: inout AppState, _ leave: Leave, _ environment: AppEnvironment
    ) -> Effect {
        state.keepings += 1
        let keeping = Keeping(state.keepings, of: state.saving)
        state.leaving = .keeping(leave, keeping)
        return { [pipeline = environment.pipeline] send in
            do {
                let place = try await pipeline.keep()
                await send(.leaving(.kept(keeping, place: place)))
            } catch {
                let reason = (error as? StorageError)?.reason ?? "\(error)"
                await send(.leaving(.keepingFailed(keeping, reason: reason)))
            }
        }
    }

    /// Keeps the open line as Enter does, if there is one, and has `action` come again then.
    private func keepLine(
        _ state: inout AppState, before action: LeavingAction, _ environment: AppEnvironment
    ) -> Effect? {
        guard state.ui.mode.commandName != nil else { return nil }
        let kept = state.keepLine(environment)
        return { send in
            await kept?(send)
            await send(.leaving(action))
        }
    }

    // MARK: The end

    /// The end with all saved, or with the rest given up.
    private func end(_ state: inout AppState, _ leave: Leave, _ environment: AppEnvironment) {
        let unsaved = state.uncommittedAtEnd
        let obstacle = state.saving.reasonNotSaved
        var message = obstacle.map { "cannot write the list: \($0)" }
        if unsaved > 0 {
            let reason = state.reasonForKeeping
            // What is given up is what this session did: the first batch has what others left.
            let left = state.saving.counters.batches == 0 ? state.list.leftChanges : 0
            let mayBeSaved = state.saving.inFlight > 0 || environment.storage.mayHaveCommitted
            let fate = "\(mayBeSaved ? "may have been saved" : "lost"): \(reason)"
            message =
                left == 0
                ? "\(mayBeSaved ? unsaved.allChanges : unsaved.changes) \(fate)"
                : "\(left.changes) of an interrupted session kept for the next start, all others"
                    + " \(fate)"
        }
        end(&state, leave.status(isSaved: message == nil), saying: message, .none)
    }

    private func endKept(
        _ state: inout AppState, _ leave: Leave, in place: String, _ environment: AppEnvironment
    ) {
        let unsaved = state.uncommittedAtEnd
        guard unsaved > 0 else {
            return end(&state, leave.status(isSaved: false), saying: nil, .kept)
        }
        let them = unsaved == 1 ? "it" : "them"
        let restore = "sheaf restore \(ShellText.quoted(place)) --store"
        let future =
            if !environment.storage.isIdentified {
                ". \(Self.neverReached(them)): \(restore) URL --force"
            } else if state.list.unreadableReason != nil {
                "; to save \(them) in another list: \(restore) URL --force"
            } else {
                "; the next start on the list saves \(them). If the list has moved: \(restore) LIST"
            }
        end(
            &state, leave.status(isSaved: false),
            saying: "\(unsaved.changes) could not be saved (\(state.reasonForKeeping))\(future)",
            .kept)
    }

    /// The reason why a log that names no list is left to the user.
    private static func neverReached(_ them: String) -> String {
        "The list was never reached, so no start saves \(them) by itself"
    }

    /// The end where the rest could not be kept: what the log has of it waits there.
    private func endUnkept(
        _ state: inout AppState, _ leave: Leave, _ environment: AppEnvironment
    ) {
        guard state.saving.uncommitted > 0 else { return end(&state, leave, environment) }
        guard state.uncommittedAtEnd > 0 else {
            return end(&state, leave.status(isSaved: false), saying: nil, .kept)
        }
        let unsaved = state.uncommittedAtEnd
        let future =
            environment.storage.isIdentified
            ? "; the next start tries again"
            : ". \(Self.neverReached(unsaved == 1 ? "it" : "them")): see sheaf doctor --store URL"
        end(
            &state, leave.status(isSaved: false),
            saying: "\(unsaved.changes) not saved: \(state.reasonForKeeping)\(future)", .kept)
    }

    private func end(
        _ state: inout AppState, _ status: Int32, saying message: String?, _ rest: Exit.Rest
    ) {
        let dropped = state.ui.abandonedKeys
        let parts = [
            dropped > 0 ? "\(dropped.keys) dropped: the list did not load in time" : nil,
            state.ui.bulk.map { "\($0.title) was interrupted: nothing was changed" },
            message,
        ].compactMap(\.self)
        state.leaving = .ended(
            Exit(
                status: status, message: parts.isEmpty ? nil : parts.joined(separator: "; "),
                rest: rest))
    }
}

extension LeavingAction {
    /// Why the program is to end, where that is what has happened.
    fileprivate var leave: Leave? {
        switch self {
        case .quitRequested: .quit
        case .signalled(let signal): .signalled(signal)
        default: nil
        }
    }
}

extension PersistenceStatus {
    /// Whether another flush may save what this one has not: it came later.
    fileprivate var mayStillBeSaved: Bool { pending + inFlight > 0 && failure == nil }
}

extension AppState {
    /// What becomes of what is not saved, where a flush is not waited for; nil where it is.
    fileprivate func restAtOnce(in storage: any ListStorage) -> Exit.Rest? {
        // There is nothing to save, and nowhere to keep it.
        if !storage.isDurable { return Exit.Rest.none }
        // What is shown as unsaved waits in the logs that interrupted sessions left. Where the
        // right was taken while the list was open, it was typed here.
        return storage.readOnlyReason == nil || list.readOnlyReason == nil || list.lostAccess
            ? nil : .kept
    }

    /// The changes that are not committed and will be. Of a bulk command that is cut short nothing
    /// will.
    fileprivate var uncommittedAtEnd: Int { ui.bulk?.uncommittedBefore ?? saving.uncommitted }

    fileprivate var reasonForKeeping: String { saving.reasonNotSaved ?? "storage did not respond" }
}

extension Leave {
    /// What the process ends with.
    fileprivate func status(isSaved: Bool) -> Int32 {
        switch self {
        case .quit: isSaved ? 0 : 74
        case .signalled(let signal): 128 + signal
        }
    }
}
