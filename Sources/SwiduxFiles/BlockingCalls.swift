import Dispatch
import Synchronization

/// Calls that block on a disk or a lock and so must not run on Swift's cooperative thread pool.
package enum BlockingCalls {
    /// True if the task runs on a dedicated thread, which may block. Calls then run on that thread,
    /// because starting a thread for a queue would take longer than all reads of a short command.
    @TaskLocal package static var runsInline = false

    /// Runs `body` on the serial queue `queue`. The call is not a child of the calling task, so
    /// cancelling the task does not interrupt a write.
    package static func run<T: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () -> T
    ) async -> T {
        if runsInline { return queue.sync(execute: body) }
        return await withCheckedContinuation { continuation in
            let call = BlockingCall(body)
            queue.async { continuation.resume(returning: call.result()) }
        }
    }
}

/// One call, which releases its captured values before its result is delivered.
///
/// A queue releases its block only after the waiting task has resumed. That task may already rely
/// on the release, for example of a locked file.
final class BlockingCall<T>: Sendable {
    private let body: Mutex<(@Sendable () -> T)?>

    init(_ body: @escaping @Sendable () -> T) { self.body = Mutex(body) }

    /// Runs the call. Must be called only once.
    func result() -> T {
        guard let body = body.withLock({ $0.take() }) else {
            preconditionFailure("A blocking call is made once.")
        }
        return body()
    }
}
