import CSQLite
import FoundationEssentials
import Glibc
import SheafList
import Synchronization

/// The intent logs of processes on one list that ended without saving their changes.
///
/// As long as this value exists, it locks the logs so that no other process adopts them too. A
/// value that was created with `isReadOnly` locks none.
package final class AbandonedLogs: Sendable {
    /// The contents of the logs.
    package let content: AbandonedLogContent

    private let location: any Location
    private let logs: Mutex<[Log]>

    private struct Log {
        let path: String
        let records: LogRecords
        /// The locked log. Nil if it was only looked at.
        var held: AbandonedLog?
    }

    /// The number of entities that the logs change.
    package var count: Int { AbandonedChanges.count(content.batches) }

    /// Looks for the logs of the list at `location` in all folders. Without logs, this costs one
    /// look into each folder.
    ///
    /// - Parameters:
    ///   - isReadOnly: true to show the logs without adopting them, because the list can only be
    ///     read. Nothing is then written in their folders, and logs that cannot be locked there are
    ///     included. If false, such logs count as unreadable: a log that is adopted but cannot be
    ///     removed would undo later edits at the next start.
    ///   - includesRefused: true to include logs whose changes the list has refused before.
    ///   - isLocked: true if a list in a file cannot be read now to check whether the logs belong
    ///     to it.
    package init(
        for location: any Location, isReadOnly: Bool = false, includesRefused: Bool = true,
        isLocked: Bool = false
    ) {
        self.location = location
        var logs: [Log] = []
        var unreadable: [StorageError] = []
        var addresses: [String] = []
        for path in location.logs() {
            do {
                // The log of another server list is not locked, because the next command on that
                // list must find it unlocked.
                var held = isReadOnly || location.server != nil ? nil : try AbandonedLog(path)
                var records = try held?.records ?? LogRecords(readingCopyOf: path)
                if !isLocked, let objection = try location.objection(to: records, at: path) {
                    if !records.batches.isEmpty { unreadable.append(objection) }
                    continue
                }
                if !isReadOnly, held == nil {
                    held = try AbandonedLog(path)
                    records = held?.records ?? records
                }
                guard includesRefused || records.refusals.isEmpty else { continue }
                logs.append(Log(path: path, records: records, held: held))
                if let address = location.formerAddress(of: records), !addresses.contains(address) {
                    addresses.append(address)
                }
            } catch {
                let error = StorageError(error, at: path)
                // If the log is locked, its owner is alive. If it is gone, another process has
                // adopted it.
                let isOwned = error.code == .busy && error.location == path
                if !isOwned, access(path, F_OK) == 0 { unreadable.append(error) }
            }
        }
        content = AbandonedLogContent(
            batches: logs.flatMap(\.records.batches), addresses: addresses,
            unreadable: unreadable)
        self.logs = Mutex(logs)
    }

    /// Commits the changes of the logs and removes the logs. If `storage` refuses changes, one log
    /// stays with these.
    ///
    /// - Throws: `StorageError`. The logs then stay.
    package func commit(to storage: any ListStorage) async throws -> AbandonedOutcome {
        var outcome = try await storage.commit(abandoned: content.batches)
        guard !outcome.lost.isEmpty else {
            remove()
            return outcome
        }
        do {
            outcome.path = try keepRefusedChanges(of: outcome)
        } catch {
            outcome.obstacle = StorageError(error, at: "").reason
        }
        return outcome
    }

    /// Keeps the refused changes in the newest log that knows its list, and removes the other logs.
    /// If the process is killed in between, all logs still exist, and adopting the same changes
    /// twice has no further effect.
    ///
    /// - Returns: the path of the kept log.
    private func keepRefusedChanges(of abandoned: AbandonedOutcome) throws -> String? {
        try logs.withLock { logs in
            let held = logs.compactMap(\.held)
            guard let log = held.last(where: { $0.list != nil }) ?? held.last else { return nil }
            try log.replaceRecords(with: abandoned.kept, refused: abandoned.lost)
            for other in held where other !== log { other.remove() }
            logs = []
            return log.path
        }
    }

    /// Removes the logs after their changes reached the store or another log. A log that was only
    /// looked at is removed if it can be locked now and its records are unchanged.
    package func remove() {
        logs.withLock { logs in
            for log in logs {
                guard let held = log.held else {
                    Self.remove(log)
                    continue
                }
                held.remove()
            }
            logs = []
        }
        location.removeOrphanedWriteAheadLogs()
    }

    private static func remove(_ log: Log) {
        do {
            let held = try AbandonedLog(log.path)
            if held.records == log.records { held.remove() }
        } catch {
            // Another process holds the log, or it is still read-only. The next start adopts it.
            return
        }
    }
}

extension LogRecords {
    /// Returns true if the list in a file may be a version of the list that the log belongs to.
    func isOfList(in file: StoreFile, _ backend: StoreURL.Backend) throws -> Bool {
        var identity = identity
        identity.entities += batches.flatMap(\.ids)
        return try file.hasVersion(of: identity, backend)
    }
}

extension StoreFile {
    /// Returns true if the list in the file may be a version of the list with this identity. O(n)
    /// for a JSON file.
    func hasVersion(of identity: ListIdentity, _ backend: StoreURL.Backend) throws -> Bool {
        switch backend {
        case .json:
            let (data, version, _) = try content()
            return try WholeList(data, at: location, modified: version.modified)
                .isVersion(of: identity)
        case .sqlite:
            try StoreHeader(of: self).check(newest: Schema.current.version, at: location)
            return try SQLiteConnection.with(
                path: path, flags: SQLITE_OPEN_READONLY, location: location
            ) { connection in
                try connection.harden()
                connection.setBusyTimeout(.seconds(5))
                return try connection.transaction("BEGIN") {
                    try ListIDs(of: connection).mayBeVersion(of: identity)
                }
            }
        }
    }

    /// Returns the ids that identify other versions of the list in the file. O(n) for a JSON file.
    func listIdentity(_ backend: StoreURL.Backend) throws -> ListIdentity {
        switch backend {
        case .json:
            let (data, version, _) = try content()
            return try WholeList(data, at: location, modified: version.modified).identity
        case .sqlite:
            return try SQLiteCopy.reading(self, isReadOnly: true) {
                try ListIDs(of: $0).identity()
            }
        }
    }
}
