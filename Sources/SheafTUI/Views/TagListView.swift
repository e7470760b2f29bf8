import SheafApp
import Terminal

/// The left pane: the saved views with the numbers that choose them, then all items, those without
/// a tag, and each tag with its count.
enum TagListView {
    /// The sign before a name, in a separate column.
    private enum Sign {
        case none, number(Int), dot(TagColor)
    }

    static func draw(_ state: AppState, in list: Layout.List, on canvas: inout Canvas) {
        ListPane.drawFrame(of: .tags, in: list, state, on: &canvas)
        let rows = ListPane.rows(
            of: state.tagRowCount, from: state.ui.tagScroll.top, newRow: state.newTagRow, in: list)
        for (row, region) in rows {
            if let row {
                draw(row, state, in: region, on: &canvas)
            } else if let draft = state.ui.mode.draft {
                let isView = draft.target == .newView
                drawDraft(
                    draft, isView ? .number(state.views.count + 1) : .none, in: region, on: &canvas)
            }
        }
    }

    private static func draw(
        _ row: Int, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        switch state.tagPaneRow(at: row) {
        case .view(let id): draw(id, at: row, state, in: region, on: &canvas)
        case .choice(let choice): draw(choice, state, in: region, on: &canvas)
        }
    }

    /// Draws a saved view. Its count is known only while the view is shown. If the screen shows
    /// other items than the chosen view, a star replaces the count.
    private static func draw(
        _ id: SavedView.ID, at row: Int, _ state: AppState, in region: Rect,
        on canvas: inout Canvas
    ) {
        let sign = Sign.number(row + 1)
        if let draft = state.ui.mode.draft, draft.target == .renamedView(id) {
            return drawDraft(draft, sign, in: region, on: &canvas)
        }
        let isChosen = isChosen(.view(id), state)
        let mark =
            state.chosenRow != .view(id)
            ? "" : state.showsChosenView ? state.rows.count.grouped : "*"
        drawName(
            state.views[id]?.name ?? "", sign, beside: mark,
            style: isChosen ? Theme.strong : Theme.text, isChosen ? state : nil, in: region,
            on: &canvas)
    }

    private static func draw(
        _ choice: TagChoice, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        var tag: Tag?
        if case .tag(let id) = choice { tag = state.tags[id] }
        let sign = tag.map { Sign.dot($0.color) } ?? .none
        if let draft = state.ui.mode.draft, let tag, draft.target == .renamedTag(tag.id) {
            return drawDraft(draft, sign, in: region, on: &canvas)
        }
        let (name, count) =
            switch choice {
            case .all: ("All", state.rows.counts.total)
            case .untagged: ("Untagged", state.rows.counts.untagged)
            case .tag(let id): (tag?.name ?? "", state.rows.counts[id])
            }
        let isChosen = isChosen(.choice(choice), state)
        let style =
            isChosen ? Theme.strong : tag == nil || count > 0 ? Theme.text : Theme.dim
        drawName(
            name, sign, beside: count.grouped, style: style, isChosen ? state : nil, in: region,
            on: &canvas)
    }

    /// Returns true if the row has the marker. While the user types a new row, only that row has
    /// the marker.
    private static func isChosen(_ row: TagPaneRow, _ state: AppState) -> Bool {
        row == state.chosenRow && state.newTagRow == nil
    }

    /// - Parameter state: the state if the row is the chosen one, else `nil`.
    private static func drawName(
        _ name: String, _ sign: Sign, beside mark: String, style: Style, _ state: AppState?,
        in region: Rect, on canvas: inout Canvas
    ) {
        let rowStyle =
            state.map {
                ListPane.drawSelection(isFocused: $0.ui.pane == .tags, in: region, on: &canvas)
            } ?? { $0 }
        let style = rowStyle(style)
        let inset = draw(sign, rowStyle, in: region, on: &canvas)
        let inner = Rect(
            x: region.x + inset, y: region.y, width: region.width - inset - 1, height: 1)
        let room = canvas.putRight(mark, in: inner, style: state == nil ? Theme.dim : style)
        canvas.put(
            DisplayText.truncated(name, to: max(room - 1, 0)),
            at: Point(x: inner.x, y: inner.y), style: style)
    }

    private static func drawDraft(
        _ draft: Draft, _ sign: Sign, in region: Rect, on canvas: inout Canvas
    ) {
        ListPane.drawMarker(in: region, on: &canvas)
        _ = draw(sign, { $0 }, in: region, on: &canvas)
        canvas.put(
            draft.line,
            in: Rect(x: region.x + 4, y: region.y, width: region.width - 5, height: 1),
            style: Theme.draft)
    }

    /// Draws `sign` and returns the column of the name after it.
    private static func draw(
        _ sign: Sign, _ style: (Style) -> Style, in region: Rect, on canvas: inout Canvas
    ) -> Int {
        let place = Point(x: region.x + 2, y: region.y)
        switch sign {
        case .none: return 2
        case .number(let number):
            // Only the first nine views have a key.
            canvas.put(number <= 9 ? String(number) : "·", at: place, style: style(Theme.dim))
        case .dot(let color):
            canvas.put("●", at: place, style: style(Style(foreground: Theme.color(color))))
        }
        return 4
    }
}
