import SheafList

/// The pipeline from the state of the application to the storage of its list.
typealias AppPersistence = PersistencePipeline<AppState, StorageChanges>

/// The pipeline, with the operations that effects use.
@MainActor
final class AppPipeline: SavePipeline {
    private let persistence: AppPersistence
    private let storage: any ListStorage
    private let log: (any ListLog)?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The time after which storage copies a list whose file remains missing.
    private static let replacementDelay = Duration.milliseconds(500)

    /// - Parameter isReadOnly: True if the screen shows that the list is read-only. Storage that is
    ///   opened later may disagree. Its commits then fail, as when the user loses write access to
    ///   an open list.
    init(
        _ persistence: AppPersistence, to storage: any ListStorage,
        isReadOnly: Bool, log: (any ListLog)?,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.persistence = persistence
        self.storage = storage
        self.log = log
        self.sleep = sleep
        persistence.isReadOnly = isReadOnly
        log?.isSuspended = persistence.isReadOnly
    }

    func flush() async {
        await persistence.flush()
        // The watch reports a replaced file after a short delay, during which the program may end.
        guard await storage.mayLackCommits() else { return }
        await persistence.fetchOnce()
        await persistence.flush()
        guard await storage.mayLackCommits() else { return }
        // The list is locked, or its file is missing. A tool may be about to put another file
        // there.
        persistence.requireCommit()
        await wait(Self.replacementDelay)
        await persistence.flush()
    }

    private func wait(_ duration: Duration) async {
        do { try await sleep(duration) } catch { return }
    }

    func keep() async throws -> String {
        guard let place = try await persistence.keepLog() else { throw NoLog() }
        return place
    }

    func recheckAccess() async -> Bool {
        await storage.recheckAccess()
        guard storage.readOnlyReason == nil else { return false }
        // Write access was lost and regained; the pipeline has kept retrying.
        guard persistence.isReadOnly else { return true }
        guard let log else {
            persistence.isReadOnly = false
            return true
        }
        log.isSuspended = false
        // The changes of interrupted sessions still wait in their logs.
        log.adopt { persistence.isReadOnly = false }
        return true
    }

    func end(_ unsavedChanges: Exit.UnsavedChanges) {
        switch unsavedChanges {
        case .none: persistence.giveUpLog()
        case .kept: persistence.closeLog()
        }
    }
}
