/// An error of storage.
public struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, which determine exit statuses and retries.
    public enum Code: Sendable, Equatable {
        /// A store was to be read that is not there.
        case notFound
        /// A parameter of the connection is wrong.
        case usage
        /// The store's file or folder cannot be created or opened.
        case cannotOpen
        /// The user may no longer read the store. Committed changes stay committed.
        case denied
        /// The file is something else, and is left alone.
        case foreign
        /// The file was a store and is damaged; it is left alone.
        case corrupt
        /// A newer version of the program wrote the store; it is left alone.
        case newer
        /// An earlier version of the program wrote the file, which is no list; it is left alone.
        case older
        /// Another process holds the lock.
        case busy
        /// The store cannot be written to.
        case readOnly
        /// The disk is full.
        case full
        /// Reading or writing failed.
        case io
        /// A write was refused by a rule of the store.
        case constraint
        /// The failure was asked for, with `--fail-writes`.
        case injected
    }

    public var code: Code
    /// The file or address that it is about.
    public var location: String
    /// A few words for the status bar: `disk full`.
    public var reason: String
    /// Advice to the user, as a sentence, or nil.
    public var advice: String?
    /// True if the change may have been saved all the same. A second commit of the same changes
    /// finds out; another process, which does not know them, must not try again.
    public var isUnsure = false

    public init(_ code: Code, at location: String, reason: String, advice: String? = nil) {
        self.code = code
        self.location = location
        self.reason = reason
        self.advice = advice
    }

    /// One line: the place, the reason, and the advice.
    public var description: String {
        let head = "\(location): \(reason)"
        guard let advice else { return head }
        return "\(head). \(advice)"
    }
}
