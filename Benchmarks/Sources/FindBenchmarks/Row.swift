import Foundation

/// What was measured of one scene, as a row of a table; in milliseconds.
struct Row {
    static let heading = [
        "| what | first rows, median ms | p99 | all, least ms | median | p99 | processor ms |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]

    let name: String
    /// From each action to its first rows, where they come before the others.
    var firsts: [Double] = []
    /// From each action to all of them.
    var times: [Double] = []
    /// Of the processor, for all actions together.
    var spent = 0.0

    var markdown: String {
        let (firsts, times) = (firsts.sorted(), times.sorted())
        let cells: [Double?] = [
            median(firsts), p99(firsts), times.first, median(times), p99(times),
            spent / Double(times.count),
        ]
        return "| \(name) | \(cells.map { $0.map(text) ?? "–" }.joined(separator: " | ")) |"
    }

    private func median(_ sorted: [Double]) -> Double? {
        sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    private func p99(_ sorted: [Double]) -> Double? {
        sorted.isEmpty ? nil : sorted[sorted.count * 99 / 100]
    }

    private func text(_ milliseconds: Double) -> String {
        String(format: milliseconds < 1 ? "%.4f" : "%.1f", milliseconds)
    }
}

/// The time of the processor that this process has taken, in milliseconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) * 1_000 }
