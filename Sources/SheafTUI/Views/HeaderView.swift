import SheafApp
import Terminal

/// The first line: the name of the list, the number of visible items, and the filters in effect.
enum HeaderView {
    /// The minimum width at which the line shows the name of the program.
    private static let minTitleWidth = 60
    /// The columns that must remain for the list's name and a gap: `needed` to show the number of
    /// late items beside that of all items, `spared` to add the number of scheduled items.
    private static let nameColumns = (spared: 22, needed: 9)

    static func draw(_ state: AppState, in region: Rect, on canvas: inout Canvas) {
        var x = region.x + 1
        if region.width >= minTitleWidth {
            x += canvas.put("sheaf", at: Point(x: x, y: region.y), style: Theme.title) + 3
        }
        let right = Rect(x: x, y: region.y, width: region.width - x - 1, height: 1)
        let query = query(of: state)
        var room = right.width
        if !query.isEmpty {
            room = canvas.putRight(
                DisplayText.truncated(query, to: max(right.width / 2, 0)), in: right,
                style: Theme.accent)
            room -= 3
        }
        room = drawCounts(
            state, in: Rect(x: x, y: region.y, width: max(room, 0), height: 1), on: &canvas)
        guard room > 0 else { return }
        x += canvas.put(
            DisplayText.truncated(state.list.name, to: room), at: Point(x: x, y: region.y),
            style: Theme.strong)
        if state.list.readOnlyReason != nil, room > DisplayText.width(of: state.list.name) + 13 {
            canvas.put("read-only", at: Point(x: x + 3, y: region.y), style: Theme.alert)
        }
    }

    /// Draws the counts of items, and returns the number of columns left before them.
    private static func drawCounts(
        _ state: AppState, in region: Rect, on canvas: inout Canvas
    ) -> Int {
        var parts = [(count(of: state), Theme.text)]
        if state.lateCount > 0 { parts.append(("\(state.lateCount.grouped) late", Theme.alert)) }
        func width() -> Int { parts.reduce(-3) { $0 + 3 + DisplayText.width(of: $1.0) } }
        if parts.count > 1, width() + nameColumns.needed > region.width {
            // The number of late items is more useful than that of all items.
            parts.remove(at: state.list.loading == nil ? 0 : 1)
        }
        if state.scheduledCount > 0 {
            parts.append(("\(state.scheduledCount.grouped) scheduled", Theme.dim))
            if width() + nameColumns.spared > region.width { parts.removeLast() }
        }
        guard parts.count > 1 else {
            return canvas.putRight(parts[0].0, in: region, style: parts[0].1) - 2
        }
        var place = Point(x: region.maxX - width(), y: region.y)
        let left = place.x - region.x - 2
        for (index, part) in parts.enumerated() {
            if index > 0 { place.x += canvas.put(" · ", at: place, style: Theme.dim) }
            place.x += canvas.put(part.0, at: place, style: part.1)
        }
        return left
    }

    private static func count(of state: AppState) -> String {
        if let loading = state.list.loading {
            if let obstacle = loading.obstacle { return "loading… \(obstacle)" }
            let total = loading.total > 0 ? " of \(loading.total.grouped)" : ""
            return "loading \(state.items.count.grouped)\(total)"
        }
        // Like the number beside “All” in the tags pane, this number excludes items that are hidden
        // until their day. If one of them is selected, its row is visible, so there may be more
        // rows.
        let all = max(state.totals.tags.total - state.scheduledCount, state.rows.count)
        if state.list.isPartial { return all == 0 ? "not read" : "partly read" }
        if state.showsAll { return all == 0 ? "empty" : "\(state.openCount.grouped) open" }
        return state.rows.matchCount == all
            ? "\(all.grouped) \(all == 1 ? "item" : "items")"
            : "\(state.rows.matchCount.grouped) of \(all.grouped)"
    }

    /// Returns the name of the chosen view, or the query if it differs from the view's:
    /// `#swift vapor is:open`. The tag and `H` add only terms that the typed query lacks. While the
    /// typed query has an error, the rows are those of the last valid query.
    private static func query(of state: AppState) -> String {
        if let view = state.selectedView, state.showsChosenView {
            return "“\(DisplayText.sanitized(view.name))”"
        }
        let hasFault = state.query.error != nil
        let isTyped = if case .filter = state.ui.mode { true } else { false }
        let filter = hasFault && isTyped ? state.query.understood : state.ui.viewSettings.filter
        let search = hasFault && !isTyped ? .everything : state.query.search
        var parts: [String] = []
        switch state.ui.viewSettings.tagChoice {
        case .all: break
        case .untagged: if !search.asks(for: .state(.untagged)) { parts.append("is:untagged") }
        case .tag(let id):
            if let tag = state.tags[id], !search.asks(for: .tag(id)) { parts.append(tag.label) }
        }
        let query = parts.count
        if !filter.isEmpty { parts.append(DisplayText.sanitized(filter)) }
        if state.ui.viewSettings.hidesDone, !search.asks(for: .state(.open)) {
            parts.append("is:open")
        }
        if parts.count > 1, !filter.isEmpty, state.query.isAlternatives {
            parts[query] = "(\(parts[query]))"
        }
        return parts.joined(separator: " ")
    }
}
