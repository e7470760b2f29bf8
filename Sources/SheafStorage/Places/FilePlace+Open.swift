import Dispatch
import SheafCore

extension FilePlace {
    /// Opens the list and replays the changes that earlier processes showed and did not save. What
    /// cannot be recovered stays where it is, and the list says so.
    ///
    /// - Parameter hints: whether to mention rescue files as well, if there is nothing else to say.
    /// - Throws: `StorageError`, as `openStorage` does.
    public func open(_ mode: OpenMode, hints: Bool = true) async throws -> OpenList {
        try await open(mode, patience: .seconds(5), hints: hints)
    }

    /// Opens the list for the screen without waiting: a list that another process has locked, or
    /// that has changes to replay, is opened later.
    ///
    /// - Throws: `StorageError`, as `openStorage` does, but never `.busy`.
    public func openForScreen(_ mode: OpenMode) async throws -> OpenList {
        var obstacle: String?
        do {
            let (storage, replay) = try await opened(mode, patience: .milliseconds(100))
            if replay.count == 0 { return try await list(storage, replay, mode, hints: true) }
        } catch let error as StorageError where error.code == .busy {
            obstacle = error.reason
        }
        let late = LateStorage(for: self, mode: mode) {
            try await open(mode, patience: .seconds(1), hints: true)
        }
        return OpenList(place: .file(self), storage: late, obstacle: obstacle)
    }

    private func open(
        _ mode: OpenMode, patience: Duration, hints: Bool
    ) async throws -> OpenList {
        let (storage, replay) = try await opened(mode, patience: patience)
        return try await list(storage, replay, mode, hints: hints)
    }

    /// The list in `storage` once that has what `replay` found.
    private func list(
        _ storage: any ListStorage, _ replay: IntentReplay, _ mode: OpenMode, hints: Bool
    ) async throws -> OpenList {
        let (storage, recovery) = try await replay.recover(to: storage, mode)
        return OpenList(
            place: .file(self), storage: storage, recovery: recovery ?? (hints ? rescueHint : nil))
    }

    /// Opens the list and what waits to be replayed to it. Locks are waited for.
    private func opened(
        _ mode: OpenMode, patience: Duration
    ) async throws -> (any ListStorage, IntentReplay) {
        let result = await BlockingCalls.run(on: .global()) {
            Result {
                (try openStorage(self, mode: mode, patience: patience), IntentReplay(for: self))
            }
        }
        return try result.get()
    }

    /// The sentence about rescue files that have not been restored, or nil if there are none.
    private var rescueHint: String? {
        // The command first: a status line may have no room for the path.
        RescueFile.paths(for: self).first.map {
            "Unsaved changes found: sheaf restore \(ShellText.quoted($0))"
        }
    }
}

extension IntentReplay {
    /// Commits the changes found to `storage`, which was opened in `mode`. If that cannot take them
    /// yet, the returned storage shows them.
    ///
    /// - Returns: the storage to use from now on, and a sentence about what was recovered, or why
    ///   it could not be.
    /// - Throws: `StorageError`, if another process keeps `storage` locked, or it cannot be read.
    fileprivate func recover(
        to storage: any ListStorage, _ mode: OpenMode
    ) async throws -> (any ListStorage, recovery: String?) {
        let isReadOnly = mode == .readOnly || storage.readOnlyReason != nil
        let count = count
        guard count > 0 else {
            // A run may have ended after everything was saved.
            if !isReadOnly { finish() }
            return (storage, unreadable.first.map { "Not recovered: \($0)" })
        }
        func changes(but refused: [RefusedRow]) -> String {
            let number = count - refused.count
            return "\(number) unsaved change\(number == 1 ? "" : "s") from an interrupted run"
                + refused.clause
        }
        guard !isReadOnly else {
            let shown = try await RecoveredStorage(self, over: storage)
            return (shown, "With \(changes(but: shown.refused))")
        }
        let left: LeftBehind
        do {
            left = try await commit(to: storage)
        } catch let error as StorageError where error.code != .busy {
            let shown = try await RecoveredStorage(self, over: storage)
            return (
                shown, "\(changes(but: shown.refused)) could not be saved yet: \(error.reason)"
            )
        }
        let conflicts = left.conflicts.count
        let clause = conflicts == 0 ? "" : "; \(conflicts) of them also changed elsewhere"
        return (storage, "Recovered \(changes(but: left.lost))\(clause)")
    }
}
