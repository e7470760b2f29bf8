import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

import struct Swidux.StorageMerge

/// The reads and commits on a store's only connection.
///
/// Not thread-safe. `@unchecked` is valid because ``SQLiteStorage`` calls it only on its database
/// queue.
final class SQLiteSession: @unchecked Sendable {
    private let file: StoreFile
    private let identity: StoreFile.Identity?
    private let connection: SQLiteConnection
    private let readOnlyReason: String?
    private let schema: SchemaWatch
    /// The ids of the list.
    private let currentIdentity: CurrentListIdentity
    /// The version of the file that was last checked or written.
    private var checked: StoreFile.Version?
    private let tables: EntityTables
    private var items: ItemTable { tables.items }
    private let itemCount: SQLiteStatement
    private let lastRank: SQLiteStatement
    private let ledger: CommitLedger
    private let writer: SQLiteWriter
    /// The error that revealed damage of the store. While it is set, nothing is written.
    private var damage: StorageError?
    /// True if a commit may have ended without making the removal of its journal durable.
    private var isUnsynced = false
    /// The scan that finds items. Created by the first search.
    private var scan: ItemScan?
    private var tagSets: (version: Int64, sets: TagSets)?
    /// The tags of all items at the version of ``tagSets``, while a long list is read.
    private var tagSetsByRow: TagSetsByRow?
    /// True if a check found another file or version than the known one, and the file has not been
    /// read since.
    private var hasUnreadVersion = false
    /// The commits of this process.
    private var own = OwnCommits()
    /// True if another version of the list was found in the file and ``copyMissingRows(_:)`` has
    /// not been called since.
    private(set) var isOlder = false
    /// True if that version also lacks commits of this session that cannot be repeated.
    private var lacksOwn = false
    /// True if all reads are part of one transaction.
    private var isInSnapshot = false
    /// True if commits record in the file which process made them.
    private(set) var signs = false
    /// A sentence for the user that has not been shown.
    var notice: String?

    init(
        _ connection: SQLiteConnection, file: StoreFile, identity: StoreFile.Identity?,
        readOnlyReason: String?, schema: SchemaWatch,
        currentIdentity: CurrentListIdentity = CurrentListIdentity()
    ) throws {
        self.file = file
        self.currentIdentity = currentIdentity
        self.schema = schema
        self.identity = identity
        self.connection = connection
        self.readOnlyReason = readOnlyReason
        tables = try EntityTables(on: connection)
        itemCount = try connection.statement("SELECT count(*) FROM items")
        lastRank = try connection.statement(
            "SELECT rank FROM items \(ItemPosition.order(isBackward: true)) LIMIT 1")
        ledger = try CommitLedger(on: connection)
        writer = SQLiteWriter(
            connection: connection, schema: schema, tables: tables, ledger: ledger)
    }

    /// Opens a session on a new list that is not at its final path yet.
    convenience init(new path: String, on connection: SQLiteConnection) throws {
        let file = try StoreFile(named: path)
        try self.init(
            connection, file: file, identity: try file.identity(), readOnlyReason: nil,
            schema: try SchemaWatch(.current, on: connection))
    }

    // MARK: Reading

    func load<Entity: SmallEntity>(_ kind: Entity.Type) throws -> [Entity] {
        try read { try tables[kind].load(tags: try knownTags()) }
    }

    func loadItems(after cursor: ItemPosition?, limit: Int) throws -> [Item] {
        let page = try read {
            let tags = try knownTags()
            if limit >= FoundItems.longPage {
                tagSetsByRow = try tagSetsByRow ?? TagSetsByRow(on: connection, tags: tags)
            }
            if let tagSetsByRow {
                return try items.load(after: cursor, limit: limit, tags: tagSetsByRow)
            }
            return try items.load(after: cursor, limit: limit, tags: tags)
        }
        if page.count < limit {
            tagSetsByRow = nil
            connection.releaseMemory()
        }
        return page
    }

    func loadItems(before cursor: ItemPosition, limit: Int) throws -> [Item] {
        try read { try items.load(before: cursor, limit: limit, tags: try knownTags()) }
    }

    func findItems(
        _ search: ItemSearch, _ parts: ItemParts, after cursor: ItemPosition?, limit: Int
    ) throws -> FoundItems {
        if limit >= FoundItems.longPage, search.isEverything, parts == .all {
            let page = try loadItems(after: cursor, limit: limit)
            return FoundItems(page, end: page.count < limit ? nil : page.last?.position)
        }
        let found = try read {
            let scan = try scan ?? ItemScan(of: items, on: connection)
            self.scan = scan
            return try scan.find(
                search, parts, after: cursor, limit: limit, tags: try knownTags(),
                version: try ledger.version())
        }
        if found.end == nil { connection.releaseMemory() }
        return found
    }

    func itemIDs(in range: ClosedRange<Item.ID>, limit: Int) throws -> [Item.ID] {
        try read { try items.ids(in: range, limit: limit) }
    }

    func loadItems(ids: [Item.ID]) throws -> [Item] {
        // If another list was written into the file, the items would otherwise seem to be deleted.
        if isInPlace { try checkContent() }
        return try read {
            let tags = try knownTags()
            return try Set(ids).compactMap { try items.load(id: $0, tags: tags) }
        }
    }

    func countItems() throws -> Int {
        try read {
            defer { itemCount.reset() }
            return try itemCount.step() ? Int(itemCount.integer(0)) : 0
        }
    }

    func lastItemRank() throws -> Rank? {
        try read {
            defer { lastRank.reset() }
            guard try lastRank.step() else { return nil }
            let text = lastRank.text(0)
            guard let rank = Rank(text: text) else {
                throw StorageError.unreadableRow(
                    "the last row of items: invalid rank \(JSONText.quoted(text))",
                    at: file.location)
            }
            return rank
        }
    }

    func beginSnapshot() throws {
        try connection.execute("BEGIN")
        isInSnapshot = true
        try read {}
    }

    func endSnapshot() {
        isInSnapshot = false
        connection.rollBack()
    }

    /// Returns a page of the changes of other processes. If only a comparison of ids can reveal the
    /// deletions, also returns all ids in the store.
    func externalChanges(
        limit: Int
    ) throws -> (fetched: FetchedChanges<StorageChanges>, remaining: Set<UUID>?) {
        guard isInPlace else { throw FileFailure.moved(at: file.location) }
        try checkContent()
        try recommitLostChanges()
        if isUnsynced {
            try file.syncFolder()
            isUnsynced = false
        }
        let (answer, progress) = try read { try pageOfExternalChanges(limit: limit) }
        // Recorded last: a page that could not be read completely is requested again.
        if let progress {
            ledger.record(progress)
            try read { try ledger.rememberLastCommit() }
        }
        if case .all = progress { updateIdentity() }
        hasUnreadVersion = false
        return answer
    }

    private func pageOfExternalChanges(
        limit: Int
    ) throws -> (
        (fetched: FetchedChanges<StorageChanges>, remaining: Set<UUID>?), CommitLedger.Progress?
    ) {
        guard let scan = try ledger.nextScan() else {
            return ((FetchedChanges(StorageChanges()), nil), nil)
        }
        var changes = StorageChanges()
        let known = try knownTags()
        func read(_ kind: (some SmallEntity).Type) throws {
            changes[kind].upsert(try tables[kind].load(writtenAfter: scan.start, tags: known))
        }
        for kind in Kinds.small { try read(kind) }
        let (page, end) = try items.load(writtenAfter: scan.place, limit: limit, tags: known)
        changes.items.upsert(page)
        if page.count == limit, let end {
            return ((FetchedChanges(changes, isComplete: false), nil), .more(scan, from: end))
        }
        guard !scan.comparesIDs else {
            return ((FetchedChanges(changes), try ledger.everyID()), .all(seen: scan.point))
        }
        try ledger.addDeletions(since: scan, to: &changes)
        return ((FetchedChanges(changes), nil), .all(seen: scan.point))
    }

    /// Continues from the state of `other`, an earlier session on the same list. The next fetch
    /// returns the rows that other processes have written since. If this session has another file
    /// open, the next fetch or commit repeats the commits of this process that the file lacks.
    ///
    /// - Returns: false if the file also lacks commits that this process no longer holds.
    func follow(_ other: SQLiteSession) throws -> Bool {
        (own, signs, notice) = (other.own, other.signs, other.notice)
        guard identity != other.identity else {
            ledger.follow(other.ledger)
            return true
        }
        ledger.forget()
        return try own.collectLost(ledger.has)
    }

    // MARK: Another file in its place

    /// Signs all later commits, and prepares to notice another version in the file.
    func beginWatching() {
        signs = true
        do {
            let version = try file.version()
            try read { try ledger.rememberLastCommit() }
            checked = checked ?? version
        } catch {
            // The next fetch reports the reason.
            hasUnreadVersion = true
        }
    }

    /// True if the path still leads to the file that is open here.
    var isInPlace: Bool {
        var status = stat()
        return stat(file.path, &status) == 0 && StoreFile.Identity(status) == identity
    }

    /// Checks that the list that `other` has open is a version of this one.
    ///
    /// - Throws: `.foreign` if it is not.
    func checkVersion(_ other: SQLiteConnection) throws {
        // The file that is open here may have been overwritten before another file replaced it.
        let isKnown =
            try !currentIdentity.value.isEmpty
            && ListIDs(of: other).mayBeVersion(of: currentIdentity.value)
        guard try isKnown || read({ try connection.isVersion(of: other) }) else {
            throw FileFailure.otherList(at: file.location)
        }
    }

    /// Replaces the current identity with ids of the current list. If that fails, or if the list no
    /// longer has any, the former ids stay: the tombstones of the list contain them.
    func updateIdentity() {
        do {
            let identity = try read { try ListIDs(of: connection).identity() }
            if !identity.isEmpty { currentIdentity.value = identity }
        } catch {
            return
        }
    }

    /// Checks that the file still has this list, and prepares to repeat the commits of this process
    /// that another version lacks. `cp` and some sync tools overwrite a file in place. O(1) if the
    /// file is unchanged.
    private func checkContent() throws {
        let version = try file.version()
        let isKnown = try ledger.knows(StoreHeader(on: connection))
        guard version != checked || !isKnown else { return }
        // SQLite would use cached pages of the earlier file if both files have the same change
        // counter.
        if version != checked { connection.releaseMemory() }
        let (isList, isOlder) = try read {
            // No commit has changed the file.
            if isKnown, checked != nil, let fault = try PageCheck.cheapFault(on: connection) {
                throw damaged(fault)
            }
            let ids = try ListIDs(of: connection)
            // After a deletion of very many rows, their tombstones are no longer kept.
            let isList =
                try ids.mayBeVersion(of: currentIdentity.value)
                || (currentIdentity.value.id == nil || ids.id() == nil) && ledger.hasForgotten()
            return (isList, try ledger.isAhead() || !own.isLastCommitStored(where: ledger.has))
        }
        checked = isList ? version : nil
        guard isList else {
            var error = FileFailure.otherList(at: file.location)
            error.reason = "the file was overwritten: \(error.reason)"
            throw error
        }
        guard isOlder else { return }
        self.isOlder = true
        lacksOwn = false
        ledger.forget()
        if try !own.collectLost(ledger.has) {
            lacksOwn = true
            notice = "The file was overwritten. It lacks older edits of this session"
        }
    }

    /// Returns true if this list has changes that are neither in the file of `other` nor among the
    /// lost changes to be committed to it.
    func hasMore(than other: SQLiteSession) throws -> Bool {
        try read {
            try connection.hasMore(than: other.connection, except: other.own.lostChanges.ids)
        }
    }

    /// Copies the list to a file beside it, together with those of `rows` that the version in the
    /// file lacks, and names the copy in ``notice``. If that version lacks none of `rows`,
    /// no copy is made.
    ///
    /// - Parameter rows: the saved rows on the screen, before those of the file replace them.
    func copyMissingRows(_ rows: StorageChanges) {
        isOlder = false
        let start = "Another version was written into the file"
        do {
            let lost = try missing(of: rows)
            guard !lost.isEmpty else { return }
            guard readOnlyReason == nil else {
                let edits = lost.count == 1 ? "1 edit" : "\(lost.count) edits"
                report("\(start). It lacks \(edits) of others")
                return
            }
            let kept = try RefusedReplacement.makeCopy(beside: file) { path in
                try copy(to: path)
                try SQLiteCopy.write(lost, to: path)
            }
            report(RefusedReplacement.notice(ofCopy: kept, lacksOwn: lacksOwn))
        } catch {
            let reason = StorageError(error, at: file.location).reason
            report("\(start). Edits of others that it lacks could not be copied: \(reason)")
        }
    }

    /// Adds `sentence` to ``notice``. If the notice says that edits of this session are missing,
    /// `sentence` replaces it, because `sentence` says so too.
    private func report(_ sentence: String) {
        notice = [lacksOwn ? nil : notice, sentence].compactMap(\.self).joined(separator: ". ")
    }

    /// Returns those of `rows` that the file neither has nor has deleted, or has in an earlier
    /// state.
    private func missing(of rows: StorageChanges) throws -> StorageChanges {
        try read {
            let lacks = try connection.missingEntityPredicate()
            var missing = StorageChanges()
            func find(_ kind: (some SmallEntity).Type) throws {
                missing[kind].upsert(try rows[kind].upserts.filter { try lacks($0.id, 0) })
            }
            for kind in Kinds.small { try find(kind) }
            missing.items.upsert(
                try rows.items.upserts.filter { try lacks($0.id, $0.updatedAt.milliseconds) })
            return missing
        }
    }

    /// Copies the open list into the empty file at `path`.
    func copy(to path: String) throws {
        try checkJournals()
        try SQLiteCopy.copyPages(of: connection, to: path)
    }

    /// Checks SQLite's files beside the list. If another file has replaced this one, they belong to
    /// the other file. SQLite would apply them to this one and delete them.
    private func checkJournals() throws(StorageError) {
        if !isInPlace, SidecarFiles.contents.contains(where: { access(file.path + $0, F_OK) == 0 })
        {
            throw FileFailure.busy(at: file.location)
        }
        try SidecarFiles(of: file).check()
    }

    /// Repeats the commits that the file lacks. If a field was edited twice, the later edit wins.
    func recommitLostChanges() throws {
        guard !own.lostChanges.isEmpty else { return }
        try prepareToWrite()
        let lostChanges = own.lostChanges
        let result = try write(lostChanges, merging: .laterItems)
        own.lostChanges = StorageChanges()
        notice = OwnCommits.notice(of: result, to: lostChanges, after: notice)
    }

    /// Returns true if the file may have changes that this session has neither written nor fetched.
    /// Also true for a file that was replaced and then came back. O(1).
    func hasExternalChanges() -> Bool {
        do {
            let isKnown = try file.identity() == identity && !hasOtherVersion
            if try !isKnown || !ledger.knows(StoreHeader(on: connection)) {
                hasUnreadVersion = true
            }
        } catch {
            // The next fetch reports the reason.
            hasUnreadVersion = true
        }
        return hasUnreadVersion
    }

    /// True if the file is not the version that was last checked or written, or if commits remain
    /// to be repeated or copied. False before the first check. O(1).
    var mayLackCommits: Bool { !own.lostChanges.isEmpty || isOlder || hasOtherVersion }

    /// True if the file is not the version that was last checked or written.
    private var hasOtherVersion: Bool { checked.map { $0 != file.presentVersion } ?? false }

    /// Returns the value of a pragma of this connection.
    func pragma(_ name: String) throws -> Int64? {
        try connection.integer("PRAGMA \(name)")
    }

    private func read<T>(_ body: () throws -> T) throws -> T {
        try checkJournals()
        do {
            func checkAndRead() throws -> T {
                try schema.checkIfChanged()
                return try body()
            }
            return try isInSnapshot ? checkAndRead() : connection.transaction("BEGIN", checkAndRead)
        } catch let error as StorageError where error.code == .corrupt {
            damage = damage ?? error
            throw error
        }
    }

    /// Returns the existing tags. Reads them again only if another process or a commit may have
    /// changed them.
    private func knownTags() throws -> TagSets {
        let version = try ledger.version()
        if let tagSets, tagSets.version == version { return tagSets.sets }
        let sets = TagSets(try tables[Tag.self].ids())
        tagSets = (version, sets)
        tagSetsByRow = nil
        return sets
    }

    // MARK: Writing

    /// Refuses every later commit, because the file has a fault that a commit could make worse.
    func refuseCommits(because fault: String) { damage = damaged(fault) }

    private func damaged(_ fault: String) -> StorageError {
        StorageError(
            .corrupt, at: file.location, reason: "the list is damaged (\(fault))",
            advice: "'sheaf doctor' examines it; 'sheaf restore' lists backups.")
    }

    func commit(_ changes: StorageChanges) throws -> CommitResult {
        try prepareToWrite()
        try checkContent()
        try recommitLostChanges()
        return try write(changes)
    }

    /// Throws if the file must not be written.
    private func prepareToWrite() throws {
        if let readOnlyReason {
            throw FileFailure.readOnly(at: file.location, advice: readOnlyReason)
        }
        if let damage {
            guard isSound(after: damage) else { throw damage }
            self.damage = nil
        }
        guard isInPlace else { throw FileFailure.moved(at: file.location) }
        // If the write failed halfway, the remaining journal would keep other processes from
        // reading the list.
        if let reason = SQLiteOpener.reasonAgainstWriting(file, .readWrite) {
            throw FileFailure.readOnly(at: file.location, advice: reason)
        }
        try SidecarFiles(of: file).check()
    }

    private func write(
        _ changes: StorageChanges, merging merge: StorageMerge<Item> = .items
    ) throws -> CommitResult {
        if !changes.tags.isEmpty { tagSets = nil }
        tagSetsByRow = nil
        scan?.forget()
        isUnsynced = true
        do {
            let (result, number) = try writer.write(
                changes, signedBy: signs ? own.author : nil, merging: merge)
            isUnsynced = false
            own.add(number, changes.without(result.refusedIDs), isSigned: signs)
            checked = file.presentVersion
            // A commit with very many deletions keeps no tombstones, so the identity needs ids of
            // remaining entities.
            if changes.items.hasDeletions || currentIdentity.value.isEmpty { updateIdentity() }
            return result
        } catch let error as StorageError {
            switch error.code {
            case .corrupt:
                damage = error
                throw error
            case .cannotOpen, .io:
                // SQLite could not make its journal. The reason that it reports belongs to a later
                // attempt.
                guard
                    let reason = file.reasonAgainstWriting()
                        ?? SidecarFiles(of: file).reasonAgainstWriting()
                else { throw error }
                throw FileFailure.readOnly(at: file.location, advice: reason)
            default:
                throw error
            }
        }
    }

    /// Checks every page and every index. O(size).
    ///
    /// - Throws: `.corrupt` if a page or an index is damaged.
    func checkIntegrity() throws {
        try read { try PageCheck.checkAll(on: connection, at: file.location) }
    }

    /// Returns true if the file is sound after all. SQLite also reports damage after it temporarily
    /// failed to read the file. O(size).
    private func isSound(after damage: StorageError) -> Bool {
        guard SQLiteFailure.mayBeTemporary(damage) else { return false }
        // Forces SQLite to read the pages from the file instead of its cache.
        connection.releaseMemory()
        do {
            return try read {
                try connection.firstFault("integrity_check") == nil
                    && PageCheck.cheapFault(on: connection) == nil
            }
        } catch {
            return false
        }
    }
}
