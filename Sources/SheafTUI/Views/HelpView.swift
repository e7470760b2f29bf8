import SheafApp
import Terminal

/// `?`: the keys that are valid now, under headings, in two columns if there is room.
enum HelpView {
    private static let keyColumns = 16

    static func draw(_ help: Help, _ layout: Layout, on canvas: inout Canvas) {
        let (box, height) = help.box(in: layout)
        let inner = canvas.box(box, title: "Keys", in: layout)
        guard inner != box else { return }
        if help.isSearching {
            ChoiceList.draw(help.line, in: inner, on: &canvas)
        } else {
            let search = help.line.isEmpty ? "/ search" : "matches for: \(help.line.text)"
            canvas.put(
                DisplayText.truncated(search, to: inner.width - 2),
                at: Point(x: inner.x + 1, y: inner.y), style: Theme.dim)
        }
        let columns = Help.columns(in: layout)
        let rows = help.rows(columns: columns)
        let width = (inner.width - columns + 1) / columns
        for (offset, row) in rows.dropFirst(help.top).prefix(height).enumerated() {
            let y = inner.y + offset + 2
            guard y < inner.maxY else { break }
            for (column, line) in row.enumerated() {
                draw(
                    line,
                    in: Rect(
                        x: inner.x + column * (width + 1), y: y, width: width, height: 1),
                    on: &canvas)
            }
        }
        if rows.isEmpty, inner.height > 2 {
            canvas.put(
                DisplayText.truncated("No matching keys", to: inner.width - 2),
                at: Point(x: inner.x + 1, y: inner.y + 2), style: Theme.dim)
        }
        if rows.count > height {
            let shown =
                " \(help.top + 1)–\(min(help.top + height, rows.count)) of \(rows.count) "
            _ = canvas.putRight(
                shown,
                in: Rect(x: box.x, y: box.y + box.height - 1, width: box.width - 2, height: 1),
                style: Theme.dim)
        }
    }

    private static func draw(_ line: Help.Line, in region: Rect, on canvas: inout Canvas) {
        switch line {
        case .blank: break
        case .heading(let title):
            canvas.put(
                DisplayText.truncated(title, to: region.width - 2),
                at: Point(x: region.x + 1, y: region.y), style: Theme.accent)
        case .entry(let entry):
            canvas.put(
                DisplayText.truncated(entry.keys, to: keyColumns - 1),
                at: Point(x: region.x + 1, y: region.y), style: Theme.strong)
            canvas.put(
                DisplayText.truncated(entry.title, to: max(region.width - keyColumns - 2, 0)),
                at: Point(x: region.x + 1 + keyColumns, y: region.y), style: Theme.text)
        }
    }
}
