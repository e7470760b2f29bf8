import SwiduxTesting
import Synchronization
import Testing

/// Failures of the tools of a test, with the lines that they name.
final class Failures: Sendable {
    private let all = Mutex<[(message: String, line: Int)]>([])

    var messages: [String] { all.withLock { $0.map(\.message) } }
    var lines: [Int] { all.withLock { $0.map(\.line) } }

    @Sendable func record(_ message: String, at location: SourceLocation) {
        all.withLock { $0.append((message, location.line)) }
    }
}
