import Dispatch
import SheafStorage
import SwiduxFiles
import Synchronization

/// Runs `work` on this thread and returns at its end: commands are synchronous, and storage is not.
/// The main actor is blocked meanwhile, so `work` must not need it.
func waiting<T: Sendable>(for work: @escaping @Sendable () async throws -> T) throws -> T {
    let outcome = Outcome<T>()
    let thread = WaitingThread()
    Task.detached(executorPreference: thread) {
        do {
            let value = try await BlockingCalls.$mayStayHere.withValue(true, operation: work)
            outcome.result.withLock { $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        thread.leave()
    }
    thread.serve()
    guard let result = outcome.result.withLock({ $0 }) else {
        throw CommandFailure(.failure, "the work ended without a result")
    }
    return try result.get()
}

/// The result of a task, which the waiting thread takes.
private final class Outcome<T: Sendable>: Sendable {
    let result = Mutex<Result<T, any Error>?>(nil)
}

/// Runs the parts of a task on the thread that waits for its end, so that none has to be started.
private final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// Signalled for every job, and once more at the end.
    private let news = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        news.signal()
    }

    /// Returns once ``leave()`` was called.
    func serve() {
        while true {
            news.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    func leave() {
        news.signal()
    }
}
