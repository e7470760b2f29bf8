import Dispatch
import Synchronization

/// Runs `work` on Swift's own threads and waits for its end: what a command does, which is
/// synchronous, with storage, which is not. The main actor stands still meanwhile, so `work` must
/// not need it.
func waiting<T: Sendable>(for work: @escaping @Sendable () async throws -> T) throws -> T {
    let outcome = Outcome<T>()
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await work()
            outcome.result.withLock { $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        end.signal()
    }
    end.wait()
    guard let result = outcome.result.withLock({ $0 }) else {
        throw CommandFailure(.failure, "the work ended without a result")
    }
    return try result.get()
}

/// Where a task leaves what the waiting thread takes.
private final class Outcome<T: Sendable>: Sendable {
    let result = Mutex<Result<T, any Error>?>(nil)
}
