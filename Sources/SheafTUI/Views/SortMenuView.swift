import SheafApp
import Terminal

/// `s`: the sort orders with their keys, and the current sort order.
enum SortMenuView {
    static func draw(
        _ menu: SortMenu, _ state: AppState, _ keymap: Keymap, _ layout: Layout,
        on canvas: inout Canvas
    ) {
        let sorts = SortMenu.sorts(in: state)
        let box = layout.box(columns: 34, rows: sorts.count + 2)
        let inner = canvas.box(box, title: "Sort by", in: layout)
        let highlighted = menu.row(in: state)
        for (row, region) in ChoiceList.rows(of: sorts.count, highlighted: highlighted, in: inner) {
            draw(
                sorts[row], state, key: keymap.key(for: sorts[row]),
                isHighlighted: row == highlighted, in: region, on: &canvas)
        }
    }

    private static func draw(
        _ sort: ItemSort, _ state: AppState, key: String, isHighlighted: Bool, in region: Rect,
        on canvas: inout Canvas
    ) {
        let rowStyle =
            isHighlighted
            ? ListPane.drawSelection(isFocused: true, in: region, on: &canvas) : { $0 }
        let isShown = sort == state.shownSort ?? .manual
        canvas.put(
            isShown ? "✓" : " ", at: Point(x: region.x + 2, y: region.y),
            style: rowStyle(Theme.good))
        canvas.put(key, at: Point(x: region.x + 4, y: region.y), style: rowStyle(Theme.strong))
        let title =
            isShown && state.ui.viewSettings.isSortReversed ? "\(sort.title), reversed" : sort.title
        canvas.put(
            DisplayText.truncated(title, to: max(region.width - 7, 0)),
            at: Point(x: region.x + 6, y: region.y),
            style: rowStyle(Theme.text))
    }
}
