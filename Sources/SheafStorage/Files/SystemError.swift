import Glibc

/// Why a system call failed.
public struct SystemError: Error, Hashable, Sendable {
    /// The `errno`.
    public let number: Int32

    public init(number: Int32) { self.number = number }

    /// Of the call that failed last in this thread.
    public static var last: SystemError { SystemError(number: errno) }

    /// The system's words, such as `Permission denied`.
    public var words: String { String(cString: strerror(number)) }
}
