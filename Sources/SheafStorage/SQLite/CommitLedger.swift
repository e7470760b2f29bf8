import FoundationEssentials
import Glibc
import SheafList

/// The kinds of tombstones that tell of no deletion, beside those of entities
/// (``ListEntity/number``).
enum Tombstone {
    /// The id is that of a process, the number that of the process's last commit. A file thus tells
    /// which commits of a process it has. Only this version reads them.
    static let process: Int64 = 3
    /// The id is that of the list itself. Versions that do not know it remove it with the oldest
    /// deletions.
    static let list: Int64 = 4

    /// Those that tell of deletions, as a condition of SQL.
    static let isEntity = "kind NOT IN (\(process), \(list))"
}

/// A row's place in the order in which rows were written: the commit, then the row's own number.
struct CommitPlace: Hashable {
    var number: Int64
    var row: Int64
}

/// The numbers of commits: which this process has seen, what others have written since, and what
/// was deleted.
///
/// Every commit of the program is one transaction and has a number, which each row that it wrote
/// carries. Edits with the sqlite3 shell have none; SQLite's own count of transactions reveals
/// them, also between commits, and then all rows are compared.
final class CommitLedger {
    /// How many deletions are remembered; a process that has missed more compares all ids.
    static let tombstoneLimit = 10_000

    /// The state of the store when this process last knew all of it.
    private var seen: Point
    /// What is being fetched, if that takes more than one page.
    private var scan: Scan?

    private let connection: SQLiteConnection
    private let point: SQLiteStatement
    private let dataVersion: SQLiteStatement
    private let advance: SQLiteStatement
    private let burial: SQLiteStatement
    private let graves: SQLiteStatement
    private let oldestKept: SQLiteStatement
    private let exhumation: SQLiteStatement
    private let forgetting: SQLiteStatement
    private let allIDs: SQLiteStatement
    private let lastSigned: SQLiteStatement

    struct Point: Equatable {
        var number: Int64
        var dataVersion: Int64
        /// How far SQLite's count is ahead of that of the commits, modulo 2^32: it grows with edits
        /// by hand. Nil in WAL mode, where SQLite does not count.
        var unnumbered: UInt32?

        /// Whether all that was written since `earlier` has a number.
        func isNumbered(since earlier: Point) -> Bool {
            // An older copy of the store in its place has lower numbers.
            self == earlier
                || number > earlier.number && unnumbered != nil && unnumbered == earlier.unnumbered
        }
    }

    /// A fetch under way.
    struct Scan {
        /// The state of the store when its next page is read.
        var point: Point
        /// Tags and views with a greater number are reported again with each page.
        var start: Int64
        /// Where the items' next page begins.
        var place: CommitPlace
        /// Whether deletions can be found only by comparing all ids.
        var comparesIDs: Bool
    }

    /// A commit that is being written.
    struct Entry {
        var number: Int64
        /// Whether no other process has committed since this process last knew all of the store.
        var isCurrent: Bool
    }

    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        point = try connection.statement("SELECT last_number, forgotten FROM commits")
        dataVersion = try connection.statement("PRAGMA data_version")
        advance = try connection.statement(
            "UPDATE OR ABORT commits SET last_number = last_number + 1")
        burial = try connection.statement(
            "INSERT OR REPLACE INTO tombstones (id, kind, commit_number) VALUES (?1, ?2, ?3)")
        let tables = Kinds.all.map { $0.plural }
        let living = tables.map { " AND NOT EXISTS (SELECT 1 FROM \($0) t WHERE t.id = g.id)" }
        graves = try connection.statement(
            "SELECT id, kind FROM tombstones g WHERE commit_number > ?1" + living.joined())
        oldestKept = try connection.statement(
            """
            SELECT commit_number FROM tombstones WHERE \(Tombstone.isEntity)
            ORDER BY commit_number DESC LIMIT 1 OFFSET ?1
            """)
        exhumation = try connection.statement(
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

    /// What SQLite counts at every commit of another connection.
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

    /// Makes sure that a list has what this type needs, in a transaction that is open already.
    ///
    /// - Throws: `.corrupt`.
    static func check(_ connection: SQLiteConnection) throws {
        let number = try connection.integer("SELECT last_number FROM commits")
        guard let number, numbers.contains(number) else {
            throw uncounted(at: connection.location)
        }
    }

    /// No list ever reaches it.
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
    /// - Throws: `StorageError`, `.corrupt` where a hand has left no number for it.
    func begin() throws -> Entry {
        let present = try now().point
        guard present.number < .max else {
            throw StorageError(
                .corrupt, at: connection.location,
                reason: "the list is damaged (there is no number for another commit)",
                advice: "Set last_number with the sqlite3 shell, or restore a backup.")
        }
        try advance.run()
        return Entry(number: present.number + 1, isCurrent: scan == nil && present == seen)
    }

    /// The commit is durable, and whoever asked for it is told what it wrote otherwise.
    func end(_ entry: Entry) {
        if entry.isCurrent { seen.number = entry.number }
    }

    /// Remembers that the entity `id` was deleted, or that the process `id` has made this commit.
    func bury(_ id: UUID, _ kind: Int64, in entry: Entry) throws {
        try burial.bind(id, at: 1)
        try burial.bind(kind, at: 2)
        try burial.bind(entry.number, at: 3)
        try burial.run()
    }

    /// Forgets the oldest deletions, if there are too many.
    func trim() throws {
        defer { oldestKept.reset() }
        try oldestKept.bind(Int64(Self.tombstoneLimit), at: 1)
        guard try oldestKept.step() else { return }
        let last = oldestKept.integer(0)
        try exhumation.bind(last, at: 1)
        try exhumation.run()
        try forgetting.bind(last, at: 1)
        try forgetting.run()
    }

    // MARK: Fetching

    /// Whether a file that begins with `header` has nothing that this process has neither written
    /// nor fetched. In WAL mode, where SQLite does not count, nobody can say so.
    ///
    /// Our own commits are counted under their lock, so that one which comes right after is none of
    /// ours.
    func knows(_ header: StoreHeader) -> Bool {
        guard scan == nil, let unnumbered = seen.unnumbered, let counter = header.changeCounter
        else { return false }
        return counter == unnumbered &+ UInt32(truncatingIfNeeded: seen.number)
    }

    /// Takes over what `other`, of an earlier connection, has seen. SQLite's own count is of one
    /// connection alone.
    func follow(_ other: CommitLedger) {
        let isSame = other.seen.number == seen.number && other.seen.unnumbered == seen.unnumbered
        guard !isSame || seen.unnumbered == nil || other.scan != nil else { return }
        seen = other.seen
        seen.dataVersion = -1
    }

    /// Takes nothing of the list for known, because another file has taken the place of the one
    /// that was read.
    func forget() {
        scan = nil
        seen = Point(number: .min, dataVersion: -1, unnumbered: nil)
    }

    /// Returns true if deletions since this process last knew all of the list are forgotten. Within
    /// a read transaction.
    func hasForgotten() throws -> Bool { try now().forgotten > seen.number }

    /// Returns true if the file lacks commits that this process has seen in it. Within a read
    /// transaction.
    func isAhead() throws -> Bool { try now().point.number < seen.number }

    /// Returns true if the file has a commit that its process has signed.
    func has(_ mark: OwnCommits.Mark) throws -> Bool {
        defer { lastSigned.reset() }
        try lastSigned.bind(mark.author, at: 1)
        try lastSigned.bind(Tombstone.process, at: 2)
        return try lastSigned.step() && lastSigned.integer(0) >= mark.number
    }

    /// The fetch that is under way or has to begin, or nil if nothing is new. Within a read
    /// transaction.
    func nextScan() throws -> Scan? {
        let (present, forgotten) = try now()
        guard scan != nil || present != seen else { return nil }
        let isNumbered = present.isNumbered(since: scan?.point ?? seen)
        // After an edit by hand any row may have changed, including those of pages already read,
        // and have any number.
        let start = !isNumbered ? .min : scan?.start ?? seen.number
        let place =
            (isNumbered ? scan?.place : nil)
            ?? CommitPlace(number: start, row: isNumbered ? .max : .min)
        return Scan(point: present, start: start, place: place, comparesIDs: forgotten > start)
    }

    /// How far a fetch has come once its page is read; see ``took(_:)``.
    enum Progress {
        /// The page that ended at the place is not the last.
        case more(Scan, from: CommitPlace)
        case all(seen: Point)
    }

    /// The page was read to its end and is returned.
    func took(_ progress: Progress) {
        switch progress {
        case .more(let scan, let place):
            self.scan = scan
            self.scan?.place = place
        case .all(let point):
            scan = nil
            seen = point
        }
    }

    /// Adds to `changes` what was deleted since `scan` began.
    func addDeletions(since scan: Scan, to changes: inout StorageChanges) throws {
        defer { graves.reset() }
        try graves.bind(scan.start, at: 1)
        while try graves.step() {
            guard let id = graves.uuid(0) else { continue }
            changes.delete(id, ofKind: graves.integer(1))
        }
    }

    /// The ids of all that is in the list. O(n).
    func everyID() throws -> Set<UUID> {
        defer { allIDs.reset() }
        var ids: Set<UUID> = []
        while try allIDs.step() {
            if let id = allIDs.uuid(0) { ids.insert(id) }
        }
        return ids
    }
}
