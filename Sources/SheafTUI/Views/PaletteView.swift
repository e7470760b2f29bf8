import SheafCore
import Terminal

/// `:`: the actions that what was typed leaves, each with its keys, or dimmed with the reason why
/// it cannot be done now.
enum PaletteView {
    static func draw(
        _ palette: Palette, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let rows = palette.rows(in: state)
        let box = palette.box(in: layout, of: state)
        let inner = canvas.box(box, title: title(of: palette))
        canvas.put("› ", at: Point(x: inner.x + 1, y: inner.y), style: Theme.accent)
        canvas.put(
            palette.line,
            in: Rect(x: inner.x + 3, y: inner.y, width: inner.width - 4, height: 1),
            style: Theme.text)
        let height = max(inner.height - 1, 0)
        var scroll = ScrollPosition()
        scroll.reveal(palette.highlightedRow, height: height, count: rows.count)
        for offset in 0..<max(min(height, rows.count - scroll.top), 0) {
            let row = scroll.top + offset
            draw(
                rows[row], isHighlighted: row == palette.highlightedRow,
                in: inner.row(offset + 1), on: &canvas)
        }
        if rows.isEmpty, height > 0 {
            canvas.put(
                DisplayText.truncated("Nothing of that name.", to: inner.width - 2),
                at: Point(x: inner.x + 1, y: inner.y + 1), style: Theme.dim)
        }
    }

    private static func title(of palette: Palette) -> String {
        switch palette.choices {
        case .actions: "Actions"
        case .argument(.rowNumber): "Go to row"
        case .argument(.savedView): "Saved view"
        }
    }

    /// The reason goes first where there is too little room, the name last.
    private static func draw(
        _ row: Palette.Row, isHighlighted: Bool, in region: Rect, on canvas: inout Canvas
    ) {
        let look =
            isHighlighted
            ? ListPane.drawSelection(isFocused: true, in: region, on: &canvas) : { $0 }
        var inner = region.inset(left: 2, right: 1)
        if !row.keys.isEmpty, inner.width > DisplayText.width(of: row.keys) + 12 {
            inner.width =
                canvas.putRight(
                    row.keys, in: inner,
                    style: look(row.obstacle == nil ? Theme.strong : Theme.dim)) - 2
        }
        let style = look(row.obstacle != nil || row.action == nil ? Theme.dim : Theme.text)
        let used = MarkedText(row.name, found: row.found, showsFound: true)
            .draw(in: inner.width, at: inner.origin, style: style, on: &canvas)
        guard let obstacle = row.obstacle, inner.width - used > 12 else { return }
        canvas.put(
            DisplayText.truncated(" · \(obstacle)", to: inner.width - used),
            at: Point(x: inner.x + used, y: inner.y), style: look(Theme.dim))
    }
}
