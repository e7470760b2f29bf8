import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// The replacement of a list by a backup. The replaced list is kept.
package struct Restore: Sendable, Equatable {
    /// The number of items in the restored list.
    package var items: Int
    /// The path of the replaced list, or nil if there was none.
    package var aside: String?

    /// Replaces the list at `location` with a checked copy of `backup`. A process that opens the
    /// list finds the old one or the new one. O(size).
    ///
    /// Before the replacement, the complete copy is read in the same way as the program would read
    /// it. A backup of an older version is upgraded to the newest.
    ///
    /// - Throws: `StorageError`. Nothing has changed then. `.busy` if another process is known to
    ///   have the list open.
    package static func run(_ backup: String, to location: FileLocation) throws -> Restore {
        let store = location.store
        let backend = location.url.backend
        let source = try StoreFile(resolving: backup)
        guard let kept = try source.identity() else {
            throw StorageError(
                .notFound, at: backup, reason: "no such backup",
                advice: "'sheaf restore' without a file lists the backups.")
        }
        let present = try store.identity()
        guard kept != present else {
            throw StorageError(
                .cannotOpen, at: backup, reason: "this is the list itself",
                advice: "Name the backup to restore.")
        }
        try checkKind(of: source, is: backend)
        try checkReplaceable(store)
        try refuseIfOpen(store, present)
        let draft = try store.draft()
        let made: Backup
        do {
            made = try Backup.copy(source, backend, to: draft.path, as: store.location)
            if backend == .sqlite { try check(draft.path, as: backup) }
        } catch var error as StorageError where error.code == .full {
            error.location = store.location
            throw error
        }
        // Checked as late as possible. Until now only a temporary file has been made.
        try refuseIfOpen(store, present)
        guard try store.identity() == present else { throw FileFailure.moved(at: store.location) }
        let aside: DisplacedList?
        // If the list's file is gone, SQLite would roll back its journal into the file that takes
        // its name.
        if present == nil, backend == .sqlite { try DisplacedList.moveJournals(of: store) }
        if present != nil {
            if backend == .sqlite { try rollBackJournal(of: store) }
            try store.keepAccess(on: draft.path)
            // Without the lock, a command that is saving a JSON file could overwrite the restored
            // list.
            aside = try store.locked(waiting: .seconds(5)) {
                try DisplacedList(store, replacingWith: draft)
            }
        } else {
            aside = nil
            guard try store.give(to: draft, replacing: false) else {
                throw FileFailure.moved(at: store.location)
            }
        }
        try store.syncFolder()
        return Restore(items: made.items, aside: aside?.path)
    }

    /// Throws if this user may write to the list but not replace it in its folder, as in a folder
    /// such as `/tmp`.
    private static func checkReplaceable(_ store: StoreFile) throws {
        guard store.reasonAgainstWriting() == nil, let reason = store.reasonAgainstReplacing()
        else {
            return
        }
        throw FileFailure.readOnly(
            at: store.location, advice: "\(reason) Restore the backup to another path with --store."
        )
    }

    /// Returns true if `backup` belongs to another list than the one at `location`. False if either
    /// cannot be read.
    package static func isOfAnother(_ backup: String, than location: FileLocation) -> Bool {
        do {
            let source = try StoreFile(resolving: backup)
            let backend = location.url.backend
            guard try location.store.identity() != nil else { return false }
            return try !location.store.hasVersion(of: source.listIdentity(backend), backend)
        } catch {
            // The restore itself reports the reason.
            return false
        }
    }

    /// Returns the number of items in the backup at `path`.
    ///
    /// - Throws: `StorageError` if it cannot be restored.
    static func count(_ path: String, _ backend: StoreURL.Backend) throws -> Int {
        let file = try StoreFile(named: path)
        switch backend {
        case .sqlite:
            return try SQLiteCopy.reading(file, isReadOnly: true) {
                Int(try $0.integer("SELECT count(*) FROM items") ?? 0)
            }
        case .json:
            let (data, version, _) = try file.content()
            return try WholeList(data, at: path, modified: version.modified).items.count
        }
    }

    private static func checkKind(
        of source: StoreFile, is backend: StoreURL.Backend
    ) throws {
        // This process holds no lock on the file yet, so closing another descriptor releases none.
        guard backend == .json, try source.content().0.starts(with: Data("SQLite format 3\0".utf8))
        else { return }
        throw StorageError(
            .foreign, at: source.location,
            reason: "this is a backup of an SQLite list, and the list is a JSON file",
            advice: "Restore it to an SQLite list, export that, and import it here.")
    }

    private static func refuseIfOpen(
        _ store: StoreFile, _ identity: StoreFile.Identity?
    ) throws {
        guard let identity,
            let holder = OpenFiles.words(forHoldersOf: identity, at: store.path).first
        else { return }
        throw StorageError(
            .busy, at: store.location, reason: "\(holder) has the list open",
            advice: "Close it there first.")
    }

    /// Rolls back an interrupted write in the old list, as the next process to open it would. The
    /// journal is renamed before the list. If this process is killed in between, the list must not
    /// be left half written.
    ///
    /// - Throws: `.busy` if another process has locked the list. A list that SQLite cannot open
    ///   stays unchanged, with its journal.
    private static func rollBackJournal(of store: StoreFile) throws {
        let isThere = StoreFile.companionSuffixes.contains { access(store.path + $0, F_OK) == 0 }
        guard isThere else { return }
        do {
            try SQLiteCopy.reading(store) { _ in }
        } catch let error as StorageError where error.code != .busy {
            return
        }
    }
}
