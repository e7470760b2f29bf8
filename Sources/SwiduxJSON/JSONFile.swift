import Synchronization

/// A JSON file with the entities of one program, for up to about ten thousand entities.
///
/// Every flush writes all entities to a temporary file beside this one, syncs it, renames it over
/// this one, and syncs the folder. A crash at any moment leaves the old file or the new one. Only
/// the user can read a new file. The file is locked as long as the store exists, so a second
/// process or a second store cannot open it.
///
/// A store refuses, and never overwrites, content that it does not understand: another format, a
/// newer version, a damaged file, or anything that is not a regular file. Unless the program calls
/// ``overwrite()``, the store does not overwrite a file that another program has changed, moved or
/// deleted. Links are followed, except broken ones and those of other users.
public struct JSONFile: Sendable {
    let path: String
    let format: String
    let version: Int
    let unknownStores: UnknownStores
    let migrate: (@Sendable (inout EarlierFile) throws -> Void)?
    /// The permission for one flush to replace a file that another program has changed.
    let mayOverwrite = Permission()

    /// The treatment of a store in the file that the program does not keep.
    public enum UnknownStores: Sendable, Hashable {
        /// The file is refused, because the next flush would remove the store from it.
        case refused
        /// The store stays in the file as it is.
        case kept
    }

    /// Describes a file without opening it. A `Store` that keeps entities there opens the file. It
    /// creates the file and its folders if they are missing.
    ///
    /// - Parameters:
    ///   - path: the path of the file. Links are followed. A relative path starts at the working
    ///     folder.
    ///   - format: a word in the file that no other program uses.
    ///   - version: the version of the entities. Raise it if an earlier version of the program
    ///     would lose data by writing the file. That version then refuses the file.
    ///   - unknownStores: the treatment of a store that the program does not keep, after `migrate`.
    ///   - migrate: changes the stores of a file of an earlier version into those of this one,
    ///     before the entities are decoded. A store that the file does not have starts with the
    ///     entities of the initial state.
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

    /// Permits one flush to replace the file after another program has changed, moved or deleted
    /// it. The changes of that program are then lost. Without this call, flushes fail.
    public func overwrite() { mayOverwrite.give() }

    /// The reason why a file was not opened or written.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kinds of failure.
        public enum Code: Sendable, Hashable {
            /// Another process, or another store of this one, has the file open.
            case inUse
            /// The file does not have the format of this program. It stays unchanged.
            case foreign
            /// A newer version of the program wrote the file, or the file has a store that the
            /// program does not keep. It stays unchanged.
            case newer
            /// The file is damaged. It stays unchanged.
            case corrupt
            /// Another program has changed, moved or deleted the file since it was opened. The file
            /// stays as that program left it.
            case changed
            /// The file cannot be opened or created, or must not be written to.
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

    /// Withdraws the permission. Returns true if it had been given.
    func use() -> Bool {
        isGiven.withLock { isGiven in
            defer { isGiven = false }
            return isGiven
        }
    }
}
