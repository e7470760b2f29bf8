import Glibc
import SheafList
import SwiduxFiles

/// A file that has taken the place of an open list and is not another version of it, or the lack of
/// one. Nothing is written there, and the list as it was is copied to `NAME.replaced-1` beside it.
struct ReplacedFile {
    /// The text between the list's name and a number.
    static let mark = ".replaced-"
    /// How long a file may be missing before the list is copied.
    static let patience = Duration.milliseconds(500)

    /// The version that was refused last, nil for none, and the reason.
    private var refused: (version: FileVersion?, error: StorageError)?
    /// The time of the first look at that version.
    private var start = ContinuousClock.now
    /// The path of the copy of the list.
    private var copy: String?
    /// True if the list was copied, or is not to be.
    private var isSettled = false

    /// The error for the file that is at the path, if that was refused as another list before.
    /// Comparing lists is slow, so it is not done for each attempt to save.
    func knownError(at file: StoreFile) -> StorageError? {
        guard let refused, refused.error.code == .foreign, isSettled,
            file.presentVersion == refused.version
        else { return nil }
        return refused.error
    }

    /// Adds the name of the copy to `error`. The list is copied once, by `copying`, when a
    /// second look finds the same file: one that is still being written changes meanwhile.
    mutating func refusal(
        _ error: StorageError, at file: StoreFile, isCopied: Bool,
        copying: (_ path: String) throws -> Void
    ) -> StorageError {
        var error = error.code == .notFound ? FileFailure.moved(at: file.location) : error
        let version = file.presentVersion
        // A file may be there that this user cannot reach.
        guard version != nil || [ENOENT, ENOTDIR, ELOOP].contains(errno) else { return error }
        let isSame = refused != nil && refused?.version == version
        if !isSame { start = .now }
        do {
            if copy == nil, isSame, version != nil || start + Self.patience < .now {
                if isCopied { copy = try Self.keep(beside: file, copying) }
                isSettled = true
            }
        } catch let obstacle {
            let reason = StorageError(obstacle, at: file.location).reason
            error.advice = "The list as it was could not be copied: \(reason)."
        }
        let kept = copy.map { " (old list: \($0.lastPathName))" } ?? ""
        error.reason =
            version == nil && error.code == .io
            ? error.reason + kept : "the file was replaced\(kept): \(error.reason)"
        refused = (version, error)
        return error
    }

    /// The sentence that names a copy of a list whose file another version of the list replaced.
    ///
    /// - Parameter lacksOwn: true if that version also lacks commits of this process that cannot be
    ///   made again.
    static func notice(ofCopy path: String, lacksOwn: Bool) -> String {
        let name = path.lastPathName
        return lacksOwn
            ? "\(name) has older edits of this session, which the file that replaced the list lacks"
            : "\(name) has edits of others, which the older version that replaced the list lacks"
    }

    /// The sentence about a file that was damaged before another version of the list replaced it.
    static let noticeOfDamage =
        "The file of the list was damaged and then replaced; edits that only it had are lost"

    /// Has `write` fill a new file beside the list, and returns its path.
    static func keep(
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
