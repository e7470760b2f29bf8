import Glibc
import SheafList
import SwiduxFiles

/// A list in a file that gets its name when all of it is there. If it is released before, nothing
/// is left of it.
public final class ListDraft: Sendable {
    /// The list, which has nothing in it yet.
    public let storage: any ListStorage

    private let file: StoreFile
    private nonisolated(unsafe) let draft: FileDraft

    /// Begins the list that is to lie at `location`, made as `mode` says.
    ///
    /// - Throws: `StorageError`, as `openStorage` does for a list that it makes.
    public init(at location: FileLocation, mode: OpenMode = .readWriteCreate) throws {
        file = location.store
        try location.checkName()
        draft = try file.draft()
        // The folder around it is this user's alone, and a backend makes the file its own way.
        unlink(draft.path)
        var drafted = try StoreFile(named: draft.path)
        // Errors are about the list that it becomes.
        drafted.location = file.location
        storage =
            switch location.url.backend {
            case .sqlite: try SQLiteStorage(drafted, mode: mode, isDraft: true)
            case .json: try JSONStorage(drafted, mode: mode)
            }
    }

    /// Closes the list and gives it its name. It survives the loss of power on return.
    ///
    /// - Returns: false if something else has the name by now, which stays.
    /// - Throws: `StorageError`.
    public func finish() async throws -> Bool {
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
