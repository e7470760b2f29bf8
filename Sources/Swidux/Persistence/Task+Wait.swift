import Dispatch
import Synchronization

extension Task where Success: Sendable {
    /// Blocks the thread until the task has ended, and returns its result. Returns nil if the task
    /// takes longer than `limit`.
    func wait(for limit: Duration) -> Result<Success, Failure>? {
        let ended = DispatchSemaphore(value: 0)
        let outcome = Outcome<Success, Failure>()
        Task<Void, Never>.detached(priority: .high) {
            let result = await self.result
            outcome.result.withLock { $0 = result }
            ended.signal()
        }
        _ = ended.wait(timeout: DispatchTime(after: limit))
        return outcome.result.withLock(\.self)
    }
}

private final class Outcome<Success: Sendable, Failure: Error>: Sendable {
    let result = Mutex<Result<Success, Failure>?>(nil)
}
