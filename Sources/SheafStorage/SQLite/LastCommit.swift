import FoundationEssentials
import SheafList

/// The entities of the last commit in a list that this process knows.
///
/// They reveal that another version of the list was written into the file, as `cp` does. Such a
/// version may have as many commits as the known one, or more, but it does not contain that commit.
struct LastCommit {
    /// The maximum number of remembered entities. The others of a larger commit are not checked.
    static let limit = 100

    /// The times of the last edits, in milliseconds: 0 for tags and views, nil for deleted
    /// entities.
    private var times: [UUID: Int64?] = [:]

    private let entities: SQLiteStatement
    private let state: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        let small = Kinds.small.map {
            " UNION ALL SELECT id, 0 FROM \($0.plural) WHERE commit_number = ?1"
        }
        entities = try connection.statement(
            """
            SELECT id, updated_at FROM items INDEXED BY items_by_commit WHERE commit_number = ?1
            UNION ALL SELECT id, NULL FROM tombstones
            WHERE commit_number = ?1 AND \(Tombstone.isEntity)\(small.joined()) LIMIT \(Self.limit)
            """)
        let living = Kinds.small.map {
            " UNION ALL SELECT commit_number, 0 FROM \($0.plural) WHERE id = ?1"
        }
        state = try connection.statement(
            """
            SELECT commit_number, updated_at FROM items WHERE id = ?1\(living.joined())
            UNION ALL SELECT commit_number, NULL FROM tombstones WHERE id = ?1
            """)
    }

    /// Remembers nothing, because the last commit is unknown, or is the process's own.
    mutating func forget() { times = [:] }

    /// Remembers the entities of the commit `number`. Requires a read transaction. O(log n).
    mutating func remember(_ number: Int64) throws {
        forget()
        defer { entities.reset() }
        try entities.bind(number, at: 1)
        while try entities.step() {
            guard let id = entities.uuid(0) else { continue }
            times[id] = .some(entities.isNull(1) ? nil : entities.integer(1))
        }
    }

    /// Returns true if the list contains the commit `number`, whose entities are remembered: each
    /// of them is as that commit left it, or a later commit changed it. Requires a read
    /// transaction. O(log n).
    ///
    /// - Parameters:
    ///   - forgotten: the last commit whose deletions may no longer be recorded.
    ///   - isEdited: true if the list may have been edited without this program. A missing entity
    ///     then proves nothing.
    func isContained(
        as number: Int64, forgotten: Int64, isEdited: Bool
    ) throws -> Bool {
        for (id, time) in times {
            defer { state.reset() }
            try state.bind(id, at: 1)
            guard try state.step() else {
                guard time == nil ? forgotten >= number : isEdited || forgotten > number else {
                    return false
                }
                continue
            }
            let present = state.integer(0)
            let presentTime = state.isNull(1) ? nil : state.integer(1)
            guard present > number || present == number && presentTime == time else { return false }
        }
        return true
    }
}
