import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

import struct Swidux.StorageMerge

/// The reads and commits on a store's one connection, one at a time.
///
/// Not safe by itself: ``SQLiteStorage`` calls it on its database queue alone, which is what
/// `@unchecked` rests on.
final class SQLiteSession: @unchecked Sendable {
    private let file: StoreFile
    private let identity: StoreFile.Identity?
    private let connection: SQLiteConnection
    private let readOnlyReason: String?
    private let schema: SchemaWatch
    /// Ids of the list.
    private let sample: ListSample
    /// The version of the file that was looked at or written last.
    private var checked: StoreFile.Version?
    private let tables: EntityTables
    private var items: ItemTable { tables.items }
    private let itemCount: SQLiteStatement
    private let lastRank: SQLiteStatement
    private let ledger: CommitLedger
    private let writer: SQLiteWriter
    /// The error that showed that the store is damaged. Nothing is written while it stands.
    private var damage: StorageError?
    /// Whether a commit may have ended without the end of its journal being durable.
    private var isUnsynced = false
    /// What finds items, once any were looked for.
    private var scan: ItemScan?
    private var tagSets: (version: Int64, sets: TagSets)?
    /// The tags of all items at that version, while a long list is read.
    private var rowTags: RowTags?
    /// Whether the file was not the known one when it was looked at, and has not been read since.
    private var isAstray = false
    /// The commits of this process.
    private var own = OwnCommits()
    /// True if an older version of the list was found in the file, and ``keep(_:)`` was not called
    /// since.
    private(set) var isOlder = false
    /// True if that version also lacks commits of this session that cannot be made again.
    private var lacksOwn = false
    /// True if reads are parts of one transaction.
    private var isInSnapshot = false
    /// True if commits tell in the file who made them.
    var signs = false
    /// A sentence for the user that has not been shown.
    var notice: String?

    init(
        _ connection: SQLiteConnection, file: StoreFile, identity: StoreFile.Identity?,
        readOnlyReason: String?, schema: SchemaWatch, sample: ListSample = ListSample()
    ) throws {
        self.file = file
        self.sample = sample
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

    /// On a new list that is not at its own path yet.
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
                rowTags = try rowTags ?? RowTags(on: connection, tags: tags)
            }
            if let rowTags {
                return try items.load(after: cursor, limit: limit, tags: rowTags)
            }
            return try items.load(after: cursor, limit: limit, tags: tags)
        }
        if page.count < limit {
            rowTags = nil
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
        // Another list that was written into the file has none of them, and has deleted none.
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

    /// A page of what others have written, and all ids in the store where only they show what was
    /// deleted.
    func changesOfOthers(
        limit: Int
    ) throws -> (fetched: FetchedChanges<StorageChanges>, remaining: Set<UUID>?) {
        guard isInPlace else { throw FileFailure.moved(at: file.location) }
        try checkContent()
        try commitOwed()
        if isUnsynced {
            try file.syncFolder()
            isUnsynced = false
        }
        let (answer, progress) = try read { try pageOfOthers(limit: limit) }
        // Only now: a page that could not be read to its end is requested again.
        if let progress { ledger.took(progress) }
        if case .all = progress { takeSample() }
        isAstray = false
        return answer
    }

    private func pageOfOthers(
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

    /// Continues where `other` was, an earlier session on the same list. The next fetch returns the
    /// rows that others have written since. The next fetch or commit repeats the commits of this
    /// process that another file lacks.
    ///
    /// - Returns: false if the file also lacks commits that are no longer known.
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

    /// True if the file at the path is the one that is open here.
    var isInPlace: Bool {
        var status = stat()
        return stat(file.path, &status) == 0 && StoreFile.Identity(status) == identity
    }

    /// Makes sure that the list that `other` has open is a version of this one.
    ///
    /// - Throws: `.foreign` if it is not.
    func checkVersion(_ other: SQLiteConnection) throws {
        // The file that is open here may have been overwritten before the path got another one.
        let isKnown =
            try !sample.identity.isEmpty && ListIDs(of: other).areVersion(of: sample.identity)
        guard try isKnown || read({ try connection.isVersion(of: other) }) else {
            throw FileFailure.otherList(at: file.location)
        }
    }

    /// Replaces the sample with ids of the present list. If that fails, or it has none any longer,
    /// the former ones stay: the list has deleted them.
    func takeSample() {
        do {
            let identity = try read { try ListIDs(of: connection).identity() }
            if !identity.isEmpty { sample.identity = identity }
        } catch {
            return
        }
    }

    /// Checks that the file still has this list, and plans to repeat the commits of this process
    /// that an older version lacks: `cp` and some sync tools overwrite a file in place. O(1) if it
    /// is unchanged.
    private func checkContent() throws {
        let version = try file.version()
        guard try version != checked || !ledger.knows(StoreHeader(on: connection)) else { return }
        // SQLite takes the pages of two files for equal that have the same count of transactions.
        if version != checked { connection.releaseMemory() }
        let (isList, isOlder) = try read {
            let ids = try ListIDs(of: connection)
            // A deletion of very many rows leaves no tombstones.
            let isList =
                try ids.areVersion(of: sample.identity)
                || (sample.identity.id == nil || ids.id() == nil) && ledger.hasForgotten()
            return (isList, try ledger.isAhead() || !own.areIn(ledger.has))
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

    /// True if the list here has more than the file of `other` and the commits owed to that.
    func hasMore(than other: SQLiteSession) throws -> Bool {
        try read { try connection.hasMore(than: other.connection, except: other.own.owed.ids) }
    }

    /// Copies the list, with those of `rows` that the older version in the file lacks, to a file
    /// beside it, and has ``notice`` name the copy. No copy is made if it lacks none.
    ///
    /// - Parameter rows: the saved rows on the screen, before those of the file replace them.
    func keep(_ rows: StorageChanges) {
        isOlder = false
        let start = "An older version was written into the file"
        do {
            let lost = try missing(of: rows)
            guard !lost.isEmpty else { return }
            guard readOnlyReason == nil else {
                let edits = lost.count == 1 ? "1 edit" : "\(lost.count) edits"
                report("\(start). It lacks \(edits) of others")
                return
            }
            let kept = try ReplacedFile.keep(beside: file) { path in
                try copy(to: path)
                try SQLiteCopy.write(lost, to: path)
            }
            report(ReplacedFile.notice(ofCopy: kept, lacksOwn: lacksOwn))
        } catch {
            let reason = StorageError(error, at: file.location).reason
            report("\(start). Edits of others that it lacks could not be copied: \(reason)")
        }
    }

    /// Adds `sentence` to ``notice``, and leaves out that edits of this session are lacking, which
    /// the sentence says too.
    private func report(_ sentence: String) {
        notice = [lacksOwn ? nil : notice, sentence].compactMap(\.self).joined(separator: ". ")
    }

    /// Those of `rows` that the file neither has nor has deleted, or has as they were before.
    private func missing(of rows: StorageChanges) throws -> StorageChanges {
        try read {
            let lacks = try connection.lack()
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

    /// Copies the list that is open here into the empty file at `path`.
    func copy(to path: String) throws {
        try checkJournals()
        try SQLiteCopy.copyPages(of: connection, to: path)
    }

    /// Files of SQLite's beside a file that has taken this one's place belong to that one: SQLite
    /// would play them into this one, and delete them.
    private func checkJournals() throws(StorageError) {
        if !isInPlace, Companions.contents.contains(where: { access(file.path + $0, F_OK) == 0 }) {
            throw FileFailure.busy(at: file.location)
        }
        try Companions(of: file).check()
    }

    /// Makes the commits again that the file lacks. Of two edits of one field the later one stands.
    func commitOwed() throws {
        guard !own.owed.isEmpty else { return }
        try prepareToWrite()
        let owed = own.owed
        let result = try write(owed, merging: .laterItems)
        own.owed = StorageChanges()
        notice = OwnCommits.notice(of: result, to: owed, after: notice)
    }

    /// Whether the file may have something that this session has neither written nor fetched. One
    /// that was away and is back has. O(1).
    func hasNews() -> Bool {
        do {
            let isKnown = try file.identity() == identity
            if try !isKnown || !ledger.knows(StoreHeader(on: connection)) { isAstray = true }
        } catch {
            // The fetch tells why.
            isAstray = true
        }
        return isAstray
    }

    /// The value of a pragma of this connection.
    func pragma(_ name: String) throws -> Int64? {
        try connection.integer("PRAGMA \(name)")
    }

    private func read<T>(_ body: () throws -> T) throws -> T {
        try checkJournals()
        do {
            func look() throws -> T {
                try schema.look()
                return try body()
            }
            return try isInSnapshot ? look() : connection.transaction("BEGIN", look)
        } catch let error as StorageError where error.code == .corrupt {
            damage = damage ?? error
            throw error
        }
    }

    /// The tags that exist, read again only once another process or a commit may have changed them.
    private func knownTags() throws -> TagSets {
        let version = try ledger.version()
        if let tagSets, tagSets.version == version { return tagSets.sets }
        let sets = TagSets(try tables[Tag.self].ids())
        tagSets = (version, sets)
        rowTags = nil
        return sets
    }

    // MARK: Writing

    /// Refuses every commit, because the file has a fault that a commit could make worse.
    func refuseCommits(because fault: String) {
        damage = StorageError(
            .corrupt, at: file.location, reason: "the list is damaged (\(fault))",
            advice: "'sheaf doctor' examines it; 'sheaf restore' lists backups.")
    }

    func commit(_ changes: StorageChanges) throws -> CommitResult {
        try prepareToWrite()
        try checkContent()
        try commitOwed()
        return try write(changes)
    }

    /// Makes sure that the file may be written to.
    private func prepareToWrite() throws {
        if let readOnlyReason {
            throw FileFailure.readOnly(at: file.location, advice: readOnlyReason)
        }
        if let damage {
            guard isSound(after: damage) else { throw damage }
            self.damage = nil
        }
        guard isInPlace else { throw FileFailure.moved(at: file.location) }
        // The journal of a write that the file then rejects would keep others from reading it.
        if let reason = SQLiteOpener.reasonAgainstWriting(file, .readWrite) {
            throw FileFailure.readOnly(at: file.location, advice: reason)
        }
        try Companions(of: file).check()
    }

    private func write(
        _ changes: StorageChanges, merging merge: StorageMerge<Item> = .items
    ) throws -> CommitResult {
        if !changes.tags.isEmpty { tagSets = nil }
        rowTags = nil
        scan?.forget()
        isUnsynced = true
        do {
            let (result, number) = try writer.write(
                changes, signedBy: signs ? own.author : nil, merging: merge)
            isUnsynced = false
            own.add(number, changes.without(result.refusedIDs), isSigned: signs)
            checked = file.presentVersion
            // Of many deletions no tombstones are kept.
            if changes.items.hasDeletions || sample.identity.isEmpty { takeSample() }
            return result
        } catch let error as StorageError {
            switch error.code {
            case .corrupt:
                damage = error
                throw error
            case .cannotOpen, .io:
                // SQLite could not make its journal; the reason that it gives is that of a later
                // attempt.
                guard
                    let reason = file.reasonAgainstWriting()
                        ?? Companions(of: file).reasonAgainstWriting()
                else { throw error }
                throw FileFailure.readOnly(at: file.location, advice: reason)
            default:
                throw error
            }
        }
    }

    /// Checks every page and every index. O(size).
    ///
    /// - Throws: `StorageError` of `.corrupt` if one is damaged.
    func checkIntegrity() throws {
        try read { try PageCheck.checkAll(on: connection, at: file.location) }
    }

    /// Whether the file is sound after all: SQLite also calls a file malformed that it could not
    /// read for a while. O(size).
    private func isSound(after damage: StorageError) -> Bool {
        guard SQLiteFailure.mayPass(damage) else { return false }
        // The pages themselves, not cached ones.
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
