import SheafCore
import Terminal

/// The left pane: all items, those without a tag, and each tag with its count.
enum TagListView {
    static func draw(_ state: AppState, in list: Layout.List, on canvas: inout Canvas) {
        let isFocused = state.ui.pane == .tags
        if let frame = list.frame {
            canvas.frame(
                frame, title: "Tags", style: Theme.frame(focused: isFocused),
                titleStyle: Theme.frameTitle(focused: isFocused))
        }
        let newRow = state.newTagRow
        let count = state.tagRowCount + (newRow == nil ? 0 : 1)
        let top = state.ui.tagScroll.top
        for offset in 0..<max(min(list.rows.height, count - top), 0) {
            let row = top + offset
            let region = list.rows.row(offset)
            if row == newRow, let draft = state.ui.mode.draft {
                drawDraft(draft, nil, in: region, on: &canvas)
            } else {
                let shift = newRow.map { row > $0 ? 1 : 0 } ?? 0
                draw(state.tagChoice(at: row - shift), state, isFocused, in: region, on: &canvas)
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
            case .all: ("All", state.counts.total)
            case .untagged: ("Untagged", state.counts.ungrouped)
            case .tag(let id): (tag?.name ?? "", state.counts[id])
            }
        let style =
            isChosen ? Theme.strong : tag == nil || count > 0 ? Theme.text : Theme.dim
        if isChosen { drawMarker(isFocused, in: region, on: &canvas) }
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
        drawMarker(true, in: region, on: &canvas)
        drawDot(of: tag, in: region, on: &canvas)
        canvas.put(
            draft.line,
            in: Rect(x: region.x + 4, y: region.y, width: region.width - 5, height: 1),
            style: Theme.draft)
    }

    private static func drawMarker(_ isFocused: Bool, in region: Rect, on canvas: inout Canvas) {
        canvas.put(
            "▌", at: Point(x: region.x, y: region.y),
            style: isFocused ? Theme.title : Theme.dim)
    }

    private static func drawDot(of tag: Tag?, in region: Rect, on canvas: inout Canvas) {
        guard let tag else { return }
        canvas.put(
            "●", at: Point(x: region.x + 2, y: region.y),
            style: Style(foreground: Theme.color(tag.color)))
    }

    private static func nameColumn(_ tag: Tag?) -> Int { tag == nil ? 2 : 4 }
}
