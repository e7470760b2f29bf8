import SheafApp
import Terminal

/// `t`: the tags of the marked items, or of the current item if none is marked. Each tag is on,
/// off, or on for some of the items.
enum TagPickerView {
    static func draw(
        _ picker: TagPicker, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let item = picker.items.count == 1 ? picker.items.first.flatMap { state.items[$0] } : nil
        let rows = picker.rows(in: state)
        let box = layout.box(
            columns: 44, rows: max(min(rows.count, 14), 3) + 3,
            beside: state.ui.selectedItem.flatMap(state.screenRow))
        let inner = canvas.box(
            box,
            title: picker.items.count > 1
                ? picker.itemCount == 1
                    ? "Tags of 1 item" : "Tags of \(picker.itemCount.grouped) items"
                : item.map { "Tags of \($0.name)" } ?? "The item was deleted by another process",
            in: layout, minRows: 2)
        let (line, list) = ChoiceList.parts(of: inner)
        ChoiceList.draw(picker.line, in: line, on: &canvas)
        for (row, region) in ChoiceList.rows(
            of: rows.count, highlighted: picker.highlightedRow, in: list)
        {
            draw(
                rows[row], of: picker, isHighlighted: row == picker.highlightedRow, in: region,
                on: &canvas)
        }
        if rows.isEmpty, list.height > 0 {
            canvas.put(
                DisplayText.truncated(
                    "No tags yet. Type a name to create one.", to: list.width - 2),
                at: Point(x: list.x + 1, y: list.y), style: Theme.dim)
        }
    }

    private static func draw(
        _ row: TagPicker.Row, of picker: TagPicker, isHighlighted: Bool, in region: Rect,
        on canvas: inout Canvas
    ) {
        let rowStyle =
            isHighlighted
            ? ListPane.drawSelection(isFocused: true, in: region, on: &canvas) : { $0 }
        let style = rowStyle(Theme.text)
        let room = max(region.width - 7, 0)
        switch row {
        case .tag(let tag):
            let uses = picker.uses?[tag.id] ?? 0
            canvas.put(
                uses == 0 ? " " : uses == picker.itemCount ? "✓" : "–",
                at: Point(x: region.x + 2, y: region.y), style: rowStyle(Theme.good))
            canvas.put(
                "●", at: Point(x: region.x + 4, y: region.y),
                style: rowStyle(Theme.tag(tag.color)))
            canvas.put(
                DisplayText.truncated(tag.name, to: room),
                at: Point(x: region.x + 6, y: region.y), style: style)
        case .create(let name):
            canvas.put("+", at: Point(x: region.x + 4, y: region.y), style: rowStyle(Theme.accent))
            canvas.put(
                DisplayText.truncated("create “\(name)”", to: room),
                at: Point(x: region.x + 6, y: region.y), style: style)
        }
    }
}
