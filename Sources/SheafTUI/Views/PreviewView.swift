import SheafApp
import Terminal

/// A preview of the subject of a question: the first lines of a paste, and the number of lines.
enum PreviewView {
    static func draw(
        _ confirmation: Confirmation, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let lines = confirmation.preview
        guard !lines.isEmpty else { return }
        let rest = confirmation.count - lines.count
        var box = layout.box(
            columns: 60,
            rows: lines.count + (rest > 0 ? 1 : 0) + (confirmation.advice == nil ? 2 : 3))
        // The question may cover lines above the status line.
        if let status = layout.status, let question = StatusQuestion(state) {
            let bottom = status.y - question.linesAbove(status)
            box.y = max(min(box.y, bottom - box.height), 0)
            box.height = min(box.height, bottom - box.y)
        }
        guard box.height >= 3 else { return }
        var inner = canvas.box(box, title: confirmation.title, in: layout)
        let room = max(inner.width - 2, 0)
        if let advice = confirmation.advice, inner.height > 2 {
            inner.height -= 1
            canvas.put(
                DisplayText.truncated(advice, to: room),
                at: Point(x: inner.x + 1, y: inner.y + inner.height), style: Theme.dim)
        }
        let fits = rest == 0 && lines.count <= inner.height
        let shown = lines.prefix(fits ? inner.height : inner.height - 1)
        for (row, line) in shown.enumerated() {
            canvas.put(
                DisplayText.truncated(line, to: room),
                at: Point(x: inner.x + 1, y: inner.y + row), style: Theme.text)
        }
        if shown.count < confirmation.count {
            canvas.put(
                DisplayText.truncated(
                    "… \((confirmation.count - shown.count).grouped) more", to: room),
                at: Point(x: inner.x + 1, y: inner.y + min(shown.count, inner.height - 1)),
                style: Theme.dim)
        }
    }
}
