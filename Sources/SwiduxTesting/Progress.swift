import Synchronization

/// A counter of events, on which tasks can wait for the next one with a timeout. Safe from any
/// thread.
final class Progress: Sendable {
    private struct State {
        var events = 0
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The number of events so far.
    var events: Int { state.withLock { $0.events } }

    /// Records an event, and wakes all tasks that wait for one.
    func record() {
        let waiters = state.withLock { state in
            state.events += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for an event after the first `count`. Returns false if none comes within `timeout` of
    /// real time, or if the task is cancelled first.
    func next(after count: Int, within timeout: Duration) async -> Bool {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let alarm = Mutex<Task<Void, Never>?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard state.events <= count, !Task.isCancelled else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                guard isWaiting else { return continuation.resume() }
                alarm.withLock { $0 = wake(number, after: timeout) }
            }
        } onCancel: {
            wake(number)
        }
        alarm.withLock { $0?.cancel() }
        return events > count
    }

    private func wake(_ number: Int, after timeout: Duration) -> Task<Void, Never> {
        Task.detached {
            // Sleeps in parts, so that the time in which the process was stopped does not count as
            // waiting.
            for _ in 0..<10 {
                do { try await Task.sleep(for: timeout / 10) } catch { return }
            }
            self.wake(number)
        }
    }

    private func wake(_ number: Int) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
}
