import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// Puts a backup in a list's place and keeps what stood there.
public struct Restore: Sendable, Equatable {
    /// How many items the list has now.
    public var items: Int
    /// Where what stood in its place is now, or nil if there was nothing.
    public var aside: String?

    /// Puts a checked copy of `backup` at `location`. A process that opens the list finds the old
    /// one or the new one. O(size).
    ///
    /// The copy is read whole first, as the program will, and a backup of an older version is
    /// brought to the newest.
    ///
    /// - Throws: `StorageError`; nothing has changed then. `.busy` if another process has the list
    ///   open, as far as that can be told.
    public static func run(_ backup: String, to location: FileLocation) throws -> Restore {
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
            if backend == .sqlite { _ = try Rehearsal.run(draft.path, as: backup) }
        } catch var error as StorageError where error.code == .full {
            error.location = store.location
            throw error
        }
        // As late as possible: until now only a temporary file has been made.
        try refuseIfOpen(store, present)
        guard try store.identity() == present else { throw FileFailure.moved(at: store.location) }
        let aside: SetAside?
        // SQLite would play the journal of a list that is gone into the one that takes its name.
        if present == nil, backend == .sqlite { try SetAside.moveJournals(of: store) }
        if present != nil {
            if backend == .sqlite { try playBack(store) }
            try store.keepAccess(on: draft.path)
            // A command that is just saving a JSON file would put its own version here.
            aside = try store.locked(waiting: .seconds(5)) {
                try SetAside(store, replacingWith: draft)
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

    /// Makes sure that the folder lets this user replace the list. A second name that the list got
    /// in a folder such as `/tmp` could not be removed either.
    private static func checkReplaceable(_ store: StoreFile) throws {
        guard store.reasonAgainstWriting() == nil, let reason = store.reasonAgainstReplacing()
        else {
            return
        }
        throw FileFailure.readOnly(
            at: store.location, advice: "\(reason) Restore the backup to another path with --store."
        )
    }

    /// Returns true if `backup` is of another list than the one at `location`. False if one of them
    /// cannot be read.
    public static func isOfAnother(_ backup: String, than location: FileLocation) -> Bool {
        do {
            let source = try StoreFile(resolving: backup)
            let backend = location.url.backend
            guard try location.store.identity() != nil else { return false }
            return try !location.store.hasVersion(of: source.listIdentity(backend), backend)
        } catch {
            // The restore itself tells why.
            return false
        }
    }

    /// How many items the backup at `path` has.
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
        // No lock of this process is on it yet, so another descriptor does no harm.
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
        guard let identity, let holder = OpenFiles.holders(of: identity, at: store.path).first
        else { return }
        throw StorageError(
            .busy, at: store.location,
            reason: "\(holder.name) (process \(holder.process)) has the list open",
            advice: "Close it there first.")
    }

    /// Undoes an interrupted write in the old list, as the next process to open it would. The list
    /// still has its name once its journal has lost it, and a kill at that moment must not leave
    /// the list half written.
    ///
    /// - Throws: `.busy`. A list that SQLite cannot open is kept with its journal, as it is.
    private static func playBack(_ store: StoreFile) throws {
        let isThere = StoreFile.companionSuffixes.contains { access(store.path + $0, F_OK) == 0 }
        guard isThere else { return }
        do {
            try SQLiteCopy.reading(store) { _ in }
        } catch let error as StorageError where error.code != .busy {
            return
        }
    }
}
