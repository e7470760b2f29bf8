import Glibc
import SheafCore

/// A file with changes that a session could not save: a rescue file, or an intent log.
public protocol UnsavedFile {
    /// Where it lies.
    var path: String { get }
    /// The list that it is of; nil if an older version wrote it, which did not say.
    var list: ListOrigin? { get }
    /// The number of entities that it is about.
    var count: Int { get }

    /// Commits the changes to `storage`, merged with what it has now, and takes the file away, or
    /// leaves in it what was refused alone: the rest, taken in once more, would undo later edits.
    ///
    /// - Throws: `StorageError`; then the file stays as it is, and nothing is committed.
    func takeIn(to storage: any ListStorage) async throws -> UnsavedOutcome
}

extension UnsavedFile {
    /// Whether this user alone can have written it: then what it says of its list is no trap.
    public var isOwn: Bool { IntentFiles.isOurs(path) }
}

/// What became of a file with unsaved changes.
public struct UnsavedOutcome: Sendable {
    /// What the list did not take; the file is still there and holds it. All else is in the list.
    public var refused: [RefusedRow]
    /// Why the file still holds what the list took, or nil if it does not.
    public var obstacle: String?
    /// How many entities were changed otherwise too.
    public var conflicts = 0
    /// The file that is still there, if there are several.
    public var path: String?
    /// Sentences about tags and names among the stored changes.
    public var sentences: [String] = []
}

/// Opens the file at `path`, or returns nil if it is of neither kind.
///
/// - Throws: `StorageError` if it cannot be read, as a FIFO cannot, or is one and cannot be
///   understood.
public func unsavedFile(_ path: String) throws -> (any UnsavedFile)? {
    if let rescue = try RescueFile(path: path) { return rescue }
    return LogHeader.isLog(path) ? try LeftLog(path) : nil
}

extension LeftLog: UnsavedFile {
    public var count: Int { LeftChanges.count(records.batches) }

    public func takeIn(to storage: any ListStorage) async throws -> UnsavedOutcome {
        let left = try await storage.commit(left: records.batches)
        guard !left.lost.isEmpty else {
            remove()
            let isGone = access(path, F_OK) != 0
            return UnsavedOutcome(
                refused: [], obstacle: isGone ? nil : FileFailure.words(for: EACCES),
                sentences: left.sentences)
        }
        var outcome = UnsavedOutcome(refused: left.lost, sentences: left.sentences)
        do {
            try keep(left.kept, refused: left.lost)
        } catch {
            outcome.obstacle = StorageError(error, at: path).reason
        }
        return outcome
    }
}
