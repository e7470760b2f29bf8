/// A file of JSON that keeps the entities of one program: storage for lists of up to some ten
/// thousand.
///
/// Every flush writes the whole file: to a temporary file beside it, which is synced and renamed
/// over it; then the folder is synced. A crash at any moment leaves the old file or the new one. A
/// new file is readable by the user alone. The file is locked as long as the store exists, so a
/// second process, or a second store, is refused.
///
/// What the program does not understand it refuses and never overwrites: another format, a newer
/// version, a damaged file, anything that is not a file. The same holds for a file that another
/// program has changed, moved or deleted since. Links are followed, except broken ones and those of
/// other users.
public struct JSONFile: Sendable {
    let path: String
    let format: String
    let version: Int

    /// Names a file to keep entities in. Nothing is opened until a ``Store`` keeps entities there,
    /// which creates the file and its folders if they are missing.
    ///
    /// - Parameters:
    ///   - path: the file, also through links; a relative path begins at the working folder.
    ///   - format: a word in the file that no other program uses.
    ///   - version: of the entities. Raise it when an earlier version of the program would lose
    ///     something by writing the file: it then refuses the file. Older files lack properties
    ///     that were added since: make them optional, or write the entity's `init(from:)`.
    public init(_ path: String, format: String, version: Int = 1) {
        self.path = path
        self.format = format
        self.version = version
    }

    /// Why a file was not opened or not written.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// What kind of failure.
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

        /// What kind of failure it is.
        public let code: Code
        /// The file, as the program named it.
        public let path: String
        /// A few words for the user.
        public let reason: String

        public var description: String { "\(path): \(reason)" }
    }
}
