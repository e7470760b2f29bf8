import CSQLite
import SheafList

extension Restore {
    private static let pageSize = 2_000

    /// Upgrades the copy at `path`, which no other process has open, to the newest version. Then
    /// reads all of it, in the same way as the program would. A list is therefore never replaced by
    /// one that cannot be opened, read or written. O(n), with one page in memory.
    ///
    /// - Throws: `StorageError` about `location`.
    static func check(_ path: String, as location: String) throws {
        try SQLiteConnection.with(path: path, flags: SQLITE_OPEN_READWRITE, location: location) {
            connection in
            try connection.harden()
            try connection.limitWork()
            try Schema.current.upgrade(copy: connection)
            try connection.limitWork()
            if let fault = try connection.firstFault("integrity_check") {
                throw damaged(fault, at: location)
            }
            try connection.limitWork()
            _ = try CommitLedger(on: connection)
            try connection.transaction("BEGIN") { try read(connection) }
        }
    }

    private static func read(_ connection: SQLiteConnection) throws {
        // References to missing items or tags are harmless. A reference to a missing table would
        // make every deletion fail.
        _ = try connection.text("PRAGMA foreign_key_check")
        let tables = try EntityTables(on: connection)
        let items = tables.items
        let tags = TagSets(try tables[Tag.self].ids())
        func read(_ kind: (some SmallEntity).Type) throws { _ = try tables[kind].load(tags: tags) }
        for kind in Kinds.small { try read(kind) }
        var count = 0
        var cursor: ItemPosition?
        while true {
            let page = try items.load(after: cursor, limit: pageSize, tags: tags)
            count += page.count
            guard page.count == pageSize, let last = page.last else { break }
            cursor = last.position
        }
        // Paging does not reach an item whose rank sorts before the first cursor.
        let all = Int(try connection.integer("SELECT count(*) FROM items") ?? 0)
        guard count == all else {
            throw damaged("\(all - count) items have an invalid rank", at: connection.location)
        }
    }

    private static func damaged(_ what: String, at location: String) -> StorageError {
        StorageError(
            .corrupt, at: location, reason: "the list is damaged (\(what))",
            advice: "'sheaf doctor --recover NEWFILE' saves what can be read.")
    }
}
