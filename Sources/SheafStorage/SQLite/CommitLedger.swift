import FoundationEssentials
import Glibc
import SheafList

/// The kinds of tombstones that do not record a deletion. The kind of every other tombstone is the
/// kind of the deleted entity (``ListEntity/number``).
enum Tombstone {
    /// A tombstone with the id of a process and the number of the process's last commit. It shows
    /// which commits of a process a file has. Earlier versions of the program do not read it.
    static let process: Int64 = 3
    /// A tombstone with the id of the list itself. Versions that do not know this kind remove it
    /// together with the oldest deletions.
    static let list: Int64 = 4

    /// An SQL condition for tombstones that record deletions.
    static let isEntity = "kind NOT IN (\(process), \(list))"
}

/// The position of a row in write order: the commit number, then the row number.
struct CommitPlace: Hashable {
    var number: Int64
    var row: Int64
}

/// The numbers of commits: which commits this process has seen, which rows other processes have
/// written since, and which entities were deleted.
///
/// Every commit of the program is one transaction and has a number. Each row that it writes carries
/// this number. Edits with the sqlite3 shell have no number. SQLite's own transaction counter
/// reveals such edits, even if commits follow. All rows are then compared.
final class CommitLedger {
    /// The maximum number of remembered deletions. A process that has missed more compares all ids.
    static let tombstoneLimit = 10_000

    /// The state of the store when this process last knew all of it.
    private var seen: Point
    /// The fetch in progress, if it takes more than one page.
    private var scan: Scan?
    /// The entities of the commit ``seen``, unless this process made it. Nil in a process that does
    /// not watch the list.
    private var lastCommit: LastCommit?

    private let connection: SQLiteConnection
    private let point: SQLiteStatement
    private let dataVersion: SQLiteStatement
    private let advance: SQLiteStatement
    private let tombstoneInsertion: SQLiteStatement
    private let tombstonesSince: SQLiteStatement
    private let oldestKept: SQLiteStatement
    private let tombstoneDeletion: SQLiteStatement
    private let forgetting: SQLiteStatement
    private let allIDs: SQLiteStatement
    private let lastSigned: SQLiteStatement

    struct Point: Equatable {
        var number: Int64
        var dataVersion: Int64
        /// The difference between SQLite's change counter and the commit number, modulo 2^32. It
        /// grows with edits by hand. Nil in WAL mode, where SQLite does not count.
        var unnumbered: UInt32?

        /// Returns true if every write since `earlier` has a number.
        func isNumbered(since earlier: Point) -> Bool {
            // An older copy of the store in its place has lower numbers.
            self == earlier
                || number > earlier.number && unnumbered != nil && unnumbered == earlier.unnumbered
        }
    }

    /// A fetch in progress.
    struct Scan {
        /// The state of the store when the next page is read.
        var point: Point
        /// The commit number after which tags and views are reported again with each page.
        var start: Int64
        /// The place after which the next page of items begins.
        var place: CommitPlace
        /// True if only a comparison of all ids can reveal the deletions.
        var comparesIDs: Bool
    }

    /// A commit that is being written.
    struct Entry {
        var number: Int64
        /// True if no other process has committed since this process last knew all of the store.
        var isCurrent: Bool
    }

    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        point = try connection.statement("SELECT last_number, forgotten FROM commits")
        dataVersion = try connection.statement("PRAGMA data_version")
        advance = try connection.statement(
            "UPDATE OR ABORT commits SET last_number = last_number + 1")
        tombstoneInsertion = try connection.statement(
            "INSERT OR REPLACE INTO tombstones (id, kind, commit_number) VALUES (?1, ?2, ?3)")
        let tables = Kinds.all.map { $0.plural }
        let living = tables.map { " AND NOT EXISTS (SELECT 1 FROM \($0) t WHERE t.id = g.id)" }
        tombstonesSince = try connection.statement(
            "SELECT id, kind FROM tombstones g WHERE commit_number > ?1" + living.joined())
        oldestKept = try connection.statement(
            """
            SELECT commit_number FROM tombstones WHERE \(Tombstone.isEntity)
            ORDER BY commit_number DESC LIMIT 1 OFFSET ?1
            """)
        tombstoneDeletion = try connection.statement(
            """
            DELETE FROM tombstones
            WHERE commit_number <= ?1 AND \(Tombstone.isEntity)
              OR commit_number <= ?1 - 1000000 AND kind = \(Tombstone.process)
            """)
        forgetting = try connection.statement("UPDATE OR ABORT commits SET forgotten = ?1")
        allIDs = try connection.statement(
            tables.map { "SELECT id FROM \($0)" }.joined(separator: " UNION ALL "))
        lastSigned = try connection.statement(
            "SELECT commit_number FROM tombstones WHERE id = ?1 AND kind = ?2")
        seen = Point(number: 0, dataVersion: 0, unnumbered: nil)
        seen = try connection.transaction("BEGIN") { try now().point }
    }

    /// Returns SQLite's counter of the commits of other connections.
    func version() throws -> Int64 {
        defer { dataVersion.reset() }
        return try dataVersion.step() ? dataVersion.integer(0) : 0
    }

    private func now() throws -> (point: Point, forgotten: Int64) {
        let version = try version()
        defer { point.reset() }
        guard try point.step(), Self.numbers.contains(point.integer(0)) else {
            throw Self.uncounted(at: connection.location)
        }
        let number = point.integer(0)
        let unnumbered = try StoreHeader(on: connection).changeCounter.map {
            $0 &- UInt32(truncatingIfNeeded: number)
        }
        return (
            Point(number: number, dataVersion: version, unnumbered: unnumbered), point.integer(1)
        )
    }

    /// Checks that the list has a valid commit number, in a transaction that is already open.
    ///
    /// - Throws: `.corrupt`.
    static func check(_ connection: SQLiteConnection) throws {
        let number = try connection.integer("SELECT last_number FROM commits")
        guard let number, numbers.contains(number) else {
            throw uncounted(at: connection.location)
        }
    }

    /// The valid commit numbers. No list ever reaches the upper bound.
    private static let numbers: Range<Int64> = 0..<1 << 62

    private static func uncounted(at location: String) -> StorageError {
        StorageError(
            .corrupt, at: location,
            reason: "the list is damaged (its commit number is missing or out of range)",
            advice: "Restore a backup.")
    }

    // MARK: Writing

    /// Begins a commit, within its transaction.
    ///
    /// - Throws: `StorageError`, `.corrupt` if an edit by hand has left no number for the commit.
    func begin() throws -> Entry {
        let present = try now().point
        guard present.number < .max else {
            throw StorageError(
                .corrupt, at: connection.location,
                reason: "the list is damaged (its commit numbers are used up)",
                advice: "Set last_number with the sqlite3 shell, or restore a backup.")
        }
        try advance.run()
        return Entry(number: present.number + 1, isCurrent: scan == nil && present == seen)
    }

    /// Records a durable commit as seen. The result of the commit tells the caller which rows were
    /// stored differently.
    func end(_ entry: Entry) {
        guard entry.isCurrent else { return }
        seen.number = entry.number
        lastCommit?.forget()
    }

    /// Records that the entity `id` was deleted, or that the process `id` has made this commit.
    func recordTombstone(_ id: UUID, _ kind: Int64, in entry: Entry) throws {
        try tombstoneInsertion.bind(id, at: 1)
        try tombstoneInsertion.bind(kind, at: 2)
        try tombstoneInsertion.bind(entry.number, at: 3)
        try tombstoneInsertion.run()
    }

    /// Removes the oldest deletions if there are too many.
    func trim() throws {
        defer { oldestKept.reset() }
        try oldestKept.bind(Int64(Self.tombstoneLimit), at: 1)
        guard try oldestKept.step() else { return }
        let last = oldestKept.integer(0)
        try tombstoneDeletion.bind(last, at: 1)
        try tombstoneDeletion.run()
        try forgetting.bind(last, at: 1)
        try forgetting.run()
    }

    // MARK: Fetching

    /// Returns true if this process has written or fetched everything in a file that begins with
    /// `header`. False in WAL mode, where SQLite does not count.
    ///
    /// This process counts its own commits while it holds their lock, so a commit that follows
    /// immediately is recognized as another process's.
    func knows(_ header: StoreHeader) -> Bool {
        guard scan == nil, let unnumbered = seen.unnumbered, let counter = header.changeCounter
        else { return false }
        return counter == unnumbered &+ UInt32(truncatingIfNeeded: seen.number)
    }

    /// Takes over the seen state of `other`, the ledger of an earlier connection. SQLite's counter
    /// applies to one connection only.
    func follow(_ other: CommitLedger) {
        let isSame = other.seen.number == seen.number && other.seen.unnumbered == seen.unnumbered
        guard !isSame || seen.unnumbered == nil || other.scan != nil else { return }
        seen = other.seen
        seen.dataVersion = -1
        lastCommit?.forget()
    }

    /// Forgets the seen state, because another file has replaced the one that was read.
    func forget() {
        scan = nil
        seen = Point(number: .min, dataVersion: -1, unnumbered: nil)
        lastCommit?.forget()
    }

    /// Remembers the entities of the last commit, if this process knows all of the list. Requires a
    /// read transaction.
    func rememberLastCommit() throws {
        guard try scan == nil && now().point == seen else { return }
        var commit = try lastCommit ?? LastCommit(on: connection)
        try commit.remember(seen.number)
        lastCommit = commit
    }

    /// Returns true if deletions since this process last knew all of the list are no longer
    /// recorded. Requires a read transaction.
    func hasForgotten() throws -> Bool { try now().forgotten > seen.number }

    /// Returns true if the file lacks commits that this process has seen in it. Requires a read
    /// transaction.
    func isAhead() throws -> Bool {
        let (point, forgotten) = try now()
        guard point.number >= seen.number else { return true }
        let isEdited = point.unnumbered == nil || point.unnumbered != seen.unnumbered
        let isContained = try lastCommit?.isContained(
            as: seen.number, forgotten: forgotten, isEdited: isEdited)
        return isContained == false
    }

    /// Returns true if the file has the commit `mark`, which its process has signed.
    func has(_ mark: OwnCommits.Mark) throws -> Bool {
        defer { lastSigned.reset() }
        try lastSigned.bind(mark.author, at: 1)
        try lastSigned.bind(Tombstone.process, at: 2)
        return try lastSigned.step() && lastSigned.integer(0) >= mark.number
    }

    /// Returns the fetch in progress or the next one to begin, or nil if there are no changes.
    /// Requires a read transaction.
    func nextScan() throws -> Scan? {
        let (present, forgotten) = try now()
        guard scan != nil || present != seen else { return nil }
        let isNumbered = present.isNumbered(since: scan?.point ?? seen)
        // After an edit by hand, any row may have changed and have any number, even a row of a page
        // that was already read.
        let start = !isNumbered ? .min : scan?.start ?? seen.number
        let place =
            (isNumbered ? scan?.place : nil)
            ?? CommitPlace(number: start, row: isNumbered ? .max : .min)
        return Scan(point: present, start: start, place: place, comparesIDs: forgotten > start)
    }

    /// The progress of a fetch after reading a page; see ``record(_:)``.
    enum Progress {
        /// The page ended at the place and is not the last one.
        case more(Scan, from: CommitPlace)
        case all(seen: Point)
    }

    /// Records that a page was read completely and is returned.
    func record(_ progress: Progress) {
        switch progress {
        case .more(let scan, let place):
            self.scan = scan
            self.scan?.place = place
        case .all(let point):
            scan = nil
            seen = point
            lastCommit?.forget()
        }
    }

    /// Adds the deletions since `scan` began to `changes`.
    func addDeletions(since scan: Scan, to changes: inout StorageChanges) throws {
        defer { tombstonesSince.reset() }
        try tombstonesSince.bind(scan.start, at: 1)
        while try tombstonesSince.step() {
            guard let id = tombstonesSince.uuid(0) else { continue }
            changes.delete(id, ofKind: tombstonesSince.integer(1))
        }
    }

    /// Returns the ids of all entities in the list. O(n).
    func everyID() throws -> Set<UUID> {
        defer { allIDs.reset() }
        var ids: Set<UUID> = []
        while try allIDs.step() {
            if let id = allIDs.uuid(0) { ids.insert(id) }
        }
        return ids
    }
}
