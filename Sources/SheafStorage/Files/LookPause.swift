import Dispatch
import Synchronization

/// How long a storage waits before it looks at its file again after that was changed.
///
/// A look that fails may have changed the file itself: SQLite undoes an interrupted write in a
/// folder from which it cannot delete the journal, and does so again at every look. So the pause
/// doubles with each look that has failed in a row, up to about a second; it is short again after
/// one that has succeeded.
final class LookPause: Sendable {
    private let failures = Atomic(0)

    /// From the first of several events to the look.
    static let shortest = 30
    private static let mostDoublings = 5

    /// In milliseconds.
    var length: Int {
        Self.shortest << min(failures.load(ordering: .relaxed), Self.mostDoublings)
    }

    /// A look has ended.
    func ended(_ hasSucceeded: Bool) {
        if hasSucceeded {
            failures.store(0, ordering: .relaxed)
        } else {
            failures.add(1, ordering: .relaxed)
        }
    }

    /// Looks, and returns what `look` returns.
    func after<T: Sendable>(_ look: () async throws -> T) async throws -> T {
        do {
            let result = try await look()
            ended(true)
            return result
        } catch {
            ended(false)
            throw error
        }
    }
}
