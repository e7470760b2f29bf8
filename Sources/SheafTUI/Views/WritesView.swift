import SheafApp
import Terminal

/// `W`: a live view of changes on their way to storage, beside the list, which stays editable.
enum WritesView {
    static func draw(
        _ state: AppState, _ layout: Layout, at moment: Moment, on canvas: inout Canvas
    ) {
        let status = state.saving
        let counters = status.counters
        let (edits, writes) = (counters.changes, counters.batches)
        let rows: [(label: String, value: String)] = [
            (
                "\(edits.grouped) edit\(edits == 1 ? "" : "s") became"
                    + " \(writes.grouped) write\(writes == 1 ? "" : "s")", ""
            ),
            ("committed", counters.rows.grouped),
            ("pending", status.pending.grouped),
            ("next save", next(status, moment)),
            ("in flight", status.inFlight.grouped),
            ("failures", counters.failures.grouped),
            ("retries", counters.retries.grouped),
            ("latency", latency(counters.latencies)),
        ]
        let box = layout.writesBox
        canvas.fill(box)
        canvas.frame(
            box, title: "Writes", style: Theme.accent, titleStyle: Theme.title)
        for (index, row) in rows.prefix(max(box.height - 2, 0)).enumerated() {
            let line = box.inset().row(index)
            let inner = Rect(x: line.x + 1, y: line.y, width: line.width - 2, height: 1)
            canvas.put(row.label, at: Point(x: inner.x, y: inner.y), style: Theme.dim)
            _ = canvas.putRight(row.value, in: inner, style: Theme.text)
        }
    }

    private static func next(_ status: PersistenceStatus, _ moment: Moment) -> String {
        if let instant = status.nextTry ?? status.flushDue {
            return "in \(moment.countdown(to: instant))"
        }
        return status.phase == .saving ? "now" : "—"
    }

    /// Returns the last commits as a sparkline, and the duration of the latest in milliseconds.
    private static func latency(_ latencies: [Duration]) -> String {
        guard let last = latencies.last else { return "—" }
        let bars = Array("▁▂▃▄▅▆▇█")
        let shown = latencies.suffix(12).map(\.milliseconds)
        let highest = max(shown.max() ?? 0, 0.001)
        let line = shown.map { bars[min(Int($0 / highest * 7.99), 7)] }
        let tenths = Int((last.milliseconds * 10).rounded())
        return "\(String(line)) \(tenths / 10).\(tenths % 10) ms"
    }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
