import SheafCore
import Terminal

/// The right pane: the items that the tag and the filter leave.
///
/// A row is ` ○ name … #tag #tag age`; the tags end where the ages begin, and give way before the
/// name does.
enum ItemListView {
    /// The columns for marker, mark and state before the name.
    private static let nameColumn = 4
    private static let ageColumns = 5

    static func draw(
        _ state: AppState, in list: Layout.List, at moment: Moment, on canvas: inout Canvas
    ) {
        ListPane.drawFrame(of: .items, in: list, state, on: &canvas)
        drawHeading(state, in: list, on: &canvas)
        let rows = ListPane.rows(
            of: state.rows.count, from: state.ui.itemScroll.top, newRow: state.newItemRow, in: list)
        if state.rows.count == 0 && state.newItemRow == nil {
            drawEmpty(state, in: list.rows, on: &canvas)
        }
        for (row, region) in rows {
            if let row {
                let item = state.rows.id(at: row).flatMap { state.items[$0] }
                if let item { draw(item, state, in: region, at: moment, on: &canvas) }
            } else if let draft = state.ui.mode.draft {
                drawNew(draft, state, in: region, on: &canvas)
            }
        }
    }

    /// What the right column shows, above it in the frame, and what the rows are sorted by.
    private static func drawHeading(
        _ state: AppState, in list: Layout.List, on canvas: inout Canvas
    ) {
        guard let frame = list.frame, frame.width >= 40 else { return }
        let heading = " \(state.heading) "
        let region = frame.row(0).inset(right: 1)
        _ = canvas.putRight(
            heading, in: region, style: Theme.frameTitle(focused: state.ui.pane == .items))
    }

    private static func draw(
        _ item: Item, _ state: AppState, in region: Rect, at moment: Moment,
        on canvas: inout Canvas
    ) {
        let isSelected = item.id == state.ui.selectedItem && state.newItemRow == nil
        let isFocused = state.ui.pane == .items
        let style = rowStyle(item, isSelected: isSelected)
        if isSelected {
            ListPane.drawMarker(isFocused: isFocused, in: region, on: &canvas)
        }
        drawState(of: item, state, in: region, on: &canvas)
        var inner = Rect(
            x: region.x + nameColumn, y: region.y, width: region.width - nameColumn - 1, height: 1)
        if region.width >= 40 {
            if let time = item.time(for: state.shownSort) {
                _ = canvas.putRight(moment.age(of: time), in: inner, style: Theme.dim)
            }
            inner.width -= ageColumns + 1
        }
        if let draft = state.ui.mode.draft, draft.target == .renamedItem(item.id) {
            let room = drawTags(of: item, state, in: inner, on: &canvas)
            inner.width = room
            canvas.put(draft.line, in: inner, style: Theme.draft)
            return
        }
        inner.width = drawTags(of: item, state, in: inner, on: &canvas)
        let mark = item.note.isEmpty ? "" : " ≡"
        let name = MarkedText(
            item.name, found: state.foundLetters(in: item.name), showsFound: true)
        let used = name.draw(
            in: max(inner.width - mark.count, 0), at: Point(x: inner.x, y: inner.y), style: style,
            on: &canvas)
        canvas.put(mark, at: Point(x: inner.x + used, y: inner.y), style: Theme.dim)
    }

    private static func drawNew(
        _ draft: Draft, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        ListPane.drawMarker(in: region, on: &canvas)
        canvas.put("○", at: Point(x: region.x + 2, y: region.y), style: Theme.dim)
        var inner = Rect(
            x: region.x + nameColumn, y: region.y, width: region.width - nameColumn - 1, height: 1)
        if region.width >= 40 { inner.width -= ageColumns + 1 }
        if let tag = state.shownTag {
            inner.width = drawTags([tag], state, in: inner, on: &canvas)
        }
        let words = state.typedItem(draft)?.words ?? []
        canvas.put(
            draft.line, in: inner, style: Theme.draft,
            marks: words.map { ($0.place, Theme.draftTag($0.label)) })
    }

    private static func rowStyle(_ item: Item, isSelected: Bool) -> Style {
        if isSelected { return Theme.strong }
        return item.isDone ? Theme.dim : Theme.text
    }

    private static func drawState(
        of item: Item, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        // Refused by storage is not saved, whatever the others are.
        if state.saving.refused.contains(where: { $0.id == AnyID(item.id) }) {
            canvas.put("!", at: Point(x: region.x + 2, y: region.y), style: Theme.alert)
            return
        }
        canvas.put(
            item.isDone ? "✓" : "○", at: Point(x: region.x + 2, y: region.y),
            style: item.isDone ? Theme.good : Theme.dim)
    }

    private static func drawTags(
        of item: Item, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) -> Int {
        item.tags.isEmpty
            ? region.width : drawTags(state.tags(of: item), state, in: region, on: &canvas)
    }

    /// Draws the tags that fit into the last two fifths of the row, one below the other down the
    /// list, and returns the columns left of them.
    private static func drawTags(
        _ tags: [Tag], _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) -> Int {
        let columns = region.width * 2 / 5
        guard columns >= 4, !tags.isEmpty else { return region.width }
        var x = region.x + region.width - columns
        let end = region.x + region.width
        for (index, tag) in tags.enumerated() {
            let isLast = index == tags.count - 1
            let room = end - x - (isLast ? 0 : 2)
            guard room >= 2 else {
                canvas.put("…", at: Point(x: x, y: region.y), style: Theme.dim)
                break
            }
            // Tags are told apart by how they begin.
            let label = MarkedText(
                tag.label, found: state.foundLetters(inLabelOf: tag), showsFound: false)
            x +=
                1
                + label.draw(
                    in: room, at: Point(x: x, y: region.y),
                    style: Style(foreground: Theme.color(tag.color)), on: &canvas)
            if x >= end { break }
        }
        return region.width - columns - 1
    }

    /// What to do where there is nothing to see.
    private static func drawEmpty(
        _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        let canAdd = state.takes(.items(.addRequested(.below)))
        let text =
            if state.list.loading != nil {
                "Loading…"
            } else if state.counts.total == 0 {
                canAdd ? "Nothing here yet. Press a to add the first item." : "Nothing here yet."
            } else if state.showsChosenView {
                "The view finds nothing. Esc leaves it."
            } else if !state.ui.filter.isEmpty {
                "No item matches. Esc clears the query."
            } else if state.ui.hidesDone {
                "Everything here is done. H shows done items."
            } else {
                canAdd ? "No items here. Press a to add one." : "No items here."
            }
        canvas.put(
            DisplayText.truncated(text, to: max(region.width - 3, 0)),
            at: Point(x: region.x + 2, y: region.y + (region.height > 2 ? 1 : 0)), style: Theme.dim)
    }
}
