/// Which row of a list stands at the top of its pane.
public struct ScrollPosition: Hashable, Sendable {
    public private(set) var top = 0
    /// True if it stays although it leaves the selection out of sight.
    var isAway = false

    public init() {}

    /// Moves as little as it takes to have `row` among the `height` rows shown of `count`, and
    /// leaves no empty rows at the end that the list could fill.
    public mutating func reveal(_ row: Int?, height: Int, count: Int) {
        reveal(row, from: (row ?? 0) - height + 1, last: count - height)
    }

    /// Scrolls as little as possible so that `row` is visible in a pane that also has headings.
    /// `first` is the first row from which all rows up to `row` fit; `last` is the highest top that
    /// leaves no empty lines at the end.
    mutating func reveal(_ row: Int?, from first: Int, last: Int) {
        if let row { top = min(max(top, first), row) }
        top = max(min(top, last), 0)
    }

    /// Moves by `rows`, as a page does, to `last` at most.
    public mutating func scroll(by rows: Int, last: Int) {
        top = max(min(top + rows, last), 0)
    }

    /// The row nearest to `row` among the `height` rows shown.
    func shown(_ row: Int, height: Int) -> Int { max(top, min(row, top + height - 1)) }
}
