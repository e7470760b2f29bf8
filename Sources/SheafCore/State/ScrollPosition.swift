/// Which row of a list stands at the top of its pane.
public struct ScrollPosition: Hashable, Sendable {
    public private(set) var top = 0

    public init() {}

    /// Moves as little as it takes to have `row` among the `height` rows shown of `count`, and
    /// leaves no empty rows at the end that the list could fill.
    public mutating func reveal(_ row: Int?, height: Int, count: Int) {
        if let row {
            top = min(max(top, row - height + 1), row)
        }
        top = max(min(top, count - height), 0)
    }

    /// Moves by `rows`, as a page does.
    public mutating func scroll(by rows: Int, height: Int, count: Int) {
        top = max(min(top + rows, count - height), 0)
    }

    /// The row nearest to `row` among the `height` rows shown.
    func shown(_ row: Int, height: Int) -> Int { max(top, min(row, top + height - 1)) }
}
