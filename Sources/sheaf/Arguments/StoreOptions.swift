import ArgumentParser
import FoundationEssentials
import Glibc
import SheafCore
import SheafStorage

/// Which list a command is about.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The list: sqlite:PATH, json:PATH, or a path (default: $XDG_DATA_HOME/sheaf/sheaf.sqlite).",
            valueName: "url"))
    var store: String?

    /// Where the list is.
    ///
    /// - Throws: `StoreURLError`.
    func url() throws -> StoreURL {
        let environment = ProcessInfo.processInfo.environment
        guard let store else { return try .standard(environment: environment) }
        return try StoreURL(store, home: StoreURL.home(in: environment))
    }

    /// Opens the list, first replays what processes showed that ended without saving it, and says so.
    ///
    /// - Throws: as ``openAndRecover(_:hints:)``.
    func open(_ mode: OpenMode) throws -> any ListStorage {
        let (storage, recovery) = try openAndRecover(mode)
        if let recovery { Diagnostics.report(recovery) }
        return storage
    }

    /// Opens the list and replays what processes showed that ended without saving it. Returns what was recovered, as a
    /// sentence, or why it could not be: then it stays where it is.
    ///
    /// - Parameter hints: whether what waits in rescue files is told too, where there is nothing else to say.
    /// - Throws: `StorageError`, or ``CommandFailure`` where a list cannot be made.
    func openAndRecover(
        _ mode: OpenMode, hints: Bool = true
    ) throws -> (any ListStorage, recovery: String?) {
        let url = try url()
        return try recovered(
            try plainOpen(url, mode), url, mode, try IntentReplay(for: url), hints: hints)
    }

    /// Opens the list for the screen, which waits for nothing: what another process has locked is opened behind it, and
    /// what processes showed that ended without saving it is replayed there. Returns what was recovered so far, and
    /// what is waited for.
    ///
    /// - Throws: as ``openAndRecover(_:hints:)``, but never `.busy`.
    func openForScreen(
        _ mode: OpenMode
    ) throws -> (any ListStorage, recovery: String?, obstacle: String?) {
        let url = try url()
        var obstacle: String?
        do {
            let storage = try plainOpen(url, mode, patience: .milliseconds(100))
            let replay = try IntentReplay(for: url)
            if replay.count == 0 {
                let (storage, recovery) = try recovered(storage, url, mode, replay)
                return (storage, recovery, nil)
            }
        } catch let error as StorageError where error.code == .busy {
            obstacle = error.reason
        }
        let late = try LateStorage(for: url, mode: mode) {
            let storage = try plainOpen(url, mode, patience: .seconds(1))
            return try recovered(storage, url, mode, try IntentReplay(for: url))
        }
        return (late, nil, obstacle)
    }

    /// - Throws: `StorageError`, if another process keeps `storage` locked.
    private func recovered(
        _ storage: any ListStorage, _ url: StoreURL, _ mode: OpenMode, _ replay: IntentReplay,
        hints: Bool = true
    ) throws -> (any ListStorage, recovery: String?) {
        guard replay.count > 0 else {
            // A run may have ended when all it had was saved.
            if mode != .readOnly, storage.readOnlyReason == nil { replay.finish() }
            let obstacle = replay.unreadable.first.map { "Not recovered: \($0)" }
            return (storage, obstacle ?? (hints ? rescueHint(url) : nil))
        }
        let count = replay.count
        func changes(but refused: [RefusedRow]) -> String {
            "\(counted(count - refused.count, "unsaved change")) from an interrupted run"
                + refused.clause
        }
        guard mode != .readOnly, storage.readOnlyReason == nil else {
            let shown = try waiting { try await RecoveredStorage(replay, over: storage) }
            return (shown, "With \(changes(but: shown.refused))")
        }
        let left: LeftBehind
        do {
            left = try waiting { try await replay.commit(to: storage) }
        } catch let error as StorageError where error.code != .busy {
            let shown = try waiting { try await RecoveredStorage(replay, over: storage) }
            return (
                shown, "\(changes(but: shown.refused)) could not be saved yet: \(error.reason)"
            )
        }
        let conflicts = left.conflicts.count
        let clause = conflicts == 0 ? "" : "; \(conflicts) of them also changed elsewhere"
        return (storage, "Recovered \(changes(but: left.lost))\(clause)")
    }

    /// What is said of rescue files that are not applied yet, or nil if there are none.
    private func rescueHint(_ url: StoreURL) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let paths = RescueFile.paths(for: url, environment: environment)
        guard let path = paths.first else { return nil }
        // The command first: a status line may have no room for the path.
        return "Unsaved changes found: sheaf restore \(ShellText.quoted(path))"
    }

    /// Opens the list. The folder of a list that may be made is made with it.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` where a list cannot be made.
    private func plainOpen(
        _ url: StoreURL, _ mode: OpenMode, patience: Duration = .seconds(5)
    ) throws -> any ListStorage {
        do {
            return try openStorage(url, mode: mode, patience: patience)
        } catch let error as StorageError
            where mode == .readWriteCreate && [.cannotOpen, .readOnly].contains(error.code)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }

    /// Makes the backup of the day before the list is written to, if one is due. Failing to is no reason to stop:
    /// `sheaf doctor` tells.
    func backUpDaily() {
        do {
            let environment = ProcessInfo.processInfo.environment
            try DailyBackups(of: try url(), environment: environment)?.makeIfDue()
        } catch {
            return
        }
    }
}
