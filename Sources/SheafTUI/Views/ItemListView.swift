import SheafApp
import Terminal

/// The right pane: the items that match the chosen tag and the filter.
enum ItemListView {
    /// - Parameter drawn: the cached rows of the last frame, replaced by those of this frame.
    static func draw(
        _ state: AppState, _ layout: Layout, in list: Layout.List, at moment: Moment,
        reusing drawn: inout RowCache, on canvas: inout Canvas
    ) {
        ListPane.drawFrame(of: .items, in: list, state, on: &canvas)
        drawHeading(state, in: list, on: &canvas)
        if state.rows.count == 0 && state.newItemRow == nil {
            drawEmpty(state, in: list.rows, on: &canvas)
        }
        drawn.beginFrame(RowCache.Inputs(state, width: list.rows.width))
        let draft = state.ui.mode.draft
        let typed = draft.flatMap(state.typedItem)
        var draftLine: Int?
        for (line, place) in state.itemLines(layout).enumerated() {
            let region = list.rows.row(line)
            switch place {
            case .heading(let heading): draw(heading, in: region, on: &canvas)
            case .row(let row):
                if row != state.ui.selectedRow, drawn.draw(row, in: region, on: &canvas) {
                    continue
                }
                guard let id = state.rows.id(at: row), let item = state.items[id] else {
                    continue
                }
                let isRenamed = draft?.target == .renamedItem(id)
                if isRenamed { draftLine = line }
                let look = ItemRow.of(
                    item, at: row, state, typed: isRenamed ? typed : nil, width: region.width,
                    at: moment)
                drawn.draw(look, at: row, in: region, on: &canvas)
            case .newRow:
                guard let draft else { continue }
                draftLine = line
                drawNew(draft, typed, state, in: region, on: &canvas)
            }
        }
        if let typed, let draftLine {
            drawMeaning(of: typed, at: draftLine, state, in: list.rows, on: &canvas)
        }
    }

    /// Draws the interpretation of a typed text on the line below it, or above it at the end of the
    /// pane.
    private static func drawMeaning(
        of typed: TypedItem, at line: Int, _ state: AppState, in rows: Rect,
        on canvas: inout Canvas
    ) {
        let meanings = state.meanings(of: typed)
        guard !meanings.isEmpty, rows.height > 1 else { return }
        let isBelow = line + 1 < rows.height
        let region = rows.row(isBelow ? line + 1 : line - 1)
        let text = "\(isBelow ? "└" : "┌") \(meanings.joined(separator: " · "))"
        canvas.fill(region)
        canvas.put(
            DisplayText.truncated(text, to: max(region.width - 3, 0)),
            at: Point(x: region.x + 2, y: region.y), style: Theme.dim)
    }

    private static func draw(
        _ heading: DayHeading, in region: Rect, on canvas: inout Canvas
    ) {
        canvas.put(
            heading.title, at: Point(x: region.x + 2, y: region.y),
            style: heading == .late ? Theme.alert : Theme.title, maxColumns: region.width - 2)
    }

    /// Draws the heading of the right column and the sort order in the upper rule.
    private static func drawHeading(
        _ state: AppState, in list: Layout.List, on canvas: inout Canvas
    ) {
        guard let frame = list.frame else { return }
        guard let heading = state.heading(ItemRow.dateColumn(state, width: frame.width)) else {
            return
        }
        let region = ListPane.besideTitle(Pane.items.title, in: frame)
        guard DisplayText.width(of: heading) + 2 <= region.width else { return }
        _ = canvas.putRight(
            " \(heading) ", in: region, style: Theme.frameTitle(focused: state.ui.pane == .items))
    }

    private static func drawNew(
        _ draft: Draft, _ typed: TypedItem?, _ state: AppState, in region: Rect,
        on canvas: inout Canvas
    ) {
        ListPane.drawMarker(in: region, on: &canvas)
        canvas.put("○", at: Point(x: region.x + 2, y: region.y))
        let column = ItemRow.dateColumn(state, width: region.width)
        var inner = ItemRow.inner(of: region, hasDate: column != nil)
        let known = draft.isNewItem ? state.tagsOfNewItems : []
        let line = ItemRow.columns(of: draft.line, upTo: inner.width)
        let tags = TagLabels(known.map { ($0, found: []) }, in: inner.width, beside: line)
        inner.width = tags.room(in: inner.width)
        canvas.put(draft.line, in: inner, style: Theme.draft, marks: Theme.marks(of: typed))
        tags.draw(
            at: Point(x: inner.x + min(line, inner.width), y: inner.y), style: { $0 }, on: &canvas)
    }

    /// Draws advice for the user if no row is visible.
    private static func drawEmpty(
        _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) {
        if state.list.isPartial, state.items.isEmpty, let reason = state.list.readOnlyReason {
            return draw([reason, "Run 'sheaf doctor'."], Theme.alert, in: region, on: &canvas)
        }
        let canAdd = state.takes(.items(.addRequested))
        // In the tags pane, `a` adds a tag.
        let add =
            state.ui.pane == .items ? "Press a to add one." : "Press Enter, then a to add one."
        var escape = "clear the query"
        if case .filter(let filter) = state.ui.mode, !filter.previous.isEmpty {
            escape = "restore the previous query"
        }
        let text: String? =
            if state.list.loading != nil {
                "Loading…"
            } else if state.showsDeletedTag, let tag = state.ui.deletedTag {
                "\(tag.label) was deleted. Press Esc to show all items."
            } else if state.totals.tags.total == 0 {
                canAdd ? "No items yet. \(add)" : "No items yet."
            } else if state.showsChosenView {
                "No items in this view. Press Esc to leave it."
            } else if !state.ui.viewSettings.filter.isEmpty {
                state.hidesMore ? nil : "No items match. Press Esc to \(escape)."
            } else if state.ui.viewSettings.hidesDone, state.scheduledCount == 0 {
                "All items here are done. Press H to show them."
            } else if state.hidesMore {
                nil
            } else {
                canAdd ? "No items here. \(add)" : "No items here."
            }
        let lines = text.map { [$0] } ?? state.reasonForNoMatch(escape: escape)
        let advice = state.ui.viewSettings.filter.isEmpty ? nil : state.query.adviceOnSigns
        draw(lines + [advice].compactMap(\.self), Theme.dim, in: region, on: &canvas)
    }

    private static func draw(
        _ lines: [String], _ style: Style, in region: Rect, on canvas: inout Canvas
    ) {
        let y = region.y + (region.height > 2 ? 1 : 0)
        for (index, line) in lines.enumerated() where y + index < region.maxY {
            canvas.put(
                DisplayText.truncated(line, to: max(region.width - 3, 0)),
                at: Point(x: region.x + 2, y: y + index), style: style)
        }
    }
}

extension AppState {
    /// True if done or scheduled items are hidden, or if the chosen tag narrows the results of a
    /// query.
    fileprivate var hidesMore: Bool {
        ui.viewSettings.hidesDone || scheduledCount > 0
            || shownTag != nil && !ui.viewSettings.filter.isEmpty
    }

    /// Returns the reason why no row is visible, and the keys that show more.
    fileprivate func reasonForNoMatch(escape: String) -> [String] {
        let items = ui.viewSettings.hidesDone ? "open items" : "items"
        let tag = shownTag.map { " with \($0.label)" } ?? ""
        let predicate = ui.viewSettings.filter.isEmpty ? "here" : "match"
        var keys: [String] = []
        if ui.viewSettings.hidesDone { keys.append("H    show done items") }
        if scheduledCount > 0 { keys.append("gH   show scheduled items") }
        if !ui.viewSettings.filter.isEmpty { keys.append("Esc  \(escape)") }
        return ["No \(items)\(tag) \(predicate)."] + keys
    }
}
