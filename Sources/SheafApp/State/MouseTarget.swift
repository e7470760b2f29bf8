import SheafList

/// What lies under the pointer. A row is what it stands for, never a number: a report that waits
/// with the keys before it is about what the user saw.
public enum MouseTarget: Hashable, Sendable {
    case item(Item.ID)
    case tagRow(TagPaneRow)
    /// A pane, where it has no row.
    case pane(Pane)
    /// Neither: the header, the status line, a box above the panes, nothing of the screen at all.
    case nothing

    /// The pane that it belongs to.
    var pane: Pane? {
        switch self {
        case .item: .items
        case .tagRow: .tags
        case .pane(let pane): pane
        case .nothing: nil
        }
    }
}

extension AppState {
    /// The row of the screen on which an item stands, or nil if it is not in sight. O(log n).
    public func screenRow(of item: Item.ID) -> Int? {
        rows.row(of: item).flatMap { screenLine(ofRow: $0, Layout(self)) }
    }

    /// What lies at a cell of the screen as it is drawn now. O(log n).
    public func mouseTarget(at point: Point) -> MouseTarget {
        let layout = Layout(self)
        if ui.showsWrites, layout.writesBox.contains(point) { return .nothing }
        if let list = layout.tags, list.contains(point) {
            let row = list.row(at: point, from: ui.tagScroll.top, newRow: newTagRow)
            return row.flatMap { $0 < tagRowCount ? .tagRow(tagPaneRow(at: $0)) : nil }
                ?? .pane(.tags)
        }
        if let list = layout.items, list.contains(point) {
            let lines = list.rows.contains(point) ? itemLines(layout) : []
            let line = point.y - list.rows.y
            guard lines.indices.contains(line), case .row(let row) = lines[line] else {
                return .pane(.items)
            }
            return rows.id(at: row).map { .item($0) } ?? .pane(.items)
        }
        return .nothing
    }
}

extension Layout.List {
    fileprivate func contains(_ point: Point) -> Bool { (frame ?? rows).contains(point) }

    /// The row of the list at `point`, which may be none of those that it has: nil in the frame,
    /// and in the row that is being typed.
    fileprivate func row(at point: Point, from top: Int, newRow: Int?) -> Int? {
        guard rows.contains(point) else { return nil }
        let row = top + point.y - rows.y
        guard let newRow, row >= newRow else { return row }
        return row == newRow ? nil : row - 1
    }
}
