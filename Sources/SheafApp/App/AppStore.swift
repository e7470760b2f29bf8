import SheafList

/// The application's store: one state, one pipeline to storage.
///
/// A thin wrapper that configures Swidux's `Store` for Sheaf: persistence, undo, and loading while
/// the user already works.
@MainActor
package final class AppStore: SwiduxDispatcher {
    private let store: Store<AppState, AppAction, AppEnvironment>
    private let persistence: AppPersistence
    private let storage: any ListStorage
    private let sleep: @Sendable (Duration) async throws -> Void
    private let log: (any ListLog)?
    private let rememberView: @Sendable (RememberedView) -> Void
    private let pipeline: any SavePipeline
    private let undo: UndoHistory<AppState, AppAction>
    private var watch: (any StorageWatch)?

    /// Creates a store over `environment.storage`.
    ///
    /// - Parameters:
    ///   - options: the timing of the pipeline.
    ///   - log: the log that protects uncommitted changes from a sudden end of the process.
    ///   - middleware: middleware around every action.
    package init(
        initialState: AppState, environment: AppEnvironment,
        options: PersistenceOptions = PersistenceOptions(),
        log: (any ListLog)? = nil,
        middleware: [Middleware<AppState, AppAction>] = []
    ) {
        let storage = environment.storage
        var options = options
        options.describe = { ($0 as? StorageError)?.reason ?? "\($0)" }
        let persistence = AppPersistence(
            writers: AppState.writers,
            empty: { StorageChanges() },
            options: options,
            log: log.map { $0.intents },
            commit: { try await storage.commit($0) },
            fetch: { known in try await storage.externalChanges { await known() } })
        persistence.isMidCommand = { $0.ui.bulk != nil }
        var environment = environment
        let pipeline = AppPipeline(
            persistence, to: storage, isReadOnly: initialState.list.readOnlyReason != nil, log: log,
            sleep: environment.sleep)
        environment.pipeline = pipeline
        self.pipeline = pipeline
        rememberView = environment.rememberView
        self.storage = storage
        self.log = log
        sleep = environment.sleep
        self.persistence = persistence
        undo = UndoHistory(
            tracks: AppState.undoTracks,
            maxAtOnce: environment.maxChangedAtOnce,
            now: options.now,
            classify: AppAction.undoRole,
            report: { .history(.applied($0)) })
        store = Store(
            initialState: initialState,
            reducer: AppReducer(),
            environment: environment,
            persistence: persistence,
            arrived: { .saving(.arrived($0)) },
            undo: undo,
            middleware: [
                .updatingSaveStates(in: persistence), .applyingTypedItems,
                .beginningDays(environment),
                .rememberingQueries(environment),
            ] + middleware)
        persistence.onStatus = { [weak store] in store?.send(.saving(.statusChanged($0))) }
        persistence.onCommit = { [weak self] in
            if case .failure(let error) = $0 { self?.commitFailed(error) }
        }
        persistence.onFetch = { [weak self] in
            switch $0 {
            case .success(let fetched): self?.report(fetched)
            case .failure(let error): self?.fetchFailed(error)
            }
        }
    }

    /// The state after the last action. Reading a part of it copies only that part.
    package var state: AppState { _read { yield store.state } }

    /// Returns the reason why `action` would have no effect at this point of the history, in a few
    /// words, or nil.
    package func obstacle(to action: AppAction) -> String? {
        switch action {
        case .history(.undoRequested): undo.canUndo ? nil : "nothing to undo"
        case .history(.redoRequested): undo.canRedo ? nil : "nothing to redo"
        default: nil
        }
    }

    /// Handles `action` in first-in, first-out order. A send within a send is queued.
    package func send(_ action: AppAction) {
        store.send(action)
    }

    /// Calls `body` after every action, or once a turn, until the subscription is cancelled or
    /// released.
    package func subscribe(
        oncePerTurn: Bool = false,
        _ body: @escaping @MainActor (AppState) -> Void
    ) -> Subscription {
        store.subscribe(oncePerTurn: oncePerTurn, body)
    }

    /// Returns when no action is queued and no effect is running.
    package func settled() async {
        await store.settled()
    }

    /// Commits all pending changes, and returns when that has succeeded or failed.
    package func flush() async {
        await persistence.flush()
    }

    /// Completes the work before the process ends: saves the view for the next start, and ends the
    /// log.
    package func finish(_ exit: Exit) {
        rememberView(RememberedView(state))
        pipeline.end(exit.unsavedChanges)
    }

    /// Starts to fetch changes of other processes whenever storage reports that the store may have
    /// changed.
    private func beginWatching() {
        let persistence = persistence
        watch = storage.watch { [weak store] in
            Task { @MainActor in
                if store?.state.list.readOnlyReason != nil {
                    store?.send(.session(.accessCheckRequested))
                }
                persistence.fetchNow()
            }
        }
    }

    // MARK: Reports of storage

    private func commitFailed(_ error: any Error) {
        // The pipeline itself reports unsaved changes.
        guard let error = error as? StorageError, error.code == .denied else { return }
        reportUnreadable(error.reason)
    }

    private func fetchFailed(_ error: any Error) {
        guard let error = error as? StorageError else { return }
        switch error.code {
        case .denied: reportUnreadable(error.reason)
        // A lock is temporary.
        case .busy: break
        default:
            // A list that cannot be read cannot be saved. A commit, even an empty one, reports the
            // cause, and later succeeds when the cause is gone.
            if storage.readOnlyReason == nil { persistence.requireCommit() }
        }
    }

    /// Reports the authors of fetched changes, and the notice of storage.
    private func report(_ fetched: FetchedChanges<StorageChanges>) {
        Task { [weak self, storage] in
            if let notice = await storage.consumeNotice() { self?.send(.saving(.noticed(notice))) }
        }
        let changes = fetched.changes
        if !changes.authors.isEmpty {
            send(.saving(.authorsKnown(changes.authors, items: changes.items.upserts)))
        }
        reportUnreadable(nil)
        // The user may have lost write access to the list.
        if let reason = storage.readOnlyReason, state.list.readOnlyReason == nil {
            send(.session(.accessLost(reason: reason)))
        }
    }

    /// Reports the reason why the list can no longer be read, or nil once it can.
    private func reportUnreadable(_ reason: String?) {
        guard state.list.unreadableReason != reason else { return }
        send(.session(.readingFailed(reason: reason)))
    }

    /// Loads the list while the user works: first a small page that fills the screen at once, then
    /// the rest, which ``ItemReader`` collects in a store on another thread. Waits for locks of
    /// other processes without a time limit.
    package func load() async {
        do {
            if state.list.loading?.obstacle != nil { await countAbandoned() }
            let (rows, itemCount, lastRank) = try await waitingForLocks(meanwhile: countAbandoned) {
                [storage] in
                (
                    try await storage.loadSmall(), try await storage.itemCount(),
                    try await storage.lastItemRank()
                )
            }
            send(.session(.tagsAndViewsLoaded(rows, itemCount: itemCount, lastRank: lastRank)))
            try await recover()
            try await loadItems()
            let advice = try await waitingForLocks { [storage] in try await storage.advice() }
            send(.session(.loadEnded(advice: advice)))
            beginWatching()
        } catch {
            let reason = (error as? StorageError)?.reason ?? "\(error)"
            send(.session(.loadFailed(reason: reason)))
        }
    }

    /// The number of items in the first page, which fills the screen.
    private static let firstPage = 200
    /// The time after which the rows read so far are shown if more remain.
    private static let progressInterval = Duration.seconds(1)

    private func loadItems() async throws {
        var page = try await page(after: nil, limit: Self.firstPage)
        guard !page.isEmpty else { return }
        send(.session(.itemsLoaded(page)))
        let reader = ItemReader(state.list.loading ?? Loading(), today: state.today)
        var shown = ContinuousClock.now
        while let last = page.last {
            let read = page
            async let added: Void = reader.add(read)
            page = try await self.page(after: last.position, limit: FoundItems.longPage)
            await added
            if page.isEmpty || ContinuousClock.now - shown > Self.progressInterval {
                send(.session(.remainingItemsLoaded(await reader.read)))
                shown = .now
            }
        }
    }

    private func page(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await waitingForLocks { [storage] in
            try await storage.loadItems(after: cursor, limit: limit)
        }
    }

    /// Counts the changes of interrupted sessions, so that they are shown as unsaved while the list
    /// is locked. The logs are not locked meanwhile. The changes to recover are determined once the
    /// list is unlocked.
    private func countAbandoned() async {
        guard let log, state.list.waitingChanges == 0 else { return }
        reportAbandoned(await log.countAbandoned())
    }

    private func reportAbandoned(_ count: Int) {
        if count != state.list.waitingChanges { send(.session(.abandonedFound(changes: count))) }
    }

    /// Recovers the changes of interrupted sessions before the pages with their rows are loaded.
    /// They are pending in this process from now on.
    private func recover() async throws {
        guard let log else { return }
        var abandoned = await log.abandoned()
        abandoned.batches = try await waitingForLocks { [storage, abandoned] in
            try await storage.notCommitted(abandoned.batches)
        }
        reportAbandoned(AbandonedChanges.count(abandoned.batches))
        let ids = AbandonedChanges.touchedItems(abandoned.batches)
        // Usually there are no such changes. The start then needs no query to storage and no
        // redraw.
        guard !abandoned.batches.isEmpty || !abandoned.unreadable.isEmpty else {
            return log.adopt {}
        }
        let items = try await waitingForLocks { [storage] in
            try await storage.loadItems(ids: Array(ids))
        }
        log.adopt { send(.session(.recovered(abandoned, stored: items))) }
    }

    /// Returns the result of `read` once no other process has locked the store. Calls `meanwhile`
    /// after every failed attempt.
    private func waitingForLocks<T: Sendable>(
        meanwhile: () async -> Void = {}, _ read: @Sendable () async throws -> T
    ) async throws -> T {
        while true {
            do {
                return try await read()
            } catch let error as StorageError where error.code == .busy {
                send(.session(.loadDelayed(reason: error.reason)))
                await meanwhile()
                try await sleep(.milliseconds(100))
            }
        }
    }
}
