/// A problem with a path itself rather than with the file there.
package struct PathError: Error, Sendable {
    /// A few words that can follow the path in a message.
    package let reason: String
    /// Advice for the user, or nil.
    package let advice: String?

    init(_ reason: String, advice: String? = nil) {
        self.reason = reason
        self.advice = advice
    }
}
