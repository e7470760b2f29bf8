import SheafApp
import Terminal

/// The common parts of panes: rules above and below, and rows. One row has the marker, and one may
/// be a new row that the user is typing.
enum ListPane {
    /// Draws the rule above the pane, with its title, and the rule below.
    static func drawFrame(
        of pane: Pane, in list: Layout.List, _ state: AppState, on canvas: inout Canvas
    ) {
        drawFrame(pane.title, isFocused: state.ui.pane == pane, in: list, on: &canvas)
    }

    /// Draws the same rules for a region that is not a pane.
    static func drawFrame(
        _ title: String, isFocused: Bool, in list: Layout.List, on canvas: inout Canvas
    ) {
        guard let frame = list.frame else { return }
        canvas.fill(frame.row(0), with: "─", style: Theme.frame(focused: isFocused))
        canvas.fill(frame.row(frame.height - 1), with: "─", style: Theme.dim)
        canvas.put(
            " \(DisplayText.truncated(title, to: frame.width - 3)) ",
            at: Point(x: frame.x + 1, y: frame.y), style: Theme.frameTitle(focused: isFocused))
    }

    /// Returns the part of the rule that follows a title, if the title is not cut. One more column
    /// of the rule remains on either side.
    static func besideTitle(_ title: String, in frame: Rect) -> Rect {
        frame.row(0).inset(left: DisplayText.width(of: title) + 4, right: 1)
    }

    /// Draws the lines between the panes and the inspector, which join the rules above and below.
    static func drawDividers(_ layout: Layout, on canvas: inout Canvas) {
        for divider in [layout.divider, layout.inspectorDivider].compactMap(\.self) {
            canvas.fill(divider, with: "│", style: Theme.dim)
            guard layout.items?.frame != nil else { continue }
            canvas.put("┬", at: divider.origin, style: Theme.dim)
            canvas.put("┴", at: Point(x: divider.x, y: divider.maxY - 1), style: Theme.dim)
        }
    }

    /// Returns the visible rows of a list of `count` rows that is scrolled to `top`, and their
    /// regions. The new row that the user is typing is at `newRow`; it has no index in the list, so
    /// its `row` is `nil`. O(visible rows).
    static func rows(
        of count: Int, from top: Int, newRow: Int? = nil, in list: Layout.List
    ) -> [(row: Int?, region: Rect)] {
        let last = min(top + list.rows.height, count + (newRow == nil ? 0 : 1))
        return (top..<max(last, top)).map { row in
            let region = list.rows.row(row - top)
            guard let newRow else { return (row, region) }
            return (row == newRow ? nil : row > newRow ? row - 1 : row, region)
        }
    }

    /// Draws the marker of a selected row and, if the pane has the focus, tints the rest of the
    /// row.
    ///
    /// - Returns: a function that converts a style for use on this row.
    static func drawSelection(
        isFocused: Bool, in region: Rect, on canvas: inout Canvas
    ) -> (Style) -> Style {
        drawMarker(isFocused: isFocused, in: region, on: &canvas)
        guard isFocused else { return { $0 } }
        canvas.fill(region.inset(left: 1), style: Theme.selected)
        return Theme.selected
    }

    /// Draws the marker of the selected row.
    static func drawMarker(isFocused: Bool = true, in region: Rect, on canvas: inout Canvas) {
        canvas.put(
            "▌", at: Point(x: region.x, y: region.y),
            style: isFocused ? Theme.accent : Theme.dim)
        if isFocused { canvas.hiddenCursor = region.origin }
    }
}
