import Foundation

/// The measurements of one scene in milliseconds, as a row of a table.
struct Row {
    static let heading = [
        "| what | least ms | median | p99 | processor ms |",
        "|---|--:|--:|--:|--:|",
    ]

    let name: String
    /// The times from each action to all rows and counts.
    var times: [Double] = []
    /// The processor time of all actions together.
    var spent = 0.0

    var markdown: String {
        let times = times.sorted()
        let cells = [
            times[0], times[times.count / 2], times[times.count * 99 / 100],
            spent / Double(times.count),
        ]
        return "| \(name) | \(cells.map(text).joined(separator: " | ")) |"
    }

    private func text(_ milliseconds: Double) -> String {
        String(format: milliseconds < 1 ? "%.4f" : "%.1f", milliseconds)
    }
}

/// Returns the processor time that this process has used, in milliseconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) * 1_000 }
