import Dispatch
import SheafList
import SwiduxFiles

/// An open list: its storage, its location, and messages about it.
package struct OpenList: Sendable {
    package let location: any Location
    package let storage: any ListStorage
    /// A sentence about changes of interrupted sessions that were recovered or remain to be
    /// restored, or about how the list was found.
    package var notice: String?
    /// The reason why ``storage`` is not open yet, or nil if it is open.
    package var obstacle: String?
}

extension Location {
    /// Opens the list and saves the changes of interrupted sessions. Changes that cannot be saved
    /// stay in their logs, and ``OpenList/notice`` says so.
    ///
    /// - Throws: `StorageError`, as ``openStorage(_:timeout:)`` does.
    package func open(_ mode: OpenMode) async throws -> OpenList {
        let (storage, logs) = try await BlockingCalls.run(on: .global()) {
            Result {
                let storage = try openStorage(mode, timeout: .seconds(5))
                let isReadOnly = storage.readOnlyReason != nil
                return (
                    storage,
                    AbandonedLogs(for: self, isReadOnly: isReadOnly, includesRefused: false)
                )
            }
        }.get()
        let recovery = try await logs.save(to: storage)
        let notices = [server?.consumeNotice(), recovery].compactMap(\.self)
        let notice = notices.isEmpty ? nil : notices.joined(separator: " ")
        return OpenList(location: self, storage: storage, notice: notice)
    }

    /// Opens the list for the screen without waiting: a list that another process has locked, or
    /// whose server cannot be reached, is opened by the first call that succeeds.
    ///
    /// - Throws: `StorageError`, as ``openStorageLater(_:)`` does.
    package func openForScreen(_ mode: OpenMode) async throws -> OpenList {
        let (storage, obstacle) = try await BlockingCalls.run(on: .global()) {
            Result { try openStorageLater(mode) }
        }.get()
        return OpenList(
            location: self, storage: storage, notice: server?.consumeNotice(), obstacle: obstacle)
    }
}

extension AbandonedLogs {
    /// Commits the changes of the logs to `storage`, unless it is read-only.
    ///
    /// - Returns: a sentence about the recovered changes, or about why they were not recovered.
    /// - Throws: `StorageError` if another process keeps `storage` locked.
    fileprivate func save(to storage: any ListStorage) async throws -> String? {
        guard count > 0 else {
            // A session may have ended after all its changes were saved.
            if storage.readOnlyReason == nil { remove() }
            return content.unreadable.first.map { "Not recovered: \($0)" }
        }
        let session = "of \(content.session)"
        if let reason = storage.readOnlyReason {
            return "Not in the list: \(count.changes) \(session). \(reason)"
        }
        do {
            let outcome = try await commit(to: storage)
            let conflicts = outcome.conflicts
            let clause = conflicts == 0 ? "" : " (\(conflicts) also changed by another process)"
            // The server already had all of the changes.
            guard outcome.count > 0 else { return nil }
            let recovered = (outcome.count - outcome.lost.count).changes
            let sentence =
                "Recovered \(recovered)\(clause) \(session)\(outcome.lost.clause)"
                + outcome.advice
            return ([sentence] + outcome.sentences).joined(separator: ". ")
        } catch let error as StorageError where error.code != .busy {
            return "Not in the list: \(count.changes) \(session): \(error.reason)"
        }
    }
}

extension AbandonedOutcome {
    /// Advice on refused changes. It is given once, because no command retries them.
    fileprivate var advice: String {
        if let path {
            return ". It stays in a log, which 'sheaf doctor' prints; to try it again:"
                + " sheaf restore \(ShellText.quoted(path))"
        }
        return obstacle.map { ". The log still holds all of it (\($0))" } ?? ""
    }
}

extension Int {
    /// The number with its noun: `1 unsaved change`.
    fileprivate var changes: String { "\(self) unsaved change\(self == 1 ? "" : "s")" }
}
