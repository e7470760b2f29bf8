import Dispatch
import Synchronization

/// Calls that wait for a disk or a lock, which no thread of Swift's own pool should do.
package enum BlockingCalls {
    /// Whether the task runs on a thread that serves nothing else and may wait itself. That saves a
    /// command the threads of a queue, which cost a short one more than all it reads.
    @TaskLocal package static var mayStayHere = false

    /// Runs `body` on `queue`, one after the other with what else runs there. It is no child of the
    /// calling task, so that cancelling that does not end a write.
    package static func run<T: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () -> T
    ) async -> T {
        if mayStayHere { return queue.sync(execute: body) }
        return await withCheckedContinuation { continuation in
            let call = BlockingCall(body)
            queue.async { continuation.resume(returning: call.result()) }
        }
    }
}

/// One call that holds nothing of what it used by the time its result is known. A queue releases
/// its block only after the waiting task has gone on, which may by then rely on the end of
/// something, such as the lock of a file that it has let go of.
final class BlockingCall<T>: Sendable {
    private let body: Mutex<(@Sendable () -> T)?>

    init(_ body: @escaping @Sendable () -> T) { self.body = Mutex(body) }

    /// To be called once.
    func result() -> T {
        guard let body = body.withLock({ $0.take() }) else {
            preconditionFailure("A blocking call is made once.")
        }
        return body()
    }
}
