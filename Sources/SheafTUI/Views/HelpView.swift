import SheafCore
import Terminal

/// `?`: the keys that are valid now, searched by typing.
enum HelpView {
    private static let keyColumns = 16

    static func draw(_ help: Help, _ layout: Layout, on canvas: inout Canvas) {
        let (box, height) = Help.box(in: layout, entries: help.entries.count)
        canvas.fill(box)
        canvas.frame(
            box, title: "Keys", style: Theme.accent, titleStyle: Theme.title)
        guard box.height >= 3 else { return }
        let inner = box.inset()
        canvas.put("› ", at: Point(x: inner.x + 1, y: inner.y), style: Theme.accent)
        canvas.put(
            help.line,
            in: Rect(x: inner.x + 3, y: inner.y, width: inner.width - 4, height: 1),
            style: Theme.text)
        let matches = help.matches
        if help.line.isEmpty {
            canvas.put(
                DisplayText.truncated("type to search", to: inner.width - 4),
                at: Point(x: inner.x + 3, y: inner.y), style: Theme.dim)
        }
        for (offset, entry) in matches.dropFirst(help.top).prefix(height).enumerated() {
            let region = inner.row(offset + 2)
            guard region.y < inner.y + inner.height else { break }
            canvas.put(
                DisplayText.truncated(entry.keys, to: keyColumns - 1),
                at: Point(x: region.x + 1, y: region.y), style: Theme.strong)
            canvas.put(
                DisplayText.truncated(entry.title, to: max(inner.width - keyColumns - 2, 0)),
                at: Point(x: region.x + 1 + keyColumns, y: region.y), style: Theme.text)
        }
        if matches.isEmpty, inner.height > 2 {
            canvas.put(
                DisplayText.truncated("No matching key.", to: inner.width - 2),
                at: Point(x: inner.x + 1, y: inner.y + 2), style: Theme.dim)
        }
        if matches.count > height {
            let shown =
                " \(help.top + 1)–\(min(help.top + height, matches.count)) of \(matches.count) "
            _ = canvas.putRight(
                shown,
                in: Rect(x: box.x, y: box.y + box.height - 1, width: box.width - 2, height: 1),
                style: Theme.dim)
        }
    }
}
