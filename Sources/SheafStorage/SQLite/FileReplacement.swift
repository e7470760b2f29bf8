import FoundationEssentials
import Glibc
import SheafCore
import SwiduxFiles

/// Continues an open list in a file that replaced its own, as sync tools do.
///
/// Such a file is opened like any other, and must be another version of the same list. Otherwise
/// nothing is written to it, and the old list is copied to `NAME.replaced-1` beside it.
struct FileReplacement {
    /// The text between the list's name and a number.
    static let mark = ".replaced-"

    /// The file that was refused last, and why. One that is still being written changes between two
    /// looks.
    private var refused: (version: FileVersion, error: StorageError)?
    /// The path of the copy of the old list.
    private var copy: String?

    /// Opens the file at the path and continues there where `old` was. Closes neither.
    ///
    /// - Throws: `StorageError`; then nothing was written to it.
    mutating func open(
        by opener: SQLiteOpener, after old: SQLiteOpener.Opened
    ) throws -> SQLiteOpener.Opened {
        // To tell that it is another list takes long, and is not done for each attempt to save.
        if let refused, refused.error.code == .foreign, copy != nil,
            try opener.file.version() == refused.version
        {
            throw refused.error
        }
        var opener = opener
        // A file that is missing for a moment is not made.
        if opener.mode.makes { opener.mode = .readWrite }
        do {
            let opened = try opener.open { try old.session.checkKinship(of: $0) }
            do {
                try goOn(opened, after: old, beside: opener.file)
            } catch {
                opened.connection.close()
                throw error
            }
            self = FileReplacement()
            return opened
        } catch let error as StorageError {
            switch error.code {
            case .foreign, .corrupt, .newer, .cannotOpen, .readOnly:
                throw refusal(error, old, opener.file)
            case .notFound: throw FileFailure.moved(at: opener.file.location)
            default: throw error
            }
        }
    }

    private func goOn(
        _ opened: SQLiteOpener.Opened, after old: SQLiteOpener.Opened, beside file: StoreFile
    ) throws {
        if let reason = opened.readOnlyReason, old.readOnlyReason == nil {
            throw FileFailure.readOnly(at: file.location, advice: reason)
        }
        let isWhole = try opened.session.follow(old.session)
        guard try !isWhole || old.session.hasMore(than: opened.session) else { return }
        let copy = try Self.keep(old, beside: file)
        let name = copy.lastPathName
        opened.session.notice =
            isWhole
            ? "An older version replaced the file. Edits of others that it lacks are in \(name)"
            : "The file was replaced. Older edits of this session that it lacks are in \(name)"
    }

    /// The error for a file that is not gone on with. A copy is made once.
    private mutating func refusal(
        _ error: StorageError, _ old: SQLiteOpener.Opened, _ file: StoreFile
    ) -> StorageError {
        var error = error
        do {
            let version = try file.version()
            if copy == nil, version == refused?.version, old.readOnlyReason == nil {
                copy = try Self.keep(old, beside: file)
            }
            let kept = copy.map { " (old list: \($0.lastPathName))" } ?? ""
            error.reason = "the file was replaced\(kept): \(error.reason)"
            refused = (version, error)
        } catch let obstacle {
            let reason = StorageError(obstacle, at: file.location).reason
            error.reason = "the file was replaced: \(error.reason)"
            error.advice = "The list as it was could not be copied: \(reason)."
        }
        return error
    }

    /// Copies the list that `old` has open to a new file beside it, and returns its path.
    private static func keep(
        _ old: SQLiteOpener.Opened, beside file: StoreFile
    ) throws -> String {
        var number = 1
        while true {
            let target = try StoreFile(named: "\(file.path)\(mark)\(number)")
            var status = stat()
            if lstat(target.path, &status) != 0,
                try target.put(replacing: false, { try old.session.copy(to: $0) }) != nil
            {
                return target.path
            }
            number += 1
        }
    }
}

extension SQLiteConnection {
    /// Returns true if the list here and that of `other`, of any version, have an entity in common,
    /// or one that either of them has deleted. `inserted` say nothing: a list that has nothing else
    /// is like any other. Nor do views, since every new list begins with the same one. O(n).
    func isAkin(to other: SQLiteConnection, inserted: Set<UUID>) throws -> Bool {
        let tables = try other.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'tombstones'")
        let names = ["items", "tags"] + (tables == 0 ? [] : ["tombstones"])
        let parts = names.map { "EXISTS (SELECT 1 FROM \($0) WHERE id = ?1)" }
        let isThere = try other.statement("SELECT " + parts.joined(separator: " OR "))
        let ids = try statement(
            "SELECT id FROM items UNION ALL SELECT id FROM tags UNION ALL SELECT id FROM tombstones"
                + " WHERE kind <> \(BuriedKind.process.rawValue)")
        var hadAny = false
        while try ids.step() {
            guard let id = ids.uuid(0) else { continue }
            try isThere.bind(id, at: 1)
            defer { isThere.reset() }
            if try isThere.step(), isThere.integer(0) == 1 { return true }
            hadAny = hadAny || !inserted.contains(id)
        }
        return !hadAny
    }

    /// Returns true if the list here has an entity that `other` neither has nor has deleted, or a
    /// later edit of an item. Ignores `ids`, edits of tags and views, and items that were edited
    /// later in `other`. O(n).
    func hasMore(than other: SQLiteConnection, except ids: Set<UUID>) throws -> Bool {
        let known = try other.statement(
            """
            SELECT (SELECT updated_at FROM items WHERE id = ?1),
              EXISTS (SELECT 1 FROM tags WHERE id = ?1)
              OR EXISTS (SELECT 1 FROM views WHERE id = ?1)
              OR EXISTS (SELECT 1 FROM tombstones WHERE id = ?1)
            """)
        let rows = try statement(
            """
            SELECT id, updated_at FROM items
            UNION ALL SELECT id, NULL FROM tags UNION ALL SELECT id, NULL FROM views
            """)
        while try rows.step() {
            guard let id = rows.uuid(0), !ids.contains(id) else { continue }
            try known.bind(id, at: 1)
            defer { known.reset() }
            guard try known.step() else { continue }
            let isMissing =
                known.isNull(0)
                ? known.integer(1) == 0 : known.integer(0) < rows.integer(1)
            if isMissing { return true }
        }
        return false
    }
}
