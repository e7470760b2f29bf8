import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The open list of one JSON file. It reads the file when it has changed and writes it at each
/// commit.
///
/// Not thread-safe. `@unchecked` is valid because ``JSONStorage`` calls it only on its queue.
final class JSONSession: @unchecked Sendable {
    /// The reason why the file cannot be written, as a sentence, or nil if it can.
    private(set) var readOnlyReason: String?

    private let file: StoreFile
    private let mode: OpenMode
    /// The time to wait for the lock of another process.
    private let busyTimeout: Duration
    private let currentIdentity: CurrentListIdentity
    private var refusedReplacement = RefusedReplacement()
    private var known: Known
    /// The list as reported to the caller by reads and fetches.
    private var reported: WholeList
    /// The list as the caller shows it: ``reported`` plus the rows of later commits.
    private var displayed: WholeList
    /// True if a commit may have replaced the file without making that durable.
    private var isUnsynced = false
    /// True if a check found another version than the known one, and the file has not been read
    /// since.
    private var hasUnreadVersion = false

    /// The version of the file that was copied before its upgrade.
    private var backedUp: StoreFile.Version?
    /// The commits of this process.
    private var own = OwnCommits()
    /// A sentence for the user that has not been shown.
    var notice: String?

    /// The list that reads return while a snapshot is open.
    private var snapshot: WholeList?
    /// All ids of a list, ascending.
    private var idIndex: (list: WholeList, ids: [Item.ID])?

    /// The maximum number of attempts to commit if other programs keep replacing the file.
    private static let maxAttempts = 10

    /// The version that was read or written last.
    private struct Known {
        var list: WholeList
        var version: StoreFile.Version
        var descriptor: OpenFile
    }

    /// Opens the store. If it is missing, `mode` decides whether to make it.
    init(
        _ file: StoreFile, mode: OpenMode, busyTimeout: Duration,
        currentIdentity: CurrentListIdentity
    ) throws {
        self.file = file
        self.currentIdentity = currentIdentity
        self.mode = mode
        self.busyTimeout = busyTimeout
        if try file.identity() == nil {
            guard mode.createsStore else { throw FileFailure.notFound(at: file.location) }
            try file.make { path in
                try file.fill(path, with: WholeList(mode.rows, id: .random()).text())
            }
        }
        known = try Self.read(file)
        reported = known.list
        displayed = reported
        readOnlyReason = file.reasonAgainstReplacing(mode)
        if mode.assignsID, readOnlyReason == nil, reported.identity.isEmpty { identifyEmpty() }
        currentIdentity.value = known.list.identity
    }

    /// Gives the list an id. If that fails, the list opens anyway, and the first commit gives it
    /// one.
    private func identifyEmpty() {
        do {
            try file.locked(waiting: .zero) {
                guard try file.version() == known.version else { return }
                var list = known.list
                list.id = .random()
                list.earlierVersion = nil
                guard
                    let (version, descriptor) = try file.replace(
                        known.version, with: try list.text())
                else { return }
                known = Known(list: list, version: version, descriptor: descriptor)
            }
        } catch {
            return
        }
    }

    func beginSnapshot() throws { snapshot = try list() }

    func endSnapshot() { snapshot = nil }

    /// Returns the list in the file now, or the list of the open snapshot. O(1) if the file has not
    /// changed, otherwise O(n log n).
    ///
    /// - Throws: `StorageError`: `.foreign` if the file holds another list by now.
    func list() throws -> WholeList {
        if let snapshot { return snapshot }
        if file.presentVersion == known.version {
            refusedReplacement = RefusedReplacement()
            return known.list
        }
        if let error = refusedReplacement.knownError(at: file) { throw error }
        let read: Known
        do {
            read = try Self.read(file)
            let all = ListIdentity(id: known.list.id, entities: Array(known.list.ids))
            guard read.list.isVersion(of: all) else {
                throw FileFailure.otherList(at: file.location)
            }
        } catch let error as StorageError
            where error.code != .busy || file.presentVersion == nil
        {
            throw refusedReplacement.refusal(error, at: file, isCopied: mode != .readOnly) { path in
                try file.fill(path, with: known.list.text())
            }
        }
        refusedReplacement = RefusedReplacement()
        try recoverCommits(missingIn: read.list)
        known = read
        currentIdentity.value = known.list.identity
        return known.list
    }

    /// Prepares to repeat the commits of this process that are missing in `list`, which has
    /// replaced the known list. If `list` lacks more than these commits, the known list is copied.
    private func recoverCommits(missingIn list: WholeList) throws {
        // A count is nil if the user has used the name of its member for other data.
        guard let present = list.commits, let former = known.list.commits,
            present.number < former.number || !present.hasLast(of: former)
                || !own.isLastCommitStored(where: present.has)
        else { return }
        var own = own
        let isWhole = own.collectLost(present.has)
        var recovered = list
        _ = recovered.apply(own.lostChanges, merging: .laterItems)
        if mode != .readOnly, !isWhole || known.list.hasMore(than: recovered) {
            let copy = try RefusedReplacement.makeCopy(beside: file) { path in
                try file.fill(path, with: known.list.text())
            }
            notice = RefusedReplacement.notice(ofCopy: copy, lacksOwn: !isWhole)
        }
        self.own = own
    }

    /// Returns up to `limit` ids of items in `range`, in ascending order. O(log n + `limit`), plus
    /// O(n log n) once for each version of the list.
    func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) throws -> [Item.ID] {
        let ids = try sortedIDs()
        var (start, end) = (0, ids.count)
        while start < end {
            let middle = (start + end) / 2
            if ids[middle] < range.lowerBound { start = middle + 1 } else { end = middle }
        }
        return Array(ids[start...].prefix(limit).prefix { range.contains($0) })
    }

    private func sortedIDs() throws -> [Item.ID] {
        let list = try list()
        if let idIndex, idIndex.list.isSame(as: list) { return idIndex.ids }
        let ids = list.items.map(\.id).sorted()
        idIndex = (list, ids)
        return ids
    }

    /// Checks again whether the file can be written to.
    func recheckAccess() {
        readOnlyReason = file.reasonAgainstReplacing(mode)
    }

    /// Applies `changes` to the list in the file and returns when they are durable. O(n), unless
    /// nothing changes.
    func commit(_ changes: StorageChanges) throws -> CommitResult {
        // A sync tool may replace the file while this process writes the new one.
        for _ in 0..<Self.maxAttempts {
            if let result = try commitOnce(changes) { return result }
        }
        throw FileFailure.busy(at: file.location)
    }

    /// Tries to commit `changes`. Returns nil, and writes nothing, if another program has replaced
    /// the file meanwhile.
    private func commitOnce(_ changes: StorageChanges) throws -> CommitResult? {
        // A missing file cannot be locked, so the list is compared and copied before locking.
        if file.presentVersion != known.version { _ = try list() }
        if let readOnlyReason {
            throw FileFailure.readOnly(at: file.location, advice: readOnlyReason)
        }
        return try file.locked(waiting: busyTimeout) {
            // Replacing a file does not need write permission, which the user may have removed on
            // purpose.
            if let reason = file.reasonAgainstReplacing() {
                throw FileFailure.readOnly(at: file.location, advice: reason)
            }
            try sync()
            var list = try list()
            // Those of killed processes, and those that this process could not remove.
            file.removeAbandonedDrafts { keepsDraft($0, beside: list) }
            let lostChanges = own.lostChanges
            let isCurrent = lostChanges.isEmpty && list.isSame(as: reported)
            let again = list.apply(lostChanges, merging: .laterItems)
            var result = list.apply(changes, isCurrent: isCurrent)
            result.isBehind = !isCurrent
            // The file may already contain the lost changes. The commit is signed nevertheless, so
            // that the next version of the file is compared with it.
            if !list.isSame(as: known.list) || !lostChanges.isEmpty {
                guard try write(&list, lostChanges, changes.without(result.refusedIDs)) else {
                    return nil
                }
                if isCurrent { (reported, displayed) = (list, list) }
            }
            if !isCurrent {
                let ids = changes.without(result.refusedIDs).ids
                displayed.replace(ids.union(result.stored?.ids ?? []), from: list)
            }
            own.lostChanges = StorageChanges()
            notice = OwnCommits.notice(of: again, to: lostChanges, after: notice)
            return result
        }
    }

    /// Copies an abandoned draft if it holds a list that another program had put in place of this
    /// one. That happens if the process was killed after the two files had exchanged names.
    ///
    /// - Returns: true if the draft must stay, because it could not be copied.
    private func keepsDraft(_ path: String, beside list: WholeList) -> Bool {
        do {
            let (data, version, _) = try StoreFile(named: path).content()
            guard let abandoned = Self.complete(data, at: path, version) else { return false }
            let identity = ListIdentity(id: list.id, entities: Array(list.ids))
            // If a save of this list left the draft, one of the two lists contains everything in
            // the other.
            let isOwn =
                abandoned.isVersion(of: identity)
                && !(abandoned.hasMore(than: list) && list.hasMore(than: abandoned))
            if isOwn { return false }
            let copy = try RefusedReplacement.makeCopy(beside: file) { path in
                try file.fill(path, with: Array(data))
            }
            notice =
                "\(copy.lastPathName) has a list that another program put here during an"
                + " interrupted save"
            return false
        } catch {
            return true
        }
    }

    /// Parses the list in a draft. Returns nil if the process was killed while it wrote the draft.
    private static func complete(
        _ data: Data, at path: String, _ version: StoreFile.Version
    ) -> WholeList? {
        do {
            return try WholeList(data, at: path, modified: version.modified)
        } catch {
            return nil
        }
    }

    /// Replaces the file with `list` as the next commit, of `lostChanges` and `changes`.
    ///
    /// - Returns: false if the file is no longer the known version. Nothing is written then.
    private func write(
        _ list: inout WholeList, _ lostChanges: StorageChanges, _ changes: StorageChanges
    ) throws -> Bool {
        // A list of an earlier version has no id. All its copies must get the same one.
        if list.id == nil { list.id = known.list.ids.min() ?? .random() }
        var count = list.commits
        count?.add(by: own.author)
        count?.write(to: &list.others)
        if let version = list.earlierVersion { try backUp(version) }
        list.earlierVersion = nil
        isUnsynced = true
        let replaced = try file.replace(known.version, with: try list.text())
        isUnsynced = false
        guard let (version, descriptor) = replaced else { return false }
        known = Known(list: list, version: version, descriptor: descriptor)
        currentIdentity.value = list.identity
        guard let count else { return true }
        var all = lostChanges
        all.appendCommitted(changes)
        own.add(count.number, all, isSigned: true)
        return true
    }

    /// Keeps a copy of the file that an earlier program wrote, once.
    private func backUp(_ version: Int) throws {
        let (data, present, _) = try file.content()
        // If another program has replaced the file, this commit will not be written. The next
        // attempt reads the new file.
        guard present == known.version, backedUp != present else { return }
        try file.backUp(version: Int64(version)) { try file.fill($0, with: Array(data)) }
        backedUp = present
    }

    /// Returns the changes of other processes since the last call. O(1) if there are none,
    /// otherwise O(n log n).
    ///
    /// They include the changes of a failed commit of this process that reached the file, once they
    /// are durable.
    func externalChanges() throws -> StorageChanges {
        try sync()
        var list = try list()
        if !own.lostChanges.isEmpty {
            _ = try commit(StorageChanges())
            list = try self.list()
        }
        hasUnreadVersion = false
        guard !list.isSame(as: reported) else { return StorageChanges() }
        var changes = list.changes(since: reported)
        // Another process may have restored the value that a row had before this process's commit.
        if !displayed.isSame(as: reported) { changes.add(list.changes(since: displayed)) }
        (reported, displayed) = (list, list)
        return changes
    }

    /// Returns true if the file may have changes that this session has neither written nor
    /// reported. Also true for a file that was replaced and then came back. O(1).
    func hasExternalChanges() -> Bool {
        do {
            let isKnown = try file.version() == known.version && known.list.isSame(as: reported)
            if !isKnown { hasUnreadVersion = true }
        } catch {
            // The next fetch reports the reason.
            hasUnreadVersion = true
        }
        return hasUnreadVersion
    }

    /// True if the file is not the known version, or if commits remain to be repeated. O(1).
    var mayLackCommits: Bool {
        !own.lostChanges.isEmpty
            || file.presentVersion != known.version && !refusedReplacement.isKnown(at: file)
    }

    private func sync() throws {
        guard isUnsynced else { return }
        try file.syncFolder()
        isUnsynced = false
    }

    private static func read(_ file: StoreFile) throws -> Known {
        let (data, version, descriptor) = try file.content()
        guard !data.isEmpty else { throw FileFailure.empty(at: file.location) }
        let list = try WholeList(data, at: file.location, modified: version.modified)
        return Known(list: list, version: version, descriptor: descriptor)
    }
}

extension WholeList {
    /// The commits recorded in the file; see ``CommitCount``. Nil if they are unreadable.
    fileprivate var commits: CommitCount? { CommitCount(in: others) }

    /// The ids that identify another version of the list.
    var identity: ListIdentity {
        let ends = items.prefix(ListIdentity.size) + items.suffix(ListIdentity.size)
        return ListIdentity(
            id: id, entities: tags.prefix(ListIdentity.size).map(\.id) + ends.map(\.id))
    }

    /// The ids of the list's tags and items.
    fileprivate var ids: some Sequence<UUID> { [tags.map(\.id), items.map(\.id)].joined() }

    /// Returns true if the list may be another version of the list with this identity. Deleted
    /// entities leave no trace in a JSON list.
    func isVersion(of identity: ListIdentity) -> Bool {
        identity.isVersion(id) { $0 == id || items[$0] != nil || tags[$0] != nil }
    }
}
