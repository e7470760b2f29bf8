import SheafList

/// The pipeline from the state of the application to the storage of its list.
typealias AppPersistence = PersistencePipeline<AppState, StorageChanges>

/// The pipeline, with the operations that effects use.
@MainActor
final class AppPipeline: SavePipeline {
    private let persistence: AppPersistence
    private let storage: any ListStorage
    private let log: (any ListLog)?

    /// - Parameter isReadOnly: True if the screen shows that the list is read-only. Storage that is
    ///   opened later may disagree. Its commits then fail, as when the user loses write access to
    ///   an open list.
    init(
        _ persistence: AppPersistence, to storage: any ListStorage,
        isReadOnly: Bool, log: (any ListLog)?
    ) {
        self.persistence = persistence
        self.storage = storage
        self.log = log
        persistence.isReadOnly = isReadOnly
        log?.isSuspended = persistence.isReadOnly
    }

    func flush() async { await persistence.flush() }

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
        // Changes of interrupted sessions have waited in their logs.
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
