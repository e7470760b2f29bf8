import SheafCore
import Terminal

/// The right pane: the items that the tag and the filter leave.
///
/// A row is ` ○ (A) name … #tag #tag due age`, and a dot at its end says that it is not saved.
enum ItemListView {
    /// The columns for marker, mark and state before the name.
    private static let nameColumn = 4
    private static let ageColumns = 5
    /// As many as the longest word of ``CalendarDay/dueWord(today:)`` and a gap before the age.
    private static let dueColumns = 10
    /// Narrower rows have no column for due days, for the sake of the names.
    private static let leastDueWidth = 50

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
                if let item {
                    let isMarked = state.isMarked(item.id, at: row)
                    draw(item, isMarked: isMarked, state, in: region, at: moment, on: &canvas)
                }
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
        let showsDue = self.showsDue(state, in: frame)
        let heading = " \(state.heading(showsDue: showsDue)) "
        let region = frame.row(0).inset(right: 1)
        _ = canvas.putRight(
            heading, in: region, style: Theme.frameTitle(focused: state.ui.pane == .items))
    }

    private static func draw(
        _ item: Item, isMarked: Bool, _ state: AppState, in region: Rect, at moment: Moment,
        on canvas: inout Canvas
    ) {
        let isSelected = item.id == state.ui.selectedItem && state.newItemRow == nil
        let draft = state.ui.mode.draft.flatMap { draft in
            draft.target == .renamedItem(item.id) ? draft : nil
        }
        var style: (Style) -> Style = { $0 }
        if isSelected {
            // What is typed stands in its own field, without the tint.
            if draft != nil {
                ListPane.drawMarker(in: region, on: &canvas)
            } else {
                style = ListPane.drawSelection(
                    isFocused: state.ui.pane == .items, in: region, on: &canvas)
            }
        }
        if isMarked {
            canvas.put(
                "*", at: Point(x: region.x + 1, y: region.y), style: style(Theme.waiting))
        }
        drawState(of: item, state, style, in: region, on: &canvas)
        if state.shownSaving.unsaved.contains(item.id) {
            canvas.put(
                "•", at: Point(x: region.maxX - 1, y: region.y), style: style(Theme.dim))
        }
        var inner = inner(of: region, state)
        if showsDue(state, in: region), !item.isDone, let day = item.due {
            let place = region.inset(right: 1 + ageColumns + 2)
            _ = canvas.putRight(
                day.dueWord(today: state.today), in: place,
                style: style(Theme.due(day, today: state.today)))
        }
        if region.width >= 40, let time = item.time(for: state.shownSort) {
            let ages = region.inset(right: 1)
            _ = canvas.putRight(moment.age(of: time), in: ages, style: style(Theme.dim))
        }
        if draft == nil { drawPriority(of: item, in: &inner, style, on: &canvas) }
        let mark = item.note.isEmpty ? "" : " ≡"
        let taken =
            draft.map { columns(of: $0, upTo: inner.width) }
            ?? DisplayText.width(of: item.name, upTo: inner.width) + mark.count
        if !item.tags.isEmpty {
            let tags = RowTags(state.tags(of: item), in: inner.width, beside: taken)
            // Colours are for what is still to be done.
            let isQuiet = item.isDone && !isSelected
            tags.draw(
                state, in: inner, style: { isQuiet ? Theme.dim : style($0) }, on: &canvas)
            inner.width = tags.room(in: inner.width)
        }
        if let draft { return canvas.put(draft.line, in: inner, style: Theme.draft) }
        let name = MarkedText(
            item.name, found: state.foundLetters(in: item.name), showsFound: true)
        let used = name.draw(
            in: max(inner.width - mark.count, 0), at: inner.origin,
            style: style(nameStyle(item, isSelected: isSelected)), on: &canvas)
        canvas.put(mark, at: Point(x: inner.x + used, y: inner.y), style: style(Theme.dim))
    }

    /// The columns of a row for name and tags.
    private static func inner(of region: Rect, _ state: AppState) -> Rect {
        let due = showsDue(state, in: region) ? dueColumns : 0
        return region.inset(
            left: nameColumn, right: region.width >= 40 ? ageColumns + 2 + due : 1)
    }

    /// Whether rows of that width have a column for due days: where there are any.
    private static func showsDue(_ state: AppState, in region: Rect) -> Bool {
        state.hasDueItems && region.width >= leastDueWidth
    }

    /// The priority before the name, where that has room beside it.
    private static func drawPriority(
        of item: Item, in inner: inout Rect, _ style: (Style) -> Style, on canvas: inout Canvas
    ) {
        guard let priority = item.priority, inner.width >= 24 else { return }
        let text = "(\(priority)) "
        canvas.put(
            text, at: inner.origin, style: style(item.isDone ? Theme.dim : Theme.accent))
        inner = inner.inset(left: text.count)
    }

    /// The columns that a line takes with its caret at the end, or `columns` if it takes more.
    private static func columns(of draft: Draft, upTo columns: Int) -> Int {
        min(DisplayText.width(of: draft.line.text, upTo: columns) + 1, columns)
    }

    private static func drawNew(
        _ draft: Draft, _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        ListPane.drawMarker(in: region, on: &canvas)
        canvas.put("○", at: Point(x: region.x + 2, y: region.y))
        var inner = inner(of: region, state)
        if let tag = state.shownTag {
            let tags = RowTags(
                [tag], in: inner.width, beside: columns(of: draft, upTo: inner.width))
            tags.draw(state, in: inner, style: { $0 }, on: &canvas)
            inner.width = tags.room(in: inner.width)
        }
        let words = state.typedItem(draft)?.words ?? []
        canvas.put(
            draft.line, in: inner, style: Theme.draft,
            marks: words.map { ($0.place, Theme.draftTag($0.label)) })
    }

    private static func nameStyle(_ item: Item, isSelected: Bool) -> Style {
        if isSelected { return Theme.strong }
        return item.isDone ? Theme.dim : Theme.text
    }

    private static func drawState(
        of item: Item, _ state: AppState, _ style: (Style) -> Style, in region: Rect,
        on canvas: inout Canvas
    ) {
        let place = Point(x: region.x + 2, y: region.y)
        // Refused by storage is not saved, whatever the others are.
        if state.saving.refused.contains(where: { $0.id == AnyID(item.id) }) {
            canvas.put("!", at: place, style: style(Theme.alert))
        } else {
            canvas.put(
                item.isDone ? "✓" : "○", at: place,
                style: style(item.isDone ? Theme.good : Theme.text))
        }
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
