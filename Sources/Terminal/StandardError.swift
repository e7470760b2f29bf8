import Glibc

/// Standard error, which may be a terminal that was closed.
public enum StandardError {
    /// Writes `text` as it is: pass text of the user's through ``DisplayText`` first. A failure
    /// cannot be reported anywhere.
    public static func write(_ text: String) {
        DescriptorOutput.write(text, to: STDERR_FILENO)
    }
}

/// Text to an open file, without buffers of the C library.
public enum DescriptorOutput {
    /// Writes all of `text` to `descriptor`, through interrupting signals. Returns 0, or the
    /// `errno` of the write that failed.
    @discardableResult
    public static func write(_ text: String, to descriptor: Int32) -> Int32 {
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
