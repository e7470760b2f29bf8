import Glibc

/// Standard error, which may be a terminal that was closed.
package enum StandardError {
    /// Writes `text` unchanged. Pass text that comes from the user through ``DisplayText`` first. A
    /// failed write cannot be reported.
    package static func write(_ text: String) {
        DescriptorOutput.write(text, to: STDERR_FILENO)
    }
}

/// Unbuffered output of text to an open file, without the C library's streams.
package enum DescriptorOutput {
    /// Writes all of `text` to `descriptor`, and continues after interrupting signals. Returns 0,
    /// or the `errno` of the write that failed.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
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
