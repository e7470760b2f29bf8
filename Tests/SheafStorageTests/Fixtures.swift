import Foundation
import SheafList
import SheafTestSupport
import Swidux

@testable import SheafStorage

/// Swift Testing has tags of its own.
typealias Tag = SheafList.Tag

/// The status of a file, links followed.
func status(of path: String) throws -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return status
}

/// The error that `body` throws, which has to be a `StorageError`.
func storageError(_ body: () async throws -> some Any) async -> StorageError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}

/// An edit of `base` as a process makes it that knows `base`.
func edit(_ base: Item, _ change: (inout Item) -> Void) -> StorageChanges {
    var item = base
    change(&item)
    var changes = StorageChanges(items: [item])
    changes.items[base.id]?.before = base
    return changes
}

extension StoreURL {
    /// Its place, where nothing of a home folder matters.
    var location: FileLocation {
        get throws { try FileLocation(self, environment: [:]) }
    }
}

extension SQLiteStorage {
    convenience init(
        path: String, mode: OpenMode, busyTimeout: Duration = .seconds(5),
        schema: Schema = .current
    ) throws {
        try self.init(
            try StoreFile(resolving: path), mode: mode, busyTimeout: busyTimeout, schema: schema)
    }
}

extension JSONStorage {
    convenience init(
        path: String, mode: OpenMode, busyTimeout: Duration = .seconds(5)
    ) throws {
        try self.init(try StoreFile(resolving: path), mode: mode, busyTimeout: busyTimeout)
    }
}
