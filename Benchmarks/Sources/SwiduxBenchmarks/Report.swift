import Foundation

/// The results of one run, as Markdown.
struct Report {
    struct Row {
        let name: String
        let budget: Budget
        /// The timings by size: Swidux, and the textbook design if it has the operation.
        var timings: [Int: [Timing]] = [:]
    }

    let sizes: [Int]
    let loadBefore = load
    var rows: [Row] = []
    var undoBytes: [Int: Double] = [:]
    var storeBytes: [Int: Double] = [:]
    var plain: [Int: PlainDictionary] = [:]
    var moves: (random: Figures.Moves, adversarial: Figures.Moves)?

    var markdown: String {
        let header = """
            # What Swidux costs

            \(machine), \(swiftVersion), \(date). Made by `make bench`.

            Processor time for one operation, median and (90th percentile) of batches. Each edit is made with a fresh \
            snapshot of the state held, and is recorded and drained. The *textbook* design packs and unpacks the whole \
            state for each action, keeps snapshots for undo and numbers its rows; both were measured in turn in one run.

            Load of the machine, this program included: \(String(format: "%.1f", loadBefore)) before, \
            \(String(format: "%.1f", load)) after. Well above 1, something else ran and the times are too long.


            """
        return [header + timesTable, textbookTable, plainTable, budgetTable, figures]
            .joined(separator: "\n")
    }

    private var timesTable: String {
        var lines = [
            "## Swidux", "",
            "| operation |" + sizes.map { " \(grouped($0)) |" }.joined() + " growth |",
            "|---|" + String(repeating: "--:|", count: sizes.count + 1),
        ]
        for row in rows {
            let cells = sizes.map { size in
                " "
                    + (row.timings[size]?.first.map { "\(time($0.median)) (\(time($0.p90)))" } ?? "")
                    + " |"
            }
            lines.append("| \(row.name) |" + cells.joined() + " \(growth(row).map(times) ?? "") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var textbookTable: String {
        var lines = [
            "## The textbook design, and how many times faster Swidux is", "",
            "| operation |" + sizes.map { " \(grouped($0)) |" }.joined(),
            "|---|" + String(repeating: "--:|", count: sizes.count),
        ]
        for row in rows where row.timings.values.contains(where: { $0.count > 1 }) {
            let cells = sizes.map { size in
                " " + (row.timings[size]?.last.map { time($0.median) } ?? "")
                    + (ratio(row, at: size).map { ", \(times($0))" } ?? "") + " |"
            }
            lines.append("| \(row.name) |" + cells.joined())
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var plainTable: String {
        var lines = [
            "## \(PlainDictionary.title)", "",
            "| entities | memory for an entity | a rename | with undo and saving |",
            "|---|--:|--:|--:|",
        ]
        for (size, plain) in plain.sorted(by: { $0.key < $1.key }) {
            let times = plain.timings.map { time($0.median) }
            lines.append(
                "| \(grouped(size)) | \(bytes(storeBytes[size] ?? 0)) | \(times[0]) | \(times[1]) |"
            )
            lines.append(
                "| \(grouped(size)), dictionary | \(bytes(plain.bytesPerEntity)) | \(times[2]) | – |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var budgetTable: String {
        var lines = [
            "## Budgets", "", "| what | budget | measured | |", "|---|--:|--:|---|",
        ]
        func add(_ what: String, _ budget: String, _ measured: String, _ share: Double) {
            let verdict = share <= 1 ? "holds" : "off by \(times(share))"
            lines.append("| \(what) | \(budget) | \(measured) | \(verdict) |")
        }
        let greatest = sizes.last ?? 0
        for row in rows {
            if let limit = row.budget.limit, let timing = row.timings[greatest]?.first {
                add(
                    "\(row.name) at \(grouped(greatest))", "≤ \(time(limit))", time(timing.median),
                    timing.median / limit)
            }
            if let limit = row.budget.overBare, let timing = row.timings[greatest]?.first,
                let bare = rows.first(where: { Edit.sentName($0.name) == row.name }),
                let reference = bare.timings[greatest]?.first
            {
                let ratio = timing.median / reference.median
                add(
                    "\(row.name) at \(grouped(greatest)), over the bare edit", "≤ \(times(limit))",
                    times(ratio), ratio / limit)
            }
            if let limit = row.budget.growth, let growth = growth(row) {
                add("\(row.name), growth", "≤ \(times(limit))", times(growth), growth / limit)
            }
            if let limit = row.budget.ratio, let ratio = ratio(row, at: 100_000) {
                add(
                    "\(row.name), faster than the textbook at 100,000", "≥ \(times(limit))",
                    times(ratio), limit / ratio)
            }
        }
        if let moves {
            for (name, moves) in [("random", moves.random), ("adversarial", moves.adversarial)] {
                let average = Double(moves.rows) / Double(max(moves.count, 1))
                add(
                    "rows written for a move, \(grouped(moves.count)) \(name)", "≤ 1.1",
                    String(format: "%.4f", average), average / 1.1)
            }
        }
        for (size, bytes) in undoBytes.sorted(by: { $0.key < $1.key }) {
            add(
                "undo memory for an entity touched at \(grouped(size))", "≤ 2,048 B",
                "\(grouped(Int(bytes))) B", bytes / 2048)
        }
        lines += ["", Self.reasons]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The reasons, according to profiles, why some budgets are exceeded.
    private static let reasons = """
        Where a time at 1,000,000 does not hold, half of it is what the same operation costs at 1,000, and the rest is \
        cache misses: growth, which divides the machine out, holds for every edit. What an edit pays for with a \
        snapshot held is one copied path in each of three trees (the slots, the ids, the order), each node an \
        allocation and a retain for every child. A move pays twice, and a rank is not a trivial type, so that its \
        leaves are copied key by key. Through `send` come the undo step, the drain into the buffer of what waits, and \
        the status of saving, in generic classes that are not specialised for the application's state. The machine matters as much: \
        between runs of nearly the same code the times at 1,000,000 differed by up to three times.
        """

    private var figures: String {
        var lines = ["## Other figures", ""]
        for (size, bytes) in storeBytes.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "- Heap of an `EntityStore` for one of \(grouped(size)) entities, texts not counted: "
                    + "\(Int(bytes)) B, of which the entity itself is \(MemoryLayout<Entry>.stride) B."
            )
        }
        if let moves {
            lines.append(
                "- Longest rank after the adversarial moves: \(moves.adversarial.longestRank) digits; "
                    + "after the random ones: \(moves.random.longestRank).")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func growth(_ row: Row) -> Double? {
        guard sizes.count > 1, let small = row.timings[sizes[0]]?.first,
            let great = row.timings[sizes[sizes.count - 1]]?.first
        else { return nil }
        return great.median / small.median
    }

    private func ratio(_ row: Row, at size: Int) -> Double? {
        guard let timings = row.timings[size], timings.count > 1 else { return nil }
        return timings[1].median / timings[0].median
    }
}

private func times(_ ratio: Double) -> String {
    ratio < 10 ? String(format: "%.1f×", ratio) : grouped(Int(ratio)) + "×"
}

private func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1_000: String(format: "%.0f ns", nanoseconds)
    case ..<1_000_000: String(format: "%.1f µs", nanoseconds / 1_000)
    default: String(format: "%.1f ms", nanoseconds / 1_000_000)
    }
}

private func bytes(_ bytes: Double) -> String { "\(grouped(Int(bytes))) B" }

private func grouped(_ number: Int) -> String {
    var digits = String(number)
    var end = digits.count - 3
    while end > 0 {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
        end -= 3
    }
    return digits
}
