import SheafList

/// The steps that lead to the end of the program, and the events on the way.
package enum LeavingAction: Hashable, Sendable {
    case quitRequested
    /// A signal arrived, or the terminal was disconnected.
    case signalled(Int32)
    /// The time limit for storage after a signal has expired. The program now keeps unsaved changes
    /// for the next start.
    case flushTimedOut(Int32)
    /// The time limit for keeping the changes has expired, too.
    case overdue(Int32)
    /// The awaited flush has ended. The effect that awaits it sends this action, so every earlier
    /// status has already arrived.
    case flushed
    case answered(Answer)
    /// The unsaved changes were kept at `place`.
    case kept(KeepAttempt, place: String)
    case keepingFailed(KeepAttempt, reason: String)

    /// The answer to the question about unsaved changes.
    package enum Answer: Hashable, Sendable {
        case retry, keep, discard, stay
    }
}

extension LeavingAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .quitRequested, .signalled, .flushTimedOut, .overdue, .flushed, .answered, .kept,
            .keepingFailed:
            ActionTraits.program.acceptingLine
        }
    }
}

/// All transitions of ``Leaving``.
///
/// The reducer decides to end the program while it handles one action, from the state alone, and
/// refuses every later action. So no key can be typed and painted after the decision and then be
/// lost.
///
/// The decision requires that `state.saving` is current. Four actions can lead to it: the end of a
/// flush, the result of keeping, an expired time limit, and an answer. Each is sent while the store
/// handles no other action, so the status that an earlier action caused has been queued before it.
/// If storage cannot save anything, a quit or a signal ends the program at once, for every status.
///
/// `state.saving` does not count the changes of an action until the store has handled the action.
/// If a line is open, the reducer therefore accepts the line first and sends the same action again.
extension LeavingAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        if let rest = state.fateWithoutFlush(in: environment.storage), let leave {
            if state.leaving.exit == nil {
                Self.end(&state, leave.status(isSaved: true), saying: nil, rest)
            }
            return nil
        }
        switch (state.leaving, self) {
        case (.ended, _):
            return nil
        case (.saving(.signalled), .quitRequested), (.keeping, .quitRequested):
            return nil
        case (_, .quitRequested):
            return Self.quit(&state, environment)
        case (.saving(.signalled), .signalled), (.keeping(.signalled, _), .signalled):
            return nil
        case (_, .signalled(let signal)):
            return Self.save(&state, .signalled(signal), environment)
        case (.keeping(.signalled, _), .flushTimedOut):
            return nil
        case (_, .flushTimedOut(let signal)):
            if let again = acceptLine(&state, environment) { return again }
            return Self.conclude(&state, .signalled(signal), environment)
        case (_, .overdue(let signal)):
            if let again = acceptLine(&state, environment) { return again }
            Self.endWithoutKeeping(&state, .signalled(signal), environment)
        case (.saving, .flushed) where state.ui.bulk != nil:
            // Continues once the bulk command is complete.
            return nil
        case (.saving(let leave), .flushed):
            // Changes that the user made after a signal are saved, too.
            guard state.ui.mode.commandName == nil, !state.saving.mayStillBeSaved else {
                return Self.save(&state, leave, environment)
            }
            return Self.conclude(&state, leave, environment)
        case (.suspending, .flushed):
            // Changes that storage has not accepted are in the log, and still in memory after `fg`.
            Self.stay(&state)
            return { [terminal = environment.terminal] _ in await terminal.suspend() }
        case (.asking, .flushed) where state.saving.uncommitted == 0:
            return Self.conclude(&state, .quit, environment)
        case (_, .flushed):
            return nil
        case (.asking, .answered(let answer)):
            return Self.take(answer, &state, environment)
        case (_, .answered):
            return nil
        case (.keeping(let leave, let current), .kept(let keeping, let place))
        where keeping == current:
            if let again = acceptLine(&state, environment) { return again }
            guard keeping.isCurrent(in: state.saving) else {
                return Self.conclude(&state, leave, environment, answer: .keep)
            }
            Self.endKept(&state, leave, in: place, environment)
        case (.keeping(let leave, let current), .keepingFailed(let keeping, let reason))
        where keeping == current:
            if let again = acceptLine(&state, environment) { return again }
            guard leave == .quit, state.saving.uncommitted > 0 else {
                Self.endWithoutKeeping(&state, leave, environment)
                return nil
            }
            Self.ask(&state, environment, keepingFailure: reason)
        case (.keeping, .kept), (.keeping, .keepingFailed):
            // The result of an earlier attempt. The awaited attempt supersedes it.
            return nil
        case (_, .kept), (_, .keepingFailed):
            // The user has cancelled the request to quit, and the log continues.
            return nil
        }
        return nil
    }

    // MARK: Reports from other features

    /// Continues a quit that waited for a bulk command, which is now complete.
    static func bulkEnded(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard case .saving(let leave) = state.leaving else { return nil }
        return save(&state, leave, environment)
    }

    /// Cancels a request to quit or suspend, because the user typed a key other than an answer.
    static func keyTyped(_ state: inout AppState) {
        switch state.leaving {
        case .saving(.quit), .suspending, .asking, .keeping(.quit, _): stay(&state)
        case .staying, .saving, .keeping, .ended: break
        }
    }

    /// Begins to suspend the program. Like any key, the request cancels a request to quit. After a
    /// signal to end, it has no effect.
    static func suspensionRequested(_ state: inout AppState, _ environment: AppEnvironment)
        -> Effect?
    {
        switch state.leaving {
        case .saving(.signalled), .keeping(.signalled, _), .ended: return nil
        case .staying, .saving(.quit), .suspending, .asking, .keeping(.quit, _): break
        }
        if state.saving.uncommitted > 0 || state.ui.mode.commandName != nil {
            state.ui.show(suspending, hint: cancelling)
        }
        return flush(&state, .suspending, environment)
    }

    /// Handles a change of `state.saving`. If everything is saved while the question about unsaved
    /// changes is open, a last flush ends the program. The question stays open until then, so that
    /// a key typed in that moment is still an answer.
    static func savingChanged(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard state.leaving.isAsking, state.saving.uncommitted == 0 else { return nil }
        return flush(environment)
    }

    // MARK: Transitions

    private static let quitting = "Quitting once everything is saved"
    private static let suspending = "Suspending once everything is saved"
    private static let cancelling = "any key cancels"

    /// Returns true if the message is about waiting for storage.
    static func isWaiting(_ toast: Toast?) -> Bool {
        toast?.text == quitting || toast?.text == suspending
    }

    private static func stay(_ state: inout AppState) {
        state.leaving = .staying
        state.ui.noticeAtEnd = nil
        if isWaiting(state.ui.toast) { state.ui.toast = nil }
    }

    private static func quit(_ state: inout AppState, _ environment: AppEnvironment) -> Effect {
        if state.saving.uncommitted > 0 { state.ui.show(quitting, hint: cancelling) }
        return save(&state, .quit, environment)
    }

    private static func save(
        _ state: inout AppState, _ leave: LeaveReason, _ environment: AppEnvironment
    ) -> Effect {
        flush(&state, .saving(leave), environment)
    }

    /// Accepts the open line, and waits for a flush in the state `leaving`.
    private static func flush(
        _ state: inout AppState, _ leaving: Leaving, _ environment: AppEnvironment
    ) -> Effect {
        let kept = state.acceptLine(environment)
        state.leaving = leaving
        return { [flush = flush(environment)] send in
            await kept?(send)
            await flush(send)
        }
    }

    private static func flush(_ environment: AppEnvironment) -> Effect {
        { [pipeline = environment.pipeline] send in
            await pipeline.flush()
            await send(.leaving(.flushed))
        }
    }

    /// Stops waiting for storage. If everything is saved, ends the program. After a signal or the
    /// answer `keep`, keeps the changes. Otherwise asks the user.
    private static func conclude(
        _ state: inout AppState, _ leave: LeaveReason, _ environment: AppEnvironment,
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

    private static func ask(
        _ state: inout AppState, _ environment: AppEnvironment, keepingFailure: String? = nil
    ) {
        state.ui.mode = .normal
        if isWaiting(state.ui.toast) { state.ui.toast = nil }
        state.leaving = .asking(
            keepingFailure: keepingFailure, mayBeSaved: environment.storage.mayHaveCommitted)
    }

    private static func take(
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

    private static func keep(
        _ state: inout AppState, _ leave: LeaveReason, _ environment: AppEnvironment
    ) -> Effect {
        state.keepAttempts += 1
        let keeping = KeepAttempt(state.keepAttempts, of: state.saving)
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

    /// Accepts the open line, and sends this action again. Returns nil if no line is open.
    private func acceptLine(
        _ state: inout AppState, _ environment: AppEnvironment
    ) -> Effect? {
        guard state.ui.mode.commandName != nil else { return nil }
        let kept = state.acceptLine(environment)
        return { send in
            await kept?(send)
            await send(.leaving(self))
        }
    }

    // MARK: The end

    /// Ends the program after all changes were saved or the rest was discarded.
    private static func end(
        _ state: inout AppState, _ leave: LeaveReason, _ environment: AppEnvironment
    ) {
        let unsaved = state.uncommittedAtEnd
        let obstacle = state.saving.reasonNotSaved
        var message = obstacle.map { "cannot write the list: \($0)" }
        if unsaved > 0 {
            let reason = state.reasonForKeeping
            // The user discards the changes of this session. If no batch has been committed, the
            // uncommitted changes include those that interrupted sessions left.
            let left = state.saving.counters.batches == 0 ? state.list.abandonedChanges : 0
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

    private static func endKept(
        _ state: inout AppState, _ leave: LeaveReason, in place: String,
        _ environment: AppEnvironment
    ) {
        let unsaved = state.uncommittedAtEnd
        guard unsaved > 0 else {
            return end(&state, leave.status(isSaved: false), saying: nil, .kept)
        }
        let them = unsaved == 1 ? "it" : "them"
        let restore = "sheaf restore \(ShellText.quoted(place)) --store"
        let future =
            if !environment.storage.isIdentified {
                ". \(neverReached(them)): \(restore) URL --force"
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

    /// The reason why the user has to recover a log that belongs to no list.
    private static func neverReached(_ them: String) -> String {
        "The list was never reached, so no start saves \(them) by itself"
    }

    /// Ends the program when the remaining changes could not be kept. Those in the log stay there.
    private static func endWithoutKeeping(
        _ state: inout AppState, _ leave: LeaveReason, _ environment: AppEnvironment
    ) {
        guard state.saving.uncommitted > 0 else { return end(&state, leave, environment) }
        guard state.uncommittedAtEnd > 0 else {
            return end(&state, leave.status(isSaved: false), saying: nil, .kept)
        }
        let unsaved = state.uncommittedAtEnd
        let future =
            environment.storage.isIdentified
            ? "; the next start tries again"
            : ". \(neverReached(unsaved == 1 ? "it" : "them")): see sheaf doctor --store URL"
        end(
            &state, leave.status(isSaved: false),
            saying: "\(unsaved.changes) not saved: \(state.reasonForKeeping)\(future)", .kept)
    }

    private static func end(
        _ state: inout AppState, _ status: Int32, saying message: String?,
        _ unsavedChanges: Exit.UnsavedChanges
    ) {
        let dropped = state.ui.keysDroppedAtEnd
        let parts = [
            dropped > 0 ? "\(dropped.keys) dropped: the list did not load in time" : nil,
            state.ui.bulk.map { "\($0.title) was interrupted: nothing was changed" },
            state.ui.noticeAtEnd,
            message,
        ].compactMap(\.self)
        state.leaving = .ended(
            Exit(
                status: status, message: parts.isEmpty ? nil : parts.joined(separator: "; "),
                unsavedChanges: unsavedChanges))
    }
}

extension LeavingAction {
    /// The reason to end the program, if the action is a request to end it.
    fileprivate var leave: LeaveReason? {
        switch self {
        case .quitRequested: .quit
        case .signalled(let signal): .signalled(signal)
        default: nil
        }
    }
}

extension PersistenceStatus {
    /// True if another flush may save the remaining changes, because they were made after the last
    /// flush began.
    fileprivate var mayStillBeSaved: Bool { pending + inFlight > 0 && failure == nil }
}

extension AppState {
    /// Returns the fate of unsaved changes if the program ends without waiting for a flush, or nil
    /// if it waits.
    fileprivate func fateWithoutFlush(in storage: any ListStorage) -> Exit.UnsavedChanges? {
        // There are no changes to save and no place to keep them.
        if !storage.isDurable { return Exit.UnsavedChanges.none }
        // The unsaved changes of a read-only list are in the logs of interrupted sessions. If the
        // user lost write access while the list was open, this session made them.
        return storage.readOnlyReason == nil || list.readOnlyReason == nil || list.lostWriteAccess
            ? nil : .kept
    }

    /// The number of uncommitted changes that can still be committed. An interrupted bulk command
    /// contributes none.
    fileprivate var uncommittedAtEnd: Int { ui.bulk?.uncommittedBefore ?? saving.uncommitted }

    fileprivate var reasonForKeeping: String { saving.reasonNotSaved ?? "storage did not respond" }
}

extension LeaveReason {
    /// Returns the exit status of the process.
    fileprivate func status(isSaved: Bool) -> Int32 {
        switch self {
        case .quit: isSaved ? 0 : 74
        case .signalled(let signal): 128 + signal
        }
    }
}
