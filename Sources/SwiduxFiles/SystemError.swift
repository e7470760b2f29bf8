#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a system call failed.
package struct SystemError: Error, Hashable, Sendable {
    /// The `errno`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// Of the call that failed last in this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The system's words, such as `Permission denied`.
    package var words: String { String(cString: strerror(number)) }
}
