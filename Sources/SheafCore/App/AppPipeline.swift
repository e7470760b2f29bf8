/// The pipeline as effects know it.
@MainActor
final class AppPipeline: SavePipeline {
    private let persistence: PersistenceMiddleware<AppState>

    init(_ persistence: PersistenceMiddleware<AppState>) {
        self.persistence = persistence
    }

    func flush() async { await persistence.flush() }

    func keep() async throws -> String {
        guard let place = try await persistence.keepLog() else { throw NoLog() }
        return place
    }

    func end(_ rest: Exit.Rest) {
        switch rest {
        case .none: persistence.giveUpLog()
        case .kept: persistence.closeLog()
        }
    }
}
