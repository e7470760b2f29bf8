import CSQLite
import Glibc
import SheafList

/// The result of copying the readable part of a damaged list to a new list.
package struct Recovery: Sendable, Equatable {
    package var items: Int
    package var tags: Int
    package var views: Int
    /// The number of items and tags that got a new id or position because theirs was invalid.
    package var repaired: Int
    /// The number of items that were merged from several versions.
    package var merged = 0
    /// The rows that are known to exist, or the lines of a text, that could not be read.
    package var lost: [String]

    /// Reads the list at `location` and writes its readable part to a new list at `target`. The new
    /// list is made completely or not at all. The old list is not changed. O(n), and O(n) in
    /// memory.
    ///
    /// - Throws: `StorageError` if no entity could be read, if the file is not a list of this
    ///   program, or if a file already exists at `target`.
    package static func run(_ location: FileLocation, to target: StoreURL) async throws -> Recovery
    {
        let file = location.store
        guard try file.identity() != nil else { throw FileFailure.notFound(at: file.location) }
        let new = try StoreFile(resolving: target.path)
        guard try new.identity() == nil else { throw taken(target) }
        try FileLocation(target, environment: [:]).checkName()
        var salvage: Salvage
        switch location.url.backend {
        case .sqlite: salvage = try sqlite(file)
        case .json:
            let (data, version, _) = try file.content()
            salvage = JSONSalvage.run(data, modified: version.modified)
        }
        let changes = salvage.changes()
        guard !changes.isEmpty else {
            throw unreadable(file)
        }
        let isMade: Void? = try new.put(replacing: false) { temporary in
            try write(changes, to: temporary, of: target)
        }
        guard isMade != nil else { throw taken(target) }
        return Recovery(
            items: changes.items.count, tags: changes.tags.count,
            views: changes.views.count,
            repaired: salvage[Item.self].count(where: \.isOutOfPlace)
                + salvage[Tag.self].count(where: \.isOutOfPlace),
            merged: salvage.merged, lost: salvage.lost)
    }

    /// Writes the list of `changes` to the empty file at `path`, which will become `target`.
    private static func write(
        _ changes: StorageChanges, to path: String, of target: StoreURL
    ) throws {
        switch target.backend {
        case .sqlite:
            try SQLiteConnection.with(
                path: path, flags: SQLITE_OPEN_READWRITE, location: target.path
            ) { connection in
                try Schema.current.create(on: connection, id: nil)
                try connection.execute("PRAGMA foreign_keys = ON")
                let session = try SQLiteSession(new: path, on: connection)
                try checkComplete(try session.commit(changes), at: target)
            }
        case .json:
            var list = WholeList()
            try checkComplete(list.apply(changes, isCurrent: true), at: target)
            try StoreFile(named: target.path).fill(path, with: try list.text())
        }
    }

    private static func checkComplete(_ result: CommitResult, at target: StoreURL) throws {
        guard let refused = result.refused.first else { return }
        throw StorageError(
            .constraint, at: target.path,
            reason: "the new list refused the recovered items (\(refused.reason))")
    }

    private static func taken(_ target: StoreURL) -> StorageError {
        StorageError(
            .cannotOpen, at: target.path, reason: "the file already exists",
            advice: "Name a new file for the recovered items.")
    }

    private static func sqlite(_ file: StoreFile) throws -> Salvage {
        guard !HotJournal(at: file.path + "-journal").isDamaged else {
            // The list has pages from before and after the interrupted write.
            let copy = try DatabaseCopy(of: file, withJournals: false)
            defer { withExtendedLifetime(copy) {} }
            return try salvage(copy)
        }
        var isForeign = false
        let header = try StoreHeader(of: file)
        guard header.size > 0 else { throw FileFailure.empty(at: file.location) }
        do {
            try header.check(newest: Schema.current.version, at: file.location)
        } catch let error as StorageError where error.code == .corrupt {
            // Recovery is for damaged lists, so it continues.
        } catch let error as StorageError where error.code == .foreign {
            // The application id may be damaged. The tables still have the program's names.
            isForeign = true
        } catch let error as StorageError where error.code == .newer {
            // The format number may be damaged.
            guard try isOfThisFormat(file) else { throw error }
        }
        do {
            var salvage = Salvage()
            try SQLiteExamination.reading(file) { connection, _ in
                salvage = try SQLiteSalvage(connection).run()
            }
            return salvage
        } catch let error as StorageError where [.corrupt, .foreign].contains(error.code) {
            let copy = try DatabaseCopy(of: file)
            defer { withExtendedLifetime(copy) {} }
            if !isForeign, let salvage = try salvageWithEmptyPages(copy) { return salvage }
            do {
                try copy.replaceFirstPage()
                return try salvage(copy)
            } catch {
                guard !isForeign else {
                    try header.check(newest: Schema.current.version, at: file.location)
                    throw error
                }
                // The first page of a new list does not help, because the tables of this list are
                // in other places.
                guard (error as? StorageError)?.code == .corrupt else { throw error }
                throw unreadable(file)
            }
        }
    }

    /// Reads a list that was cut off, with empty pages in place of the missing ones. SQLite refuses
    /// a file without the first page of each table.
    ///
    /// - Returns: nil if no pages are missing, or if SQLite cannot read the list anyway.
    private static func salvageWithEmptyPages(_ copy: DatabaseCopy) throws -> Salvage? {
        guard try copy.addMissingPages() else { return nil }
        do {
            return try salvage(copy)
        } catch let error as StorageError where [.corrupt, .foreign].contains(error.code) {
            return nil
        }
    }

    private static func salvage(_ copy: DatabaseCopy) throws -> Salvage {
        try SQLiteConnection.with(
            path: copy.path, flags: SQLITE_OPEN_READONLY, location: copy.location
        ) { connection in
            try connection.harden()
            try connection.limitWork()
            return try SQLiteSalvage(connection).run()
        }
    }

    private static func unreadable(_ file: StoreFile) -> StorageError {
        StorageError(
            .corrupt, at: file.location, reason: "nothing in it can be read",
            advice: "'sheaf restore' lists backups.")
    }

    /// Returns true if the tables have this program's format, regardless of the format number in
    /// the list.
    private static func isOfThisFormat(_ file: StoreFile) throws -> Bool {
        var isOurs = false
        do {
            try SQLiteExamination.reading(file) { connection, _ in
                isOurs = try SchemaCheck(schema: .current, connection: connection).isVerbatim()
            }
        } catch let error as StorageError where error.code == .corrupt {
            // The statements that made its tables cannot be read.
            return false
        }
        return isOurs
    }
}
