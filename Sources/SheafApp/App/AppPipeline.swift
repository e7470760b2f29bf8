import SheafList

/// The pipeline from the state of the application to the storage of its list.
typealias AppPersistence = PersistencePipeline<AppState, StorageChanges>

/// The pipeline as effects know it.
@MainActor
final class AppPipeline: SavePipeline {
    private let persistence: AppPersistence
    private let storage: any ListStorage
    private let log: (any ListLog)?

    /// - Parameter isReadOnly: true if the screen shows that the list can only be read. Storage
    ///   that is opened later may say something else by now; then its commits fail, as those of a
    ///   list whose right is lost while it is open.
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

    func reconsiderAccess() async -> Bool {
        await storage.reconsiderAccess()
        guard storage.readOnlyReason == nil else { return false }
        // The right was taken and given back: the pipeline has retried all along.
        guard persistence.isReadOnly else { return true }
        guard let log else {
            persistence.isReadOnly = false
            return true
        }
        log.isSuspended = false
        // What others left has waited in their logs.
        log.takeOver { persistence.isReadOnly = false }
        return true
    }

    func end(_ rest: Exit.Rest) {
        switch rest {
        case .none: persistence.giveUpLog()
        case .kept: persistence.closeLog()
        }
    }
}
