import Foundation

/// Standard error, which may be a terminal that is gone.
public enum StandardError {
    /// Writes `text` as it is: pass what is not our own through ``DisplayText`` first. There is nobody left to tell
    /// when that fails, and it must not end the process, as `FileHandle` does.
    public static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
