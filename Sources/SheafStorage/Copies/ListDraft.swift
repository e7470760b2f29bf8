import Glibc
import SheafList
import SwiduxFiles

/// A list in a file that gets its name only when it is complete. If this value is released before,
/// the file is removed.
package final class ListDraft: Sendable {
    /// The list. It starts empty.
    package let storage: any ListStorage

    private let file: StoreFile
    private nonisolated(unsafe) let draft: FileDraft

    /// Begins a list that will be at `location`, with the contents that `mode` specifies.
    ///
    /// - Throws: `StorageError`, as `openStorage` does for a list that it makes.
    package init(at location: FileLocation, mode: OpenMode = .readWriteCreate) throws {
        file = location.store
        try location.checkName()
        draft = try file.draft()
        // Each backend makes the file itself, so the empty one is removed. No other user can take
        // its name, because the enclosing folder is private.
        unlink(draft.path)
        var drafted = try StoreFile(named: draft.path)
        // Errors name the final path of the list.
        drafted.location = file.location
        storage =
            switch location.url.backend {
            case .sqlite: try SQLiteStorage(drafted, mode: mode, isDraft: true)
            case .json: try JSONStorage(drafted, mode: mode)
            }
    }

    /// Closes the list and renames it to its path. On return it survives a power loss.
    ///
    /// - Returns: false if the name is taken by now. The existing file stays.
    /// - Throws: `StorageError`.
    package func finish() async throws -> Bool {
        await storage.close()
        let file = file
        nonisolated(unsafe) let draft = draft
        return try await BlockingCalls.run(on: .global()) {
            Result {
                try file.sync(draft)
                guard try file.give(to: draft, replacing: false) else { return false }
                try file.syncFolder()
                return true
            }
        }.get()
    }
}
