import SheafCore
import Terminal

/// The items' rows of the last frame: in the next one, those that look the same are copied,
/// wherever they have moved to. A step of the cursor changes two of forty.
public struct DrawnRows {
    /// By reference: forty of them go from frame to frame.
    private final class Drawn {
        let row: ItemRow
        let cells: [Cell]

        init(row: ItemRow, cells: [Cell]) {
            self.row = row
            self.cells = cells
        }
    }

    private var before: [Item.ID: Drawn] = [:]
    private var now: [Item.ID: Drawn] = [:]

    public init() {}

    mutating func beginFrame() {
        swap(&before, &now)
        now.removeAll(keepingCapacity: true)
    }

    mutating func draw(_ row: ItemRow, in region: Rect, on canvas: inout Canvas) {
        // These two also place the cursor.
        guard !row.isSelected, row.line == nil, canvas.bounds.intersection(region) == region
        else {
            return row.draw(in: region, on: &canvas)
        }
        if let drawn = before[row.item.id], drawn.row == row {
            canvas.put(drawn.cells, at: region.origin)
            now[row.item.id] = drawn
        } else {
            row.draw(in: region, on: &canvas)
            now[row.item.id] = Drawn(row: row, cells: canvas.cells(of: region))
        }
    }
}
