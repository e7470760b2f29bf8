import SheafCore
import Terminal

/// The left pane: all items, those without a tag, and each tag with its count.
enum TagListView {
    static func draw(_ state: AppState, in list: Layout.List, on canvas: inout Canvas) {
        let isFocused = state.ui.pane == .tags
        ListPane.drawFrame(of: .tags, in: list, state, on: &canvas)
        let rows = ListPane.rows(
            of: state.tagRowCount, from: state.ui.tagScroll.top, newRow: state.newTagRow, in: list)
        for (row, region) in rows {
            if let row {
                draw(state.tagChoice(at: row), state, isFocused, in: region, on: &canvas)
            } else if let draft = state.ui.mode.draft {
                drawDraft(draft, nil, in: region, on: &canvas)
            }
        }
    }

    private static func draw(
        _ choice: TagChoice, _ state: AppState, _ isFocused: Bool, in region: Rect,
        on canvas: inout Canvas
    ) {
        let isChosen = choice == state.ui.tagChoice && state.newTagRow == nil
        var tag: Tag?
        if case .tag(let id) = choice { tag = state.tags[id] }
        if let draft = state.ui.mode.draft, let tag, draft.target == .renamedTag(tag.id) {
            drawDraft(draft, tag, in: region, on: &canvas)
            return
        }
        let (name, count) =
            switch choice {
            case .all: ("All", state.rows.counts.total)
            case .untagged: ("Untagged", state.rows.counts.untagged)
            case .tag(let id): (tag?.name ?? "", state.rows.counts[id])
            }
        let style =
            isChosen ? Theme.strong : tag == nil || count > 0 ? Theme.text : Theme.dim
        if isChosen { ListPane.drawMarker(isFocused: isFocused, in: region, on: &canvas) }
        drawDot(of: tag, in: region, on: &canvas)
        let inset = nameColumn(tag)
        let inner = Rect(
            x: region.x + inset, y: region.y, width: region.width - inset - 1, height: 1)
        let room = canvas.putRight(String(count), in: inner, style: isChosen ? style : Theme.dim)
        canvas.put(
            DisplayText.truncated(name, to: max(room - 1, 0)),
            at: Point(x: inner.x, y: inner.y), style: style)
    }

    private static func drawDraft(
        _ draft: Draft, _ tag: Tag?, in region: Rect, on canvas: inout Canvas
    ) {
        ListPane.drawMarker(in: region, on: &canvas)
        drawDot(of: tag, in: region, on: &canvas)
        canvas.put(
            draft.line,
            in: Rect(x: region.x + 4, y: region.y, width: region.width - 5, height: 1),
            style: Theme.draft)
    }

    private static func drawDot(of tag: Tag?, in region: Rect, on canvas: inout Canvas) {
        guard let tag else { return }
        canvas.put(
            "●", at: Point(x: region.x + 2, y: region.y),
            style: Style(foreground: Theme.color(tag.color)))
    }

    private static func nameColumn(_ tag: Tag?) -> Int { tag == nil ? 2 : 4 }
}
