/// The row of a list that is at the top of its pane.
package struct ScrollPosition: Hashable, Sendable {
    package private(set) var top = 0
    /// True if the scroll position does not follow the selection, which may be out of sight.
    var isAway = false

    package init() {}

    /// Scrolls as little as possible so that `row` is visible in a pane of `height` rows, which
    /// shows a list of `count` rows. Leaves no empty rows at the end if the list can fill them.
    package mutating func reveal(_ row: Int?, height: Int, count: Int) {
        reveal(row, from: (row ?? 0) - height + 1, last: count - height)
    }

    /// Scrolls as little as possible so that `row` is visible in a pane that also has headings.
    /// `first` is the minimum top row for which `row` is visible. `last` is the maximum top row
    /// that leaves no empty lines at the end.
    mutating func reveal(_ row: Int?, from first: Int, last: Int) {
        if let row { top = min(max(top, first), row) }
        top = max(min(top, last), 0)
    }

    /// Scrolls by `rows`, such as a page, up to the top row `last`.
    package mutating func scroll(by rows: Int, last: Int) {
        top = max(min(top + rows, last), 0)
    }

    /// Returns the visible row nearest to `row`, if `height` rows are visible.
    func visibleRow(_ row: Int, height: Int) -> Int { max(top, min(row, top + height - 1)) }
}
