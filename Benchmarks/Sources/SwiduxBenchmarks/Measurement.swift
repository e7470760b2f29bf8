import Foundation

/// Work that is timed in batches. `prepare` is not timed. `run` performs `count` operations.
@MainActor
struct Workload {
    /// The number of operations in one batch.
    var count: Int
    var prepare: () -> Void = {}
    var run: (_ count: Int) -> Void
}

/// The time of one operation in nanoseconds, over several batches.
struct Timing {
    let median: Double
    let p90: Double

    init(_ samples: [Double]) {
        let sorted = samples.sorted()
        median = sorted[sorted.count / 2]
        p90 = sorted[min(sorted.count - 1, sorted.count * 9 / 10)]
    }
}

/// The extent of a measurement. It continues until it has taken `floor` and has `batches` batches.
/// It ends earlier, but after at least two batches, if it has taken `ceiling` including
/// preparation.
struct Effort {
    var floor = Duration.milliseconds(60)
    var ceiling = Duration.milliseconds(600)
    var batches = 15
}

/// Times several workloads in turn, one batch of each, so that a disturbance of the machine affects
/// all of them equally.
@MainActor
func measure(effort: Effort = Effort(), _ workloads: [Workload]) -> [Timing] {
    var samples = workloads.map { _ in [Double]() }
    var timed = workloads.map { _ in Duration.zero }
    var spent = timed
    // A workload whose batch is a single operation is so slow that it needs no warming up.
    for workload in workloads where workload.count > 1 {
        workload.prepare()
        workload.run(max(workload.count / 10, 1))
    }
    func wants(_ index: Int) -> Bool {
        let count = samples[index].count
        if spent[index] >= effort.ceiling { return count < 2 }
        return count < effort.batches || timed[index] < effort.floor
    }
    while workloads.indices.contains(where: wants) {
        for (index, workload) in workloads.enumerated() where wants(index) {
            let start = processorTime()
            workload.prepare()
            let middle = processorTime()
            workload.run(workload.count)
            let end = processorTime()
            samples[index].append((end - middle) / .nanoseconds(1) / Double(workload.count))
            timed[index] += end - middle
            spent[index] += end - start
        }
    }
    return samples.map(Timing.init)
}

/// Uses a result, so that the optimizer does not remove the work that computed it.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}

/// Returns the processor time that this thread has used. The measured work never waits, and other
/// work on the machine does not count.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
