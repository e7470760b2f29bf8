import Glibc

/// Standard error, which may be a terminal that was closed.
package enum StandardError {
    /// Writes `text` unchanged. Pass text that comes from the user through ``DisplayText`` first. A
    /// failed write cannot be reported.
    package static func write(_ text: String) {
        text.writeAll(to: STDERR_FILENO)
    }
}

extension String {
    /// Writes the text to `descriptor` without the C library's streams, and continues after
    /// interrupting signals. Returns 0, or the `errno` of the write that failed.
    @discardableResult
    package func writeAll(to descriptor: Int32) -> Int32 {
        var rest = Array(utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
