import Dispatch
import SheafStorage
import SwiduxFiles
import Synchronization

/// Runs `work` on this thread and returns at its end. Synchronous commands use it to call
/// asynchronous storage. It blocks the main actor, so `work` must not need the main actor.
func runBlocking<T: Sendable>(for work: @escaping @Sendable () async throws -> T) throws -> T {
    let outcome = Outcome<T>()
    let thread = WaitingThread()
    Task.detached(executorPreference: thread) {
        do {
            let value = try await BlockingCalls.$runsInline.withValue(true, operation: work)
            outcome.result.withLock { $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        thread.leave()
    }
    thread.serve()
    guard let result = outcome.result.withLock({ $0 }) else {
        throw CommandFailure(.failure, "the command ended without a result")
    }
    return try result.get()
}

/// A box in which a task stores the result for the waiting thread.
private final class Outcome<T: Sendable>: Sendable {
    let result = Mutex<Result<T, any Error>?>(nil)
}

/// An executor that runs the jobs of a task on the thread that waits for its end, so that no other
/// thread must be started.
private final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// Signaled for every job, and once more at the end.
    private let jobsAvailable = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobsAvailable.signal()
    }

    /// Runs jobs, and returns after a call of ``leave()``.
    func serve() {
        while true {
            jobsAvailable.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    func leave() {
        jobsAvailable.signal()
    }
}
