/// A failure to open, read or write a store.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, which determine exit statuses and retries.
    package enum Code: Sendable, Equatable {
        /// The store to be read does not exist.
        case notFound
        /// A parameter of the connection is wrong.
        case usage
        /// The store's file or folder cannot be created or opened.
        case cannotOpen
        /// The user may no longer read the store. Committed changes stay committed.
        case denied
        /// The file is not a store, and is left unchanged.
        case foreign
        /// The file is a damaged store, and is left unchanged.
        case corrupt
        /// A newer version of the program wrote the store, which is left unchanged.
        case newer
        /// An earlier version of the program wrote the log or rescue file, which is left unchanged.
        case older
        /// Another process holds the lock.
        case busy
        /// The store is read-only.
        case readOnly
        /// The disk is full.
        case full
        /// Reading or writing failed.
        case io
        /// A constraint of the store refused a write.
        case constraint
        /// A test failure that `--fail-writes` requested.
        case injected
    }

    package var code: Code
    /// The file or address of the store.
    package var location: String
    /// A short reason for the status bar: `disk full`.
    package var reason: String
    /// Advice to the user, as a sentence, or nil.
    package var advice: String?
    /// True if the change may have been saved in spite of the error. To find out, this process
    /// commits the same changes again. Repeating a command is no substitute, because it would make
    /// new changes.
    package var isOutcomeUnknown = false

    package init(_ code: Code, at location: String, reason: String, advice: String? = nil) {
        self.code = code
        self.location = location
        self.reason = reason
        self.advice = advice
    }

    /// The location, the reason and the advice, in one line.
    package var description: String {
        let head = "\(location): \(reason)"
        guard let advice else { return head }
        return "\(head). \(advice)"
    }
}
