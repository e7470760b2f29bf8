import CPlatform
import Glibc
import Synchronization

/// Work that several threads share.
enum SideBySide {
    /// By how many tasks a list is searched or sorted: as many as there are processors, up to 8.
    static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)
}

/// What each of `tasks` returns, run side by side.
func sideBySide<Value: Sendable>(_ tasks: [@Sendable () -> Value]) async -> [Value] {
    let processors = BusyProcessors()
    return await withTaskGroup(of: (Int, Value).self) { group in
        for (number, task) in tasks.enumerated() {
            group.addTask { (number, processors.run(task)) }
        }
        var values: [(Int, Value)] = []
        for await value in group { values.append(value) }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// The processors on which the tasks of one piece of work run.
///
/// In a virtual machine Linux takes an idle processor for one that the host has taken away, and
/// leaves a thread that wakes up on the processor of the one that woke it, for 10 ms and more: as
/// long as a search takes. So a task that finds another one on its processor moves its thread to
/// one that is free, once; after that the thread is the system's to place as ever.
private final class BusyProcessors: Sendable {
    private let busy = Atomic<cplatform_processors>(0)

    func run<Value>(_ task: () -> Value) -> Value {
        let taken = take()
        defer { busy.bitwiseAnd(~taken, ordering: .relaxed) }
        return task()
    }

    /// Takes the processor of this thread, or one that it moves to; none if all are taken.
    private func take() -> cplatform_processors {
        let current = cplatform_current_processor()
        let others = busy.bitwiseOr(current, ordering: .relaxed).oldValue
        guard others & current != 0 else { return current }
        let next = cplatform_leave_processors(others)
        let beforeNext = busy.bitwiseOr(next, ordering: .relaxed).oldValue
        return next & ~beforeNext
    }
}
