import Glibc
import SheafList
import SwiduxFiles

/// A checked copy of a whole list in one file of the same kind.
///
/// The copy is written under another name, synced, opened and checked, and then renamed. A file
/// with the backup's name is therefore always complete. The copy shows the list at one moment, even
/// if other processes commit meanwhile.
package struct Backup: Sendable, Equatable {
    /// The number of items in the backup.
    package var items: Int
    /// The size of the backup in bytes.
    package var bytes: Int64

    /// Copies the list at `location` to `path`. O(size).
    ///
    /// - Parameters:
    ///   - replacing: true to replace a file at `path`. Its owner, group and permissions are kept
    ///     if this user may set them. A link of this user, or of root, is followed.
    ///   - isYielding: true to let other processes commit meanwhile, which makes the copy slower.
    /// - Throws: `StorageError` about the list, or about `path`: a file exists there, it is the
    ///   list itself or a list that a process has open, or the file cannot be made. No new file is
    ///   left at `path`.
    package static func make(
        of location: FileLocation, to path: String, replacing: Bool = false,
        isYielding: Bool = false
    ) throws -> Backup {
        let source = location.store
        let target = try StoreFile(resolving: path)
        guard let identity = try source.identity() else {
            throw FileFailure.notFound(at: source.location)
        }
        try WrittenFile.check(target, source: identity, replacing: replacing)
        let backup = try target.put(replacing: replacing) { temporary in
            let backup = try copy(
                source, location.url.backend, to: temporary, as: target.location,
                isYielding: isYielding)
            if replacing { try target.keepAccess(on: temporary) }
            // Another process may have opened a list at the path meanwhile.
            try WrittenFile.check(target, source: identity, replacing: replacing)
            return backup
        }
        guard let backup else { throw WrittenFile.taken(target) }
        return backup
    }

    /// Copies the store `source` into the empty file at `path`. On return that file is a complete
    /// store.
    static func copy(
        _ source: StoreFile, _ backend: StoreURL.Backend, to path: String, as location: String,
        isYielding: Bool = false
    ) throws -> Backup {
        let items: Int
        switch backend {
        case .sqlite:
            do {
                if isYielding {
                    try SQLiteCopy.copyYielding(source, to: path)
                } else {
                    try SQLiteCopy.reading(source) { try SQLiteCopy.copyPages(of: $0, to: path) }
                }
            } catch var error as StorageError where error.location == path {
                error.location = location
                throw error
            }
            items = try SQLiteCopy.check(path, as: source.location)
        case .json:
            let (data, version, _) = try source.content()
            guard !data.isEmpty else { throw FileFailure.empty(at: source.location) }
            items = try WholeList(data, at: source.location, modified: version.modified).items.count
            try StoreFile(named: location).fill(path, with: Array(data))
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileFailure.opening(errno, at: location) }
        return Backup(items: items, bytes: Int64(status.st_size))
    }
}
