import Dispatch
import Synchronization

/// The delay between a change of a store's file and the next check of it.
///
/// A failed check may have changed the file itself: if SQLite undoes an interrupted write in a
/// folder where it cannot delete the journal, it undoes that write again at every check. So the
/// delay doubles with each consecutive failed check, up to about a second. A successful check
/// resets it.
final class PollBackoff: Sendable {
    private let failures = Atomic(0)

    /// The shortest delay, in milliseconds, from the first of several events to the check.
    static let shortest = 30
    private static let maxDoublings = 5

    /// The current delay in milliseconds.
    var delay: Int {
        Self.shortest << min(failures.load(ordering: .relaxed), Self.maxDoublings)
    }

    /// Records the end of a check.
    func recordEnd(_ hasSucceeded: Bool) {
        if hasSucceeded {
            failures.store(0, ordering: .relaxed)
        } else {
            failures.add(1, ordering: .relaxed)
        }
    }

    /// Runs `check`, records whether it succeeded, and returns its result.
    func run<T: Sendable>(_ check: () async throws -> T) async throws -> T {
        do {
            let result = try await check()
            recordEnd(true)
            return result
        } catch {
            recordEnd(false)
            throw error
        }
    }
}
