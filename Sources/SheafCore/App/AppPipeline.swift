import Dispatch

/// The pipeline as effects know it. What storage does not take goes to a rescue file.
@MainActor
final class AppPipeline: SavePipeline {
    private let persistence: PersistenceMiddleware<AppState>
    private let writers: [BatchWriter<AppState, StorageChanges>]
    private let rescue: Rescue
    /// Rescue files are written and removed one after the other, and not on the main thread.
    private let files = DispatchQueue(label: "sheaf.rescue")
    private var running = 0

    init(
        persistence: PersistenceMiddleware<AppState>,
        writers: [BatchWriter<AppState, StorageChanges>], rescue: Rescue
    ) {
        self.persistence = persistence
        self.writers = writers
        self.rescue = rescue
    }

    func flush() async { await persistence.flush() }

    func keep() async throws -> String {
        var changes = StorageChanges()
        for writer in writers { writer.fillUncommitted(&changes) }
        guard !changes.isEmpty else { return "" }
        running += 1
        defer { running -= 1 }
        let path = try await onFiles { [rescue, changes] in try rescue.write(changes) }
        return "to apply them later: sheaf restore \(ShellText.quoted(path))"
    }

    func withdraw() async {
        // Another attempt replaces the file.
        guard running == 0 else { return }
        do {
            try await onFiles { [rescue] in rescue.withdraw() }
        } catch {
            // It throws nothing.
        }
    }

    func end(_ rest: Exit.Rest) {
        if rest == .none { rescue.withdraw() }
        persistence.closeLog(keepsRest: rest == .logged)
    }

    private func onFiles<T: Sendable>(
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            files.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
