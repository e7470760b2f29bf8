import SheafApp
import Terminal

/// `:`: the actions that match the typed text. Each has its keys, or is dimmed and has the reason
/// why it is unavailable now.
enum PaletteView {
    static func draw(
        _ palette: Palette, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let rows = palette.rows(in: state)
        let box = palette.box(in: layout, of: state)
        let inner = canvas.box(box, title: title(of: palette), in: layout, minRows: 2)
        let (line, list) = ChoiceList.parts(of: inner)
        ChoiceList.draw(palette.line, in: line, on: &canvas)
        for (row, region) in ChoiceList.rows(
            of: rows.count, highlighted: palette.highlightedRow, in: list)
        {
            draw(
                rows[row], isHighlighted: row == palette.highlightedRow, in: region,
                on: &canvas)
        }
        if rows.isEmpty, list.height > 0 {
            canvas.put(
                DisplayText.truncated("No match", to: list.width - 2),
                at: Point(x: list.x + 1, y: list.y), style: Theme.dim)
        }
    }

    private static func title(of palette: Palette) -> String {
        switch palette.choices {
        case .actions: "Commands"
        case .argument(.rowNumber): "Go to row"
        case .argument(.savedView): "Saved view"
        case .argument(.priority): "Priority"
        }
    }

    /// Draws a row. If there is too little room, the reason is omitted first and the name last.
    private static func draw(
        _ row: Palette.Row, isHighlighted: Bool, in region: Rect, on canvas: inout Canvas
    ) {
        let rowStyle =
            isHighlighted
            ? ListPane.drawSelection(isFocused: true, in: region, on: &canvas) : { $0 }
        var inner = region.inset(left: 2, right: 1)
        if !row.keys.isEmpty, inner.width > DisplayText.width(of: row.keys) + 12 {
            inner.width =
                canvas.putRight(
                    row.keys, in: inner,
                    style: rowStyle(row.obstacle == nil ? Theme.strong : Theme.dim)) - 2
        }
        let style = rowStyle(row.obstacle != nil || row.action == nil ? Theme.dim : Theme.text)
        let used = MarkedText(row.name, found: row.found, showsFound: true)
            .draw(in: inner.width, at: inner.origin, style: style, on: &canvas)
        guard let obstacle = row.obstacle, inner.width - used > 12 else { return }
        canvas.put(
            DisplayText.truncated(" · \(obstacle)", to: inner.width - used),
            at: Point(x: inner.x + used, y: inner.y), style: rowStyle(Theme.dim))
    }
}
