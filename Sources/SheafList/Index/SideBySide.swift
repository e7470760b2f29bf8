import CPlatform
import Glibc
import Synchronization

/// Work that several threads share.
package enum SideBySide {
    /// By how many tasks a list is searched or sorted: as many as there are processors, up to 8.
    package static let width = max(min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8), 1)
}

/// Lets a thread run that waits for the processor of this one. About 1 µs if none does.
///
/// Work beside the main thread calls it every tenth of a millisecond or so. While all processors
/// compute, Linux otherwise lets the main thread in only at its next tick, after up to 4 ms, and
/// whoever carries the key and the answer as well.
func giveWay() { sched_yield() }

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
        if current == 0 || claim(current) { return current }
        var free = cplatform_allowed_processors() & ~busy.load(ordering: .relaxed)
        // The next one up, or else the first.
        let above = ~(current | (current &- 1))
        while free != 0 {
            let candidates = free & above != 0 ? free & above : free
            let next = candidates & (0 &- candidates)
            free &= ~next
            guard claim(next) else { continue }
            if cplatform_move_to_processor(next) { return next }
            busy.bitwiseAnd(~next, ordering: .relaxed)
            return 0
        }
        return 0
    }

    /// Marks a processor as busy; false if it is, or is none.
    private func claim(_ processor: cplatform_processors) -> Bool {
        processor & ~busy.bitwiseOr(processor, ordering: .relaxed).oldValue != 0
    }
}
