import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

extension RefusedReplacement {
    /// Opens the file at the path, which has replaced that of `old`, and continues there from the
    /// state of `old`. Closes neither. Sync tools replace files in this way.
    ///
    /// The new file is opened like any other. It is refused unless it is another version of the
    /// same list.
    ///
    /// - Throws: `StorageError`. This function has then not written to the file.
    mutating func open(
        by opener: SQLiteOpener, after old: SQLiteOpener.Opened
    ) throws -> SQLiteOpener.Opened {
        if let error = knownError(at: opener.file) { throw error }
        var opener = opener
        // A file that is missing for a moment must not be made.
        if opener.mode.createsStore { opener.mode = .readWrite }
        do {
            let opened = try opener.open { try old.session.checkVersion($0) }
            do {
                try continueSession(opened, after: old, beside: opener.file)
            } catch {
                opened.connection.close()
                throw error
            }
            return opened
        } catch let error as StorageError {
            switch error.code {
            case .foreign, .corrupt, .newer, .cannotOpen, .readOnly, .notFound:
                throw refusal(
                    error, at: opener.file, isCopied: old.readOnlyReason == nil
                ) { try old.session.copy(to: $0) }
            default: throw error
            }
        }
    }

    private func continueSession(
        _ opened: SQLiteOpener.Opened, after old: SQLiteOpener.Opened, beside file: StoreFile
    ) throws {
        if let reason = opened.readOnlyReason, old.readOnlyReason == nil {
            throw FileFailure.readOnly(at: file.location, advice: reason)
        }
        let isWhole = try opened.session.follow(old.session)
        do {
            guard try !isWhole || old.session.hasMore(than: opened.session) else { return }
            let copy = try Self.makeCopy(beside: file) {
                try old.session.copy(to: $0)
            }
            opened.session.notice = Self.notice(ofCopy: copy, lacksOwn: !isWhole)
        } catch let error as StorageError where [.corrupt, .foreign].contains(error.code) {
            // One of the two files is damaged. If it is the old one, the session continues in the
            // new one.
            try opened.session.checkIntegrity()
            opened.session.notice = Self.noticeOfDamage
        }
    }
}

extension SQLiteConnection {
    /// Returns true if this list and that of `other`, of any version, have the same list id. If one
    /// of them has no id, returns true if they have an entity in common, or if one has deleted an
    /// entity of the other. Views are ignored, because every new list begins with the same view.
    /// O(n).
    func isVersion(of other: SQLiteConnection) throws -> Bool {
        let others = try ListIDs(of: other)
        if let own = try ListIDs(of: self).id(), let id = try others.id() { return own == id }
        let ids = try statement(
            "SELECT id FROM items UNION ALL SELECT id FROM tags UNION ALL SELECT id FROM tombstones"
                + " WHERE \(Tombstone.isEntity)")
        var hadAny = false
        while try ids.step() {
            guard let id = ids.uuid(0) else { continue }
            if try others.contains(id) { return true }
            hadAny = true
        }
        return !hadAny
    }

    /// Returns true if `other` lacks something that this list has: an entity that `other` has not
    /// deleted, or the latest edit of an item. Ignores the entities `ids`, and edits of tags and
    /// views. O(n).
    func hasMore(than other: SQLiteConnection, except ids: Set<UUID>) throws -> Bool {
        let lacks = try other.missingEntityPredicate()
        let small = Kinds.small.map { " UNION ALL SELECT id, NULL FROM \($0.plural)" }
        let rows = try statement("SELECT id, updated_at FROM items" + small.joined())
        while try rows.step() {
            guard let id = rows.uuid(0), !ids.contains(id) else { continue }
            if try lacks(id, rows.integer(1)) { return true }
        }
        return false
    }

    /// Returns a predicate that is true if this list neither has nor has deleted an entity, or if
    /// it has the item in a state from before `updatedAt`, in milliseconds.
    func missingEntityPredicate() throws -> (_ id: UUID, _ updatedAt: Int64) throws -> Bool {
        let parts = (Kinds.small.map { $0.plural } + ["tombstones"])
            .map { "EXISTS (SELECT 1 FROM \($0) WHERE id = ?1)" }
        let known = try statement(
            """
            SELECT (SELECT updated_at FROM items WHERE id = ?1), \(parts.joined(separator: " OR "))
            """)
        return { id, updatedAt in
            try known.bind(id, at: 1)
            defer { known.reset() }
            guard try known.step() else { return false }
            return known.isNull(0) ? known.integer(1) == 0 : known.integer(0) < updatedAt
        }
    }
}

/// A lookup of the items and tags that a list of any version has or has deleted.
struct ListIDs {
    private let presence: SQLiteStatement
    private let connection: SQLiteConnection
    private let hasTombstones: Bool

    init(of connection: SQLiteConnection) throws {
        self.connection = connection
        let tables = try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'tombstones'")
        hasTombstones = tables != 0
        let names = ["items", "tags"] + (hasTombstones ? ["tombstones"] : [])
        let parts = names.map { "EXISTS (SELECT 1 FROM \($0) WHERE id = ?1)" }
        presence = try connection.statement("SELECT " + parts.joined(separator: " OR "))
    }

    /// Returns the list's own id, or nil if it has none.
    func id() throws -> UUID? {
        // Before views existed, the column had another name and lists had no id.
        guard hasTombstones, try connection.integer("PRAGMA user_version") ?? 0 > 2 else {
            return nil
        }
        return try connection.text(
            "SELECT min(id) FROM tombstones WHERE kind = \(Tombstone.list)"
        ).flatMap { UUID(uuidString: $0) }
    }

    /// Returns true if the list may be a version of the list with this identity.
    func mayBeVersion(of identity: ListIdentity) throws -> Bool {
        try identity.isVersion(try id(), contains: contains)
    }

    /// Returns the ids that identify other versions of the list.
    func identity() throws -> ListIdentity {
        let rows = try connection.statement(
            """
            SELECT id FROM (SELECT id FROM tags ORDER BY id LIMIT ?1)
            UNION ALL SELECT id FROM (SELECT id FROM items ORDER BY id LIMIT ?1)
            UNION ALL SELECT id FROM (SELECT id FROM items ORDER BY id DESC LIMIT ?1)
            """)
        try rows.bind(Int64(ListIdentity.size), at: 1)
        var identity = ListIdentity(id: try id())
        while try rows.step() {
            if let id = rows.uuid(0) { identity.entities.append(id) }
        }
        return identity
    }

    /// Returns true if the list has or has deleted the entity `id`. O(log n).
    func contains(_ id: UUID) throws -> Bool {
        defer { presence.reset() }
        try presence.bind(id, at: 1)
        return try presence.step() && presence.integer(0) == 1
    }
}
