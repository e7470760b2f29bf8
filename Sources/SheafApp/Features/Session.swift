import Glibc
import SheafList

/// The program's lifecycle: loading, the size of the terminal, suspending.
package enum SessionAction: Sendable {
    /// The day has changed since the last action.
    case dayBegan(CalendarDay)
    /// The number of changes of interrupted sessions that wait in their logs until they are
    /// recovered.
    case abandonedFound(changes: Int)
    /// All tags and views, with the number of stored items and the rank of the last one.
    case tagsAndViewsLoaded(StorageChanges, itemCount: Int, lastRank: Rank?)
    /// The changes that interrupted sessions left, and the stored items among those they affect.
    case recovered(AbandonedLogContent, stored: [Item])
    /// The first page of items.
    case itemsLoaded([Item])
    /// All items, or those read so far.
    case remainingItemsLoaded(ReadItems)
    /// The first page has been on the screen long enough that new keys apply to it.
    case rowsSeen
    /// The load has ended. `advice` is a message of storage about a list of this size.
    case loadEnded(advice: String?)
    /// The list cannot be read yet. The load is retried until it succeeds.
    case loadDelayed(reason: String)
    case loadFailed(reason: String)
    /// A read-only list may have become writable.
    case accessCheckRequested
    /// A read-only list has become writable.
    case accessGained
    /// The user lost write access to the list, but can still read it.
    case accessLost(reason: String)
    /// The user lost read access to the list, or regained it if `reason` is nil.
    case readingFailed(reason: String?)
    case resized(Size)
    case toastExpired(serial: Int)
    case redrawRequested
    case suspendRequested
}

extension SessionAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .dayBegan, .abandonedFound, .tagsAndViewsLoaded, .recovered, .itemsLoaded,
            .remainingItemsLoaded, .rowsSeen,
            .loadEnded, .loadDelayed, .loadFailed, .accessCheckRequested, .accessGained,
            .accessLost,
            .readingFailed, .resized, .toastExpired, .redrawRequested:
            .program
        case .suspendRequested: ActionTraits.program.acceptingLine
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .dayBegan(let day):
            // Marks the open range first, because the new day may change the rows.
            let hasRange = state.ui.marks.range != nil
            let fill = state.markRange()
            if hasRange { state.ui.show("The range ended: a new day began", isAlert: true) }
            if state.ui.count != nil, state.ui.lostSubject == nil {
                state.ui.lostSubject = .otherRows("A new day began")
            }
            state.today = day
            return fill
        case .abandonedFound(let changes):
            state.list.abandonedChanges = changes
            state.list.waitingChanges = changes
        case .recovered(let abandoned, let items):
            state.recover(abandoned, stored: items)
        case .tagsAndViewsLoaded, .itemsLoaded, .remainingItemsLoaded, .loadEnded, .loadDelayed,
            .loadFailed:
            return load(&state, self, environment)
        case .accessCheckRequested:
            guard state.list.readOnlyReason != nil else { return nil }
            return accessCheck(environment)
        case .accessGained:
            guard !state.list.isPartial, state.list.readOnlyReason != nil else { return nil }
            state.list.readOnlyReason = nil
            state.list.lostWriteAccess = false
            state.ui.show("The list is now writable")
        case .accessLost(let reason):
            state.list.readOnlyReason = reason
            state.list.lostWriteAccess = true
            state.ui.show("Read-only. \(reason)", isAlert: true)
        case .readingFailed(let reason):
            state.list.unreadableReason = reason
        case .rowsSeen:
            state.list.loading?.stage = .rowsSeen
        case .resized(let size):
            state.ui.size = size
        case .toastExpired(let serial):
            // A message about waiting stays until the wait ends.
            let isWaiting = LeavingAction.isWaiting(state.ui.toast) && state.leaving != .staying
            if state.ui.toast?.serial == serial, !isWaiting { state.ui.toast = nil }
        case .redrawRequested:
            return { [terminal = environment.terminal] _ in await terminal.redraw() }
        case .suspendRequested:
            return LeavingAction.suspensionRequested(&state, environment)
        }
        return nil
    }

    /// Returns an effect that asks storage again whether the list can be written to.
    private func accessCheck(_ environment: AppEnvironment) -> Effect {
        { [pipeline = environment.pipeline] send in
            if await pipeline.recheckAccess() { await send(.session(.accessGained)) }
        }
    }

    /// The minimum time for which rows must be visible before keys can apply to them.
    private static let minimumExposure = Duration.milliseconds(300)

    private func load(
        _ state: inout AppState, _ action: SessionAction, _ environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .tagsAndViewsLoaded(let rows, let itemCount, let lastRank):
            func fill(_ kind: (some StateEntity).Type) { state[kind].hydrate(rows[kind].upserts) }
            for kind in AppState.kinds { fill(kind) }
            state.list.loading?.total = itemCount
            state.list.loading?.lastRank = lastRank
            if let lastRank { state.moveEarlyItems(behind: lastRank) }
            state.list.loading?.obstacle = nil
            state.list.loading?.stage = .tags
            if let view = state.ui.remembered { state.showLoss(from: view) }
            state.restoreView(environment)
        case .itemsLoaded(let items):
            let isFirst = state.list.loading.map { $0.stage < .rows } ?? false
            state.list.loading?.obstacle = nil
            if isFirst { state.list.loading?.stage = .rows }
            state.items.hydrate(items.map(state.list.loading?.withoutGoneTags ?? { $0 }))
            state.restoreView(environment)
            guard isFirst, state.ui.remembered != nil else { return nil }
            return { [sleep = environment.sleep] send in
                // The wait ends early only if it is cancelled.
                do { try await sleep(Self.minimumExposure) } catch { return }
                await send(.session(.rowsSeen))
            }
        case .remainingItemsLoaded(let read):
            state.list.loading?.obstacle = nil
            state.items.hydrate(from: read.items)
            state.totals = read.totals
            state.restoreView(environment)
        case .loadEnded(let advice):
            func end(_ kind: (some StateEntity).Type) { state[kind].endHydration() }
            for kind in AppState.kinds { end(kind) }
            if let lastRank = state.list.loading?.lastRank {
                state.makeRoomForEarlyItems(behind: lastRank)
            }
            state.list.loading = nil
            state.endRestoration(environment)
            if let said = state.list.notice ?? advice { state.ui.show(said) }
            state.list.notice = nil
        case .loadDelayed(let reason):
            state.list.loading?.obstacle = reason
        case .loadFailed(let reason):
            state.list.loading = nil
            let extent =
                state.items.isEmpty
                ? "The list cannot be read" : "Only part of the list could be read"
            state.list.readOnlyReason = "\(extent) (\(reason))."
            state.list.isPartial = true
            state.ui.show("Cannot read the list: \(reason)", isAlert: true)
        default: break
        }
        return nil
    }
}

extension AppState {
    /// Moves the items that the user added before the first page was loaded to the end of the list.
    ///
    /// Their ranks may be too long until the list is loaded.
    fileprivate mutating func moveEarlyItems(behind last: Rank) {
        var last = last
        for var item in items.values where item.rank <= last {
            item.rank = Rank.between(last, nil)
            items[item.id] = item
            last = item.rank
        }
    }
    /// Gives shorter ranks to the items that the user added before the first page was loaded, if
    /// their ranks are too long. `last` is the rank of the last stored item.
    fileprivate mutating func makeRoomForEarlyItems(behind last: Rank) {
        var row = items.count
        while row > 0, let item = items.entity(at: row - 1), item.rank > last { row -= 1 }
        let early = items.page(at: row, count: items.count - row)
        guard early.contains(where: \.rank.isTooLong) else { return }
        items.setPositions(items.room(for: early.map(\.id), at: row))
    }
}
