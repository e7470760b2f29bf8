import Dispatch
import Synchronization

/// The delay between a change of a store's file and the next look at it.
///
/// A failed look may have changed the file itself: if SQLite undoes an interrupted write in a
/// folder where it cannot delete the journal, it undoes that write again at every look. So the
/// delay doubles with each consecutive failed look, up to about a second. A successful look resets
/// it.
final class PollBackoff: Sendable {
    private let failures = Atomic(0)

    /// The shortest delay, in milliseconds, from the first of several events to the look.
    static let shortest = 30
    private static let maxDoublings = 5

    /// The current delay in milliseconds.
    var length: Int {
        Self.shortest << min(failures.load(ordering: .relaxed), Self.maxDoublings)
    }

    /// Records the end of a look.
    func ended(_ hasSucceeded: Bool) {
        if hasSucceeded {
            failures.store(0, ordering: .relaxed)
        } else {
            failures.add(1, ordering: .relaxed)
        }
    }

    /// Runs `look`, records whether it succeeded, and returns its result.
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
