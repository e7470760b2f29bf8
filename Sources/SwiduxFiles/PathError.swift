/// Why a path must not be used, whatever is there.
package struct PathError: Error, Sendable {
    /// A few words that can follow the path.
    package let reason: String
    /// What the user can do about it.
    package let advice: String?

    init(_ reason: String, advice: String? = nil) {
        self.reason = reason
        self.advice = advice
    }
}
