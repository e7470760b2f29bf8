#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The error of a failed system call.
package struct SystemError: Error, Hashable, Sendable {
    /// The `errno`.
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The error of the last failed call in this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The system's description of the error, such as `Permission denied`.
    package var words: String { String(cString: strerror(number)) }
}
