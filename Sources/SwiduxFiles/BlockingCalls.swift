import Dispatch

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
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
