import Synchronization

/// A JSON file with the entities of one program: storage for lists of up to some ten thousand.
///
/// Every flush writes the whole file: to a temporary file beside it, which is synced and renamed
/// over it; then the folder is synced. A crash at any moment leaves the old file or the new one. A
/// new file is readable by the user alone. The file is locked as long as the store exists, so a
/// second process, or a second store, is refused.
///
/// The program refuses, and never overwrites, content that it does not understand: another format,
/// a newer version, a damaged file, anything that is not a file. This also applies to a file that
/// another program has changed, moved or deleted since. Links are followed, except broken ones and
/// those of other users.
public struct JSONFile: Sendable {
    let path: String
    let format: String
    let version: Int
    let unknownStores: UnknownStores
    let migrate: (@Sendable (inout EarlierFile) throws -> Void)?
    /// Permits the next flush to replace a file that another program has changed.
    let mayOverwrite = Permission()

    /// The treatment of a store in the file that the program does not keep.
    public enum UnknownStores: Sendable, Hashable {
        /// The file is refused: written without the store it would lose it.
        case refused
        /// The store stays in the file as it is.
        case kept
    }

    /// Names a file to keep entities in. Nothing is opened until a `Store` keeps entities there,
    /// which creates the file and its folders if they are missing.
    ///
    /// - Parameters:
    ///   - path: the file, also through links; a relative path begins at the working folder.
    ///   - format: a word in the file that no other program uses.
    ///   - version: of the entities. Raise it when an earlier version of the program would lose
    ///     something by writing the file: it then refuses the file.
    ///   - unknownStores: the treatment of a store that is not kept, after `migrate`.
    ///   - migrate: changes the stores of a file of an earlier version into those of this one. It
    ///     is called before the entities are decoded. A store that the file does not have begins
    ///     with the entities of the initial state.
    public init(
        _ path: String, format: String, version: Int = 1, unknownStores: UnknownStores = .refused,
        migrate: (@Sendable (inout EarlierFile) throws -> Void)? = nil
    ) {
        self.path = path
        self.format = format
        self.version = version
        self.unknownStores = unknownStores
        self.migrate = migrate
    }

    /// Has the next flush replace the file though another program has changed, moved or deleted it:
    /// its text is lost. Otherwise such a file is never written again.
    public func overwrite() { mayOverwrite.give() }

    /// Why a file was not opened or not written.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of failure.
        public enum Code: Sendable, Hashable {
            /// Another process, or another store of this one, has the file open.
            case inUse
            /// The file is something else, and is left alone.
            case foreign
            /// A newer version of the program wrote the file; it is left alone.
            case newer
            /// The file is damaged; it is left alone.
            case corrupt
            /// Since it was opened the file was changed, moved or deleted; it is left alone.
            case changed
            /// There is no file that can be opened, or it must not be written to.
            case cannotOpen
            /// Reading or writing failed.
            case io
        }

        /// The kind of failure.
        public let code: Code
        /// The file, as the program named it.
        public let path: String
        /// A few words for the user.
        public let reason: String

        public var description: String { "\(path): \(reason)" }
    }
}

/// A permission that is used once.
final class Permission: Sendable {
    private let isGiven = Mutex(false)

    func give() { isGiven.withLock { $0 = true } }

    /// Returns whether there was one.
    func use() -> Bool {
        isGiven.withLock { isGiven in
            defer { isGiven = false }
            return isGiven
        }
    }
}
