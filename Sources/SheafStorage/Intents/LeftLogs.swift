import CSQLite
import FoundationEssentials
import Glibc
import SheafList
import Synchronization

/// The intent logs of processes on one list that have ended without saving it.
///
/// As long as the value lives it holds the logs, so that no other process takes them in too, unless
/// it only looks.
public final class LeftLogs: Sendable {
    /// What they hold.
    public let content: LeftLogContent

    private let location: any Location
    private let logs: Mutex<[Log]>

    private struct Log {
        let path: String
        let records: LogRecords
        /// Nil if it was only looked at.
        var held: LeftLog?
    }

    /// The number of entities that they are about.
    public var count: Int { LeftChanges.count(content.batches) }

    /// Looks for the logs of the list at `location`, wherever they lie. One look into a folder
    /// where there are none.
    ///
    /// - Parameters:
    ///   - isLooking: whether they are shown and not taken in now, because the list can only be
    ///     read. Then nothing is written where they lie, and those count too that cannot be held
    ///     there. Otherwise these are unreadable: what is taken in from a log that stays would undo
    ///     later edits at the next start.
    ///   - includesRefused: whether to try again what the list has refused a command before.
    ///   - isLocked: whether a list in a file cannot be asked now if the logs are of it.
    public init(
        for location: any Location, isLooking: Bool = false, includesRefused: Bool = true,
        isLocked: Bool = false
    ) {
        self.location = location
        var logs: [Log] = []
        var unreadable: [StorageError] = []
        var addresses: [String] = []
        for path in location.logs() {
            do {
                // The log of another list on a server is not held: that list's next command has to
                // find it free.
                var held = isLooking || location.server != nil ? nil : try LeftLog(path)
                var records = try held?.records ?? LogRecords(lookingAt: path)
                if !isLocked, let objection = try location.objection(to: records, at: path) {
                    if !records.batches.isEmpty { unreadable.append(objection) }
                    continue
                }
                if !isLooking, held == nil {
                    held = try LeftLog(path)
                    records = held?.records ?? records
                }
                guard includesRefused || records.refusals.isEmpty else { continue }
                logs.append(Log(path: path, records: records, held: held))
                if let address = location.formerAddress(of: records), !addresses.contains(address) {
                    addresses.append(address)
                }
            } catch {
                let error = StorageError(error, at: path)
                // A lock is its owner's, which lives. What has gone since the look another process
                // has taken in.
                let isOwned = error.code == .busy && error.location == path
                if !isOwned, access(path, F_OK) == 0 { unreadable.append(error) }
            }
        }
        content = LeftLogContent(
            batches: logs.flatMap(\.records.batches), addresses: addresses,
            unreadable: unreadable)
        self.logs = Mutex(logs)
    }

    /// Commits what they hold, and takes them away, except for one with what `storage` refused.
    ///
    /// - Throws: `StorageError`; then they stay.
    public func commit(to storage: any ListStorage) async throws -> LeftOutcome {
        var outcome = try await storage.commit(left: content.batches)
        guard !outcome.lost.isEmpty else {
            remove()
            return outcome
        }
        do {
            outcome.path = try keep(outcome)
        } catch {
            outcome.obstacle = StorageError(error, at: "").reason
        }
        return outcome
    }

    /// Leaves what was refused in the newest log that knows its list, and takes the others away.
    /// After a kill in between both are there, and what is taken in twice is taken in once.
    ///
    /// - Returns: where that log is.
    private func keep(_ left: LeftOutcome) throws -> String? {
        try logs.withLock { logs in
            let held = logs.compactMap(\.held)
            guard let log = held.last(where: { $0.list != nil }) ?? held.last else { return nil }
            try log.keep(left.kept, refused: left.lost)
            for other in held where other !== log { other.remove() }
            logs = []
            return log.path
        }
    }

    /// Takes the logs away: what they hold is in the store, or in another log. One that was only
    /// looked at goes if it can be held by now and still holds that.
    public func remove() {
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
        location.removeOrphanedLogs()
    }

    private static func remove(_ log: Log) {
        do {
            let held = try LeftLog(log.path)
            if held.records == log.records { held.remove() }
        } catch {
            // Another process has it, or it can still only be read: the next start takes it in.
            return
        }
    }
}

extension LogRecords {
    /// Returns true if the list in a file may be a version of the one that the log is of.
    func isOfList(in file: StoreFile, _ backend: StoreURL.Backend) throws -> Bool {
        var identity = identity
        identity.entities += batches.flatMap(\.ids)
        return try file.hasVersion(of: identity, backend)
    }
}

extension StoreFile {
    /// Returns true if the list in the file may be a version of the one with an identity. O(n) for
    /// a JSON file.
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
                    try ListIDs(of: connection).areVersion(of: identity)
                }
            }
        }
    }

    /// The ids by which another version of the list in the file is recognized. O(n) for a JSON
    /// file.
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
