import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The list of one JSON file, read when the file has changed and written at each commit.
///
/// Not safe by itself: ``JSONStorage`` calls it on its queue alone, which is what `@unchecked`
/// rests on.
final class JSONSession: @unchecked Sendable {
    /// Why the file cannot be written to, as a sentence, or nil if it can.
    private(set) var readOnlyReason: String?

    private let file: StoreFile
    private let mode: OpenMode
    /// In seconds.
    private let busyTimeout: Duration
    private let sample: ListSample
    private var replaced = ReplacedFile()
    private var known: Known
    /// The list as the caller knows it by reads and fetches.
    private var told: WholeList
    /// The list as the caller shows it: ``told`` with the rows of later commits.
    private var shown: WholeList
    /// Whether a commit may have replaced the file without making that durable.
    private var isUnsynced = false
    /// Whether the drafts of killed processes have been removed.
    private var isTidy = false
    /// Whether the file was not the known one when it was looked at, and has not been read since.
    private var isAstray = false

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

    /// How often a commit is tried if other programs replace the file each time.
    private static let mostAttempts = 10

    /// The version that was read or written last.
    private struct Known {
        var list: WholeList
        var version: StoreFile.Version
        var descriptor: OpenFile
    }

    /// Opens the store, which is made if `mode` allows it.
    init(
        _ file: StoreFile, mode: OpenMode, busyTimeout: Duration, sample: ListSample
    ) throws {
        self.file = file
        self.sample = sample
        self.mode = mode
        self.busyTimeout = busyTimeout
        if try file.identity() == nil {
            guard mode.makes else { throw FileFailure.notFound(at: file.location) }
            try file.make { path in
                try file.fill(path, with: WholeList(mode.rows, id: .random()).text())
            }
        }
        known = try Self.read(file)
        told = known.list
        shown = told
        readOnlyReason = file.reasonAgainstReplacing(mode)
        if mode.identifies, readOnlyReason == nil, told.identity.isEmpty { identifyEmpty() }
        sample.identity = known.list.identity
    }

    /// Gives the list an id. That it fails is no reason not to open the list, to which the first
    /// commit gives one.
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

    /// The list in the file now, or that of the snapshot. O(1) if the file has not changed, else
    /// O(n log n).
    ///
    /// - Throws: `StorageError`: `.foreign` if it is another list by now.
    func list() throws -> WholeList {
        if let snapshot { return snapshot }
        if file.presentVersion == known.version {
            replaced = ReplacedFile()
            return known.list
        }
        if let error = replaced.knownError(at: file) { throw error }
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
            throw replaced.refusal(error, at: file, isCopied: mode != .readOnly) { path in
                try file.fill(path, with: known.list.text())
            }
        }
        replaced = ReplacedFile()
        try recoverCommits(missingIn: read.list)
        known = read
        sample.identity = known.list.identity
        return known.list
    }

    /// Plans to make the commits of this process again that `list` lacks, which has taken the place
    /// of the known one. If it lacks more than these, the known one is copied.
    private func recoverCommits(missingIn list: WholeList) throws {
        // A hand that gave the member's name to something else has taken the count away.
        guard let present = list.commits, let former = known.list.commits,
            present.number < former.number || !present.hasLast(of: former)
                || !own.areIn(present.has)
        else { return }
        var own = own
        let isWhole = own.collectLost(present.has)
        var recovered = list
        _ = recovered.apply(own.owed, merging: .laterItems)
        if mode != .readOnly, !isWhole || known.list.hasMore(than: recovered) {
            let copy = try ReplacedFile.keep(beside: file) { path in
                try file.fill(path, with: known.list.text())
            }
            notice = ReplacedFile.notice(ofCopy: copy, lacksOwn: !isWhole)
        }
        self.own = own
    }

    /// Up to `limit` ids of items that lie in `range`, ascending. O(log n + `limit`), and once for
    /// each list O(n log n).
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
    func reconsiderAccess() {
        readOnlyReason = file.reasonAgainstReplacing(mode)
    }

    /// Applies `changes` to the list in the file, and returns when that is durable. O(n), unless
    /// nothing changes.
    func commit(_ changes: StorageChanges) throws -> CommitResult {
        // A sync tool may replace the file while the new one is written.
        for _ in 0..<Self.mostAttempts {
            if let result = try commitOnce(changes) { return result }
        }
        throw FileFailure.busy(at: file.location)
    }

    /// Tries to commit `changes`. Returns nil, and writes nothing, if another program has replaced
    /// the file meanwhile.
    private func commitOnce(_ changes: StorageChanges) throws -> CommitResult? {
        // A missing file cannot be locked, so the list is compared and copied before.
        if file.presentVersion != known.version { _ = try list() }
        if let readOnlyReason {
            throw FileFailure.readOnly(at: file.location, advice: readOnlyReason)
        }
        return try file.locked(waiting: busyTimeout) {
            // Replacing a file needs no permission to write to it, which the user may have removed
            // on purpose.
            if let reason = file.reasonAgainstReplacing() {
                throw FileFailure.readOnly(at: file.location, advice: reason)
            }
            try sync()
            var list = try list()
            if !isTidy {
                file.removeLeftDrafts { keepLeft($0, beside: list) }
                isTidy = true
            }
            let owed = own.owed
            let isCurrent = owed.isEmpty && list.isSame(as: told)
            let again = list.apply(owed, merging: .laterItems)
            var result = list.apply(changes, isCurrent: isCurrent)
            result.isBehind = !isCurrent
            // The file may contain the owed changes already. It is signed all the same, so that the
            // next version of the file is compared with it.
            if !list.isSame(as: known.list) || !owed.isEmpty {
                guard try write(&list, owed, changes.without(result.refusedIDs)) else { return nil }
                if isCurrent { (told, shown) = (list, list) }
            }
            if !isCurrent {
                let ids = changes.without(result.refusedIDs).ids
                shown.take(ids.union(result.stored?.ids ?? []), from: list)
            }
            own.owed = StorageChanges()
            notice = OwnCommits.notice(of: again, to: owed, after: notice)
            return result
        }
    }

    /// Copies a left draft with a list that another program had put into the place of this one: the
    /// process was killed after the two had exchanged their names.
    ///
    /// - Returns: true if the draft is to stay, because it could not be copied.
    private func keepLeft(_ path: String, beside list: WholeList) -> Bool {
        do {
            let (data, version, _) = try StoreFile(named: path).content()
            guard let left = Self.complete(data, at: path, version) else { return false }
            let identity = ListIdentity(id: list.id, entities: Array(list.ids))
            // The draft of a save and the list that it replaces: one of them has all that the other
            // has.
            let isOwn =
                left.isVersion(of: identity)
                && !(left.hasMore(than: list) && list.hasMore(than: left))
            if isOwn { return false }
            let copy = try ReplacedFile.keep(beside: file) { path in
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

    /// The list in a draft, or nil if its process was killed while it wrote it.
    private static func complete(
        _ data: Data, at path: String, _ version: StoreFile.Version
    ) -> WholeList? {
        do {
            return try WholeList(data, at: path, modified: version.modified)
        } catch {
            return nil
        }
    }

    /// Replaces the file by `list`, as the next commit, of `owed` and `changes`.
    ///
    /// - Returns: false if the file is no longer the known one; then nothing is written.
    private func write(
        _ list: inout WholeList, _ owed: StorageChanges, _ changes: StorageChanges
    ) throws -> Bool {
        // A list of an earlier version has no id. Its copies get the same one.
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
        sample.identity = list.identity
        guard let count else { return true }
        var all = owed
        all.take(changes)
        own.add(count.number, all, isSigned: true)
        return true
    }

    /// Keeps a copy of the file that an earlier program wrote, once.
    private func backUp(_ version: Int) throws {
        let (data, present, _) = try file.content()
        // Another program has replaced the file, so that it is read again.
        guard present == known.version, backedUp != present else { return }
        try file.backUp(version: Int64(version)) { try file.fill($0, with: Array(data)) }
        backedUp = present
    }

    /// What others have changed since the last call. O(1) if nothing, else O(n log n).
    ///
    /// Includes what a failed commit of this process wrote, once that is durable.
    func changesOfOthers() throws -> StorageChanges {
        try sync()
        var list = try list()
        if !own.owed.isEmpty {
            _ = try commit(StorageChanges())
            list = try self.list()
        }
        isAstray = false
        guard !list.isSame(as: told) else { return StorageChanges() }
        var changes = list.changes(since: told)
        // A row may be as it was before a commit again, by the hand of another process.
        if !shown.isSame(as: told) { changes.add(list.changes(since: shown)) }
        (told, shown) = (list, list)
        return changes
    }

    /// Whether the file may have something that this session has neither written nor told of. One
    /// that was away and is back has. O(1).
    func hasNews() -> Bool {
        do {
            let isKnown = try file.version() == known.version && known.list.isSame(as: told)
            if !isKnown { isAstray = true }
        } catch {
            // The fetch tells why.
            isAstray = true
        }
        return isAstray
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
    /// The commits that its file tells; see ``CommitCount``.
    fileprivate var commits: CommitCount? { CommitCount(in: others) }

    /// The ids that identify another version of the list.
    var identity: ListIdentity {
        let ends = items.prefix(ListIdentity.size) + items.suffix(ListIdentity.size)
        return ListIdentity(
            id: id, entities: tags.prefix(ListIdentity.size).map(\.id) + ends.map(\.id))
    }

    /// The ids of its tags and items.
    fileprivate var ids: some Sequence<UUID> { [tags.map(\.id), items.map(\.id)].joined() }

    /// Returns true if the list may be another version of the one with an identity. Deleted
    /// entities leave no trace in it.
    func isVersion(of identity: ListIdentity) -> Bool {
        identity.isVersion(id) { $0 == id || items[$0] != nil || tags[$0] != nil }
    }
}
