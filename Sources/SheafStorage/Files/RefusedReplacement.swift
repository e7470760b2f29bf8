import Glibc
import SheafList
import SwiduxFiles

/// A file at the path of an open list that is not a version of this list, or the absence of a file
/// there. Another file replaced the list, or another content was written into its file. Storage
/// writes nothing there, and copies the list as it was to `NAME.replaced-1` beside it.
struct RefusedReplacement {
    /// The text between the list's name and the number of the copy.
    static let mark = ".replaced-"
    /// The time that a file may be missing before the list is copied.
    static let timeout = Duration.milliseconds(500)

    /// The last refused version, nil for a missing file, and the reason.
    private var refused: (version: FileVersion?, error: StorageError)?
    /// The time of the first look at that version.
    private var start = ContinuousClock.now
    /// The path of the copy of the list.
    private var copy: String?
    /// True if the list was copied, or if it needs no copy.
    private var isSettled = false

    /// Returns the earlier error if the file at the path was already refused as another list.
    /// Comparing lists is slow, so it is not repeated for each attempt to save.
    func knownError(at file: StoreFile) -> StorageError? {
        guard let error = refused?.error, error.code == .foreign, isKnown(at: file) else {
            return nil
        }
        return error
    }

    /// Returns true if the file at the path, or its absence, was already refused and nothing
    /// remains to be copied.
    func isKnown(at file: StoreFile) -> Bool {
        isSettled && refused.map { $0.version == file.presentVersion } ?? false
    }

    /// Adds the name of the copy to `error`. `copying` copies the list once, when a second look
    /// finds the same file. A file that is still being written changes between looks.
    ///
    /// - Parameter isOverwritten: true if the file is the one that was open, with other content.
    mutating func refusal(
        _ error: StorageError, at file: StoreFile, isCopied: Bool, isOverwritten: Bool = false,
        copying: (_ path: String) throws -> Void
    ) -> StorageError {
        var error = error.code == .notFound ? FileFailure.moved(at: file.location) : error
        let version = file.presentVersion
        // An inaccessible file may be at the path.
        guard version != nil || [ENOENT, ENOTDIR, ELOOP].contains(errno) else { return error }
        let isSame = refused != nil && refused?.version == version
        if !isSame { start = .now }
        do {
            if copy == nil, isSame, version != nil || start + Self.timeout < .now {
                if isCopied { copy = try Self.makeCopy(beside: file, copying) }
                isSettled = true
            }
        } catch let obstacle {
            let reason = StorageError(obstacle, at: file.location).reason
            error.advice = "The list as it was could not be copied: \(reason)."
        }
        let kept = copy.map { " (old list: \($0.lastPathName))" } ?? ""
        error.reason =
            isOverwritten || version == nil && error.code == .io
            ? error.reason + kept : "the file was replaced\(kept): \(error.reason)"
        refused = (version, error)
        return error
    }

    /// Returns a sentence about the copy of a list whose file another version of the list replaced.
    ///
    /// - Parameter lacksOwn: true if that version also lacks commits of this process that cannot be
    ///   repeated.
    static func notice(ofCopy path: String, lacksOwn: Bool) -> String {
        let name = path.lastPathName
        return lacksOwn
            ? "\(name) has older edits of this session, which the file that replaced the list lacks"
            : "\(name) has edits of others, which the version that replaced the list lacks"
    }

    /// A sentence about a file that was damaged before another version of the list replaced it.
    static let noticeOfDamage =
        "The file of the list was damaged and then replaced; edits that only it had are lost"

    /// Makes a new file beside the list, has `write` fill it, and returns its path.
    static func makeCopy(
        beside file: StoreFile, _ write: (_ path: String) throws -> Void
    ) throws -> String {
        // A folder that was moved is not made again.
        guard access(file.folder, F_OK) == 0 else { throw FileFailure.moved(at: file.location) }
        var number = 1
        while true {
            let target = try StoreFile(named: "\(file.path)\(mark)\(number)")
            if StoreFile.isFree(target.path), try target.put(replacing: false, write) != nil {
                return target.path
            }
            number += 1
        }
    }
}
