import SheafApp
import Swidux
import Terminal

/// A cache of the item rows of the last frame. The next frame copies rows that look the same, even
/// if they have moved. A step of the cursor changes two rows of forty.
package struct RowCache {
    /// The inputs, apart from the selection, that determine the appearance of all rows of a frame.
    /// While they are equal, no row has changed.
    struct Inputs: Equatable {
        private let rows: Int
        private let items: Revision
        private let tags: Revision
        private let marks: Int
        private let search: ItemSearch
        private let sort: ItemSort?
        private let unsaved: Set<Item.ID>
        private let width: Int
        private let showsDue: Bool
        private let today: CalendarDay

        /// Returns `nil` if the state has further inputs, such as authors or a draft, because
        /// comparing these would take longer than drawing.
        init?(_ state: borrowing AppState, width: Int) {
            guard state.authors.isEmpty, state.saving.refused.isEmpty, state.ui.mode.draft == nil,
                state.markedRange == nil
            else { return nil }
            rows = state.rows.changes
            items = state.items.revision
            tags = state.tags.revision
            marks = state.ui.marks.changes
            search = state.shownSearch
            sort = state.shownSort
            unsaved = state.visibleSaveStates.unsaved
            self.width = width
            showsDue = state.hasDueItems
            today = state.today
        }
    }

    /// A row of a frame. It is a class, so that forty rows pass from frame to frame by reference.
    private final class CachedRow {
        let index: Int
        let row: ItemRow
        let cells: [Cell]

        init(index: Int, row: ItemRow, cells: [Cell]) {
            self.index = index
            self.row = row
            self.cells = cells
        }
    }

    /// The cache of the tags pane, which is beside the rows.
    var tags = TagCache()
    /// The rows of the last frame, from the top of the screen down.
    private var before: [CachedRow] = []
    private var now: [CachedRow] = []
    /// The index in `before` of the row that is drawn next if no row has changed.
    private var next = 0
    private var inputs: Inputs?
    private var isUnchanged = false

    package init() {}

    mutating func beginFrame(_ inputs: Inputs?) {
        swap(&before, &now)
        now.removeAll(keepingCapacity: true)
        next = 0
        isUnchanged = inputs != nil && inputs == self.inputs
        self.inputs = inputs
    }

    /// Draws the row at `index` if it is cached, without reading its item. Returns false if it is
    /// not cached. The row must not be selected.
    mutating func draw(
        _ index: Int, in region: Rect, on canvas: inout Canvas
    ) -> Bool {
        guard isUnchanged, canvas.bounds.intersection(region) == region,
            let drawn = drawn({ $0.index == index })
        else { return false }
        canvas.put(drawn.cells, at: region.origin)
        now.append(drawn)
        return true
    }

    mutating func draw(
        _ row: ItemRow, at index: Int, in region: Rect, on canvas: inout Canvas
    ) {
        // Selected and edited rows also place the cursor, so they are not cached.
        guard !row.isSelected, row.line == nil, canvas.bounds.intersection(region) == region
        else {
            return row.draw(in: region, on: &canvas)
        }
        if let drawn = drawn({ $0.row.item.id == row.item.id }), drawn.row == row {
            canvas.put(drawn.cells, at: region.origin)
            now.append(
                drawn.index == index
                    ? drawn : CachedRow(index: index, row: drawn.row, cells: drawn.cells))
        } else {
            row.draw(in: region, on: &canvas)
            now.append(CachedRow(index: index, row: row, cells: canvas.cells(of: region)))
        }
    }

    /// Returns a row of the last frame. Usually this is the row after the one returned before;
    /// otherwise all rows are searched. O(rows of a screen).
    private mutating func drawn(_ isWanted: (CachedRow) -> Bool) -> CachedRow? {
        if next >= before.count || !isWanted(before[next]) {
            guard let place = before.firstIndex(where: isWanted) else { return nil }
            next = place
        }
        next += 1
        return before[next - 1]
    }
}
