import Glibc

/// The life of the program: loading, the terminal's size, leaving.
public enum SessionAction: Sendable {
    case tagsLoaded([Tag], itemCount: Int, lastRank: Rank?)
    case itemsLoaded([Item])
    /// The first page has been on the screen long enough for keys to be about it.
    case rowsSeen
    /// All is read; `advice` is what storage has to say about a list of this size.
    case loadEnded(advice: String?)
    /// It will be tried again until it can be read.
    case loadDelayed(reason: String)
    case loadFailed(reason: String)
    case resized(Size)
    case toastExpired(serial: Int)
    case redrawRequested
    case suspendRequested
    case leaveRequested(Leave)
    case savedBeforeLeaving(Leave)
    /// Leave now, and give up what is not saved.
    case leaveConfirmed(Leave)
    /// Leave now, and save the changes to a rescue file.
    case rescueRequested(Leave)
    case rescued(Leave, Rescue)
    case rescueFailed(reason: String)

    /// What was done with what is not saved before leaving.
    public struct Rescue: Sendable {
        /// All that was not saved.
        let changes: StorageChanges
        /// What to say at the end.
        let message: String
        /// Whether it waits in the intent log, because no file could be written.
        let keepsLog: Bool
    }

    /// Why the program ends.
    public enum Leave: Hashable, Sendable {
        case quit
        /// SIGTERM, SIGHUP or SIGINT, or a terminal that went away: no one is there to answer a
        /// question.
        case signalled(Int32)
    }
}

struct SessionReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SessionAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .tagsLoaded, .itemsLoaded, .loadEnded, .loadDelayed, .loadFailed:
            return load(&state, action, environment)
        case .rowsSeen:
            state.list.loading?.isSeen = true
        case .resized(let size):
            state.ui.size = size
        case .toastExpired(let serial):
            if state.ui.toast?.serial == serial { state.ui.toast = nil }
        case .redrawRequested:
            return { [terminal = environment.terminal] _ in await terminal.redraw() }
        case .suspendRequested:
            let kept = state.keepDraft(environment)
            return { [environment] send in
                await kept?(send)
                await environment.saveNow()
                await environment.terminal.suspend()
            }
        case .leaveRequested(let leave):
            guard environment.storage.isDurable else {
                return { [terminal = environment.terminal] _ in
                    await terminal.leave(status: leave.status(isSaved: true), message: nil)
                }
            }
            let kept = state.keepDraft(environment)
            state.ui.isLeaving = true
            if state.saving.uncommitted > 0 { state.ui.showLeaving() }
            return { [environment] send in
                await kept?(send)
                await environment.saveNow()
                await send(.session(.savedBeforeLeaving(leave)))
            }
        case .savedBeforeLeaving(let leave):
            guard leave != .quit || state.ui.isLeaving else { return nil }
            return finish(&state, leave, environment)
        case .leaveConfirmed(let leave):
            state.ui.isLeaving = true
            return end(state, leave, environment)
        case .rescueRequested(let leave):
            state.ui.isLeaving = true
            let kept = state.keepDraft(environment)
            return merge(kept, rescue(state, leave, environment))
        case .rescued(let leave, let rescue):
            guard leave != .quit || state.ui.isLeaving else {
                return { [withdraw = environment.withdrawRescue] _ in withdraw() }
            }
            return end(state, leave, after: rescue, environment)
        case .rescueFailed(let reason):
            guard state.ui.mode.isNormal, state.saving.uncommitted > 0 else {
                state.ui.show("No rescue file was written: \(reason)", isAlert: true)
                return nil
            }
            ask(&state, .quit, because: "no rescue file: \(reason)")
        }
        return nil
    }

    /// Nobody reads and answers what has been shown for a shorter time.
    private static let glance = Duration.milliseconds(300)

    private func load(
        _ state: inout AppState, _ action: SessionAction, _ environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .tagsLoaded(let tags, let itemCount, let lastRank):
            state.tags.hydrate(tags)
            state.list.loading?.total = itemCount
            state.list.loading?.lastRank = lastRank
            if let lastRank { state.moveEarlyItems(behind: lastRank) }
            state.list.loading?.obstacle = nil
            state.list.loading?.hasTags = true
            state.restoreView()
        case .itemsLoaded(let items):
            let isFirst = state.list.loading?.hasRows == false
            state.list.loading?.obstacle = nil
            state.list.loading?.hasRows = true
            state.items.hydrate(items)
            state.restoreView()
            guard isFirst, state.ui.remembered != nil else { return nil }
            return { [sleep = environment.sleep] send in
                // Only a cancellation ends the wait early.
                do { try await sleep(Self.glance) } catch { return }
                await send(.session(.rowsSeen))
            }
        case .loadEnded(let advice):
            state.items.endHydration()
            state.tags.endHydration()
            state.list.loading = nil
            state.ui.remembered = nil
            if let said = state.list.recovery ?? advice { state.ui.show(said) }
            state.list.recovery = nil
        case .loadDelayed(let reason):
            state.list.loading?.obstacle = reason
        case .loadFailed(let reason):
            state.list.loading = nil
            state.list.readOnlyReason = "Not all of the list could be read (\(reason))."
            state.ui.show("Cannot read the list: \(reason)", isAlert: true)
        default: break
        }
        return nil
    }

    /// Ends the program if all is saved; asks where a person can answer.
    private func finish(
        _ state: inout AppState, _ leave: SessionAction.Leave, _ environment: AppEnvironment
    ) -> Effect? {
        let unsaved = state.saving.uncommitted
        // What was typed while storage was waited for is kept as well.
        let waiting = state.saving.pending + state.saving.inFlight
        guard state.ui.mode.draft == nil, waiting == 0 || state.saving.failure != nil else {
            return { send in await send(.session(.leaveRequested(leave))) }
        }
        guard unsaved > 0 else { return end(state, leave, environment) }
        guard leave == .quit else { return rescue(state, leave, environment) }
        ask(&state, leave, because: state.saving.obstacle)
        return nil
    }

    private func ask(
        _ state: inout AppState, _ leave: SessionAction.Leave, because reason: String?
    ) {
        let reason = reason.map { " (\($0))" } ?? ""
        state.ui.mode = .confirmation(
            Confirmation(
                question: "Quit with \(state.saving.uncommitted.changes)?\(reason)",
                verb: "discard", confirmed: .session(.leaveConfirmed(leave)),
                alternatives: Confirmation.Alternatives(
                    retry: .session(.leaveRequested(leave)),
                    rescue: .session(.rescueRequested(leave)))))
    }

    /// Writes what is not saved to a file elsewhere, and leaves then. If that fails too, a person
    /// is told, and otherwise it waits in the intent log. If all is saved by now, there is nothing
    /// to write.
    private func rescue(
        _ state: AppState, _ leave: SessionAction.Leave, _ environment: AppEnvironment
    ) -> Effect {
        let failure = state.saving.obstacle ?? "storage did not respond"
        var saved = state
        (saved.saving.pending, saved.saving.inFlight) = (0, 0)
        saved.saving.failure = nil
        let ended = end(saved, leave, environment)
        return { [environment] send in
            let changes = await environment.uncommitted()
            guard !changes.isEmpty else {
                environment.withdrawRescue()
                return await ended(send)
            }
            let unsaved = changes.tags.count + changes.items.count
            let message: String
            var keepsLog = false
            do {
                let path = try environment.rescue(changes)
                message =
                    "\(unsaved.changes) could not be saved (\(failure)); to apply them later: "
                    + "sheaf restore \(ShellText.quoted(path))"
            } catch {
                if leave == .quit {
                    let reason = (error as? StorageError)?.reason ?? "\(error)"
                    return await send(.session(.rescueFailed(reason: reason)))
                }
                keepsLog = true
                message =
                    "\(unsaved.changes) not saved: \(failure); the next start tries again"
            }
            let rescue = SessionAction.Rescue(
                changes: changes, message: message, keepsLog: keepsLog)
            await send(.session(.rescued(leave, rescue)))
        }
    }

    /// Leaves, unless more was typed while the file was written, which has been painted and belongs
    /// into it, or some of it was saved.
    private func end(
        _ state: AppState, _ leave: SessionAction.Leave, after rescue: SessionAction.Rescue,
        _ environment: AppEnvironment
    ) -> Effect {
        let view = RememberedView(state)
        return { [environment] send in
            environment.remember(view)
            let isLate = await MainActor.run {
                let isWhole = environment.uncommitted() == rescue.changes
                guard isWhole, environment.mayLeave(leave) else { return true }
                environment.closeLog(rescue.keepsLog)
                environment.terminal.leave(
                    status: leave.status(isSaved: false), message: rescue.message)
                return false
            }
            guard isLate else { return }
            if leave == .quit, await !environment.mayLeave(leave) {
                environment.withdrawRescue()
            } else {
                await send(.session(.rescueRequested(leave)))
            }
        }
    }

    private func end(
        _ state: AppState, _ leave: SessionAction.Leave, _ environment: AppEnvironment
    ) -> Effect {
        let unsaved = state.saving.uncommitted
        let reason = state.saving.obstacle
        var message = reason.map { "the list cannot be written: \($0)" }
        if unsaved > 0 {
            message = "\(unsaved.changes) lost: \(reason ?? "storage did not respond")"
        }
        let status = leave.status(isSaved: message == nil)
        if state.ui.abandonedKeys > 0 {
            let dropped = "\(state.ui.abandonedKeys.keys) dropped: the list was not read in time"
            message = [message, dropped].compactMap(\.self).joined(separator: "; ")
        }
        let view = RememberedView(state)
        return { [environment] send in
            environment.remember(view)
            // In one turn, so that no key comes between the look and the end.
            let isLate = await MainActor.run {
                // What was typed after all was saved has been painted.
                let isLate = unsaved == 0 && !environment.uncommitted().isEmpty
                if isLate || !environment.mayLeave(leave) { return true }
                // Nobody has said that what is not saved may go: then it waits in the log.
                environment.closeLog(leave != .quit)
                environment.terminal.leave(status: status, message: message)
                return false
            }
            if isLate { await send(.session(.savedBeforeLeaving(leave))) }
        }
    }
}

extension AppState {
    /// What was added before anything of the list was here was added at its end.
    fileprivate mutating func moveEarlyItems(behind last: Rank) {
        var last = last
        for var item in items.values where item.rank <= last {
            item.rank = Rank.between(last, nil)
            items[item.id] = item
            last = item.rank
        }
    }
}

extension SessionAction.Leave {
    /// What the process ends with.
    fileprivate func status(isSaved: Bool) -> Int32 {
        switch self {
        case .quit: isSaved ? 0 : 74
        case .signalled(let signal): 128 + signal
        }
    }
}

extension Int {
    /// The number with its noun: `1 unsaved change`, `2 unsaved changes`.
    fileprivate var changes: String {
        self == 1 ? "1 unsaved change" : "\(self) unsaved changes"
    }
}
