@_exported import Geometry

/// A list on the screen. The cases are in their order from left to right.
package enum Pane: Hashable, Sendable, CaseIterable {
    case tags, items

    /// The pane's name in its frame, the status line, the help and the guide.
    package var title: String {
        switch self {
        case .tags: "Tags"
        case .items: "Items"
        }
    }

    /// True if the pane's keys act on the chosen tag. Otherwise they act on the selected item.
    package var isAboutTags: Bool { self == .tags }
}

/// The positions of all parts of the screen. The reducer, which keeps the selection visible, and
/// the views, which draw, use the same layout. Pure and O(1).
///
/// If the tags are hidden, one pane is shown at a time, as on a narrow screen. As the terminal
/// shrinks, parts disappear in this order: the inspector, the pane without the focus, the rules
/// above and below the lists, the header, and the status line. At 1x1, one cell of the list
/// remains.
package struct Layout: Hashable, Sendable {
    /// A pane on the screen: its rows, and the frame that also encloses the rules above and below
    /// them. `frame` is nil if the screen is too small for rules.
    package struct List: Hashable, Sendable {
        package var frame: Rect?
        package var rows: Rect
    }

    /// The size of the screen, at least one cell.
    package var size: Size
    package var header: Rect?
    package var tags: List?
    package var items: List?
    /// The line between the two panes, including its ends in the rules.
    package var divider: Rect?
    /// The inspector, if it is open and fits.
    package var inspector: List?
    /// The line between the items and the inspector beside them.
    package var inspectorDivider: Rect?
    package var status: Rect?
    /// The number of rows that each pane shows, at least one, even for a pane that is not on the
    /// screen.
    package var paneRows: Int

    /// The minimum width for both panes.
    package static let twoPaneColumns = 60

    /// The minimum width of the tags pane, and the item width below which the tags pane shrinks.
    private static let minTagColumns = 16
    private static let minItemColumns = 60

    /// The minimum width for the inspector beside the list. On a narrower screen it is below the
    /// list.
    package static let inspectorBesideColumns = 120
    /// The minimum height of the panes for the inspector to fit below them.
    private static let minSharedRows = 10

    package init(
        size: Size, focus: Pane, showsInspector: Bool = false, hidesTags: Bool = false
    ) {
        let size = Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
        self.size = size
        let isFramed = size.rows >= 6 && size.columns >= 24
        let isHeaded = size.rows >= 6
        header = isHeaded ? Rect(x: 0, y: 0, width: size.columns, height: 1) : nil
        status =
            size.rows >= 2 ? Rect(x: 0, y: size.rows - 1, width: size.columns, height: 1) : nil
        let top = isHeaded ? 1 : 0
        var panes = Rect(
            x: 0, y: top, width: size.columns, height: size.rows - top - (status == nil ? 0 : 1))

        func list(_ whole: Rect) -> List {
            isFramed
                ? List(frame: whole, rows: whole.inset(top: 1, bottom: 1))
                : List(frame: nil, rows: whole)
        }
        if showsInspector, isFramed {
            if size.columns >= Self.inspectorBesideColumns {
                let width = min(max(size.columns / 3, 42), 72)
                panes = panes.inset(right: width + 1)
                inspectorDivider = Rect(x: panes.maxX, y: top, width: 1, height: panes.height)
                inspector = list(
                    Rect(x: panes.maxX + 1, y: top, width: width, height: panes.height))
            } else if panes.height >= Self.minSharedRows {
                // The lower rule of the panes is the upper rule of the inspector.
                let height = panes.height * 2 / 5
                panes = panes.inset(bottom: height - 1)
                inspector = list(
                    Rect(x: 0, y: panes.maxY - 1, width: size.columns, height: height))
            }
        }
        paneRows = max(isFramed ? panes.height - 2 : panes.height, 1)

        if size.columns >= Self.twoPaneColumns, !hidesTags {
            // With the inspector beside the list, item names get their width first.
            let room = panes.width - 1 - Self.minItemColumns
            let tagColumns = max(min(size.columns / 5, 30, room), Self.minTagColumns)
            tags = list(Rect(x: 0, y: top, width: tagColumns, height: panes.height))
            divider = Rect(x: tagColumns, y: top, width: 1, height: panes.height)
            items = list(panes.inset(left: tagColumns + 1))
        } else if focus == .tags {
            tags = list(panes)
        } else {
            items = list(panes)
        }
    }

    /// Creates the layout of `state`.
    package init(_ state: borrowing AppState) {
        self.init(
            size: state.ui.size, focus: state.ui.pane,
            showsInspector: state.ui.inspector.isShown, hidesTags: state.ui.hidesTags)
    }

    /// The number of lines of the write statistics.
    package static let writesRows = 8

    /// The box of the write statistics, above the right end of the status line.
    package var writesBox: Rect {
        let bottom = status?.y ?? size.rows
        let height = min(Self.writesRows + 2, max(bottom - 1, 1))
        let width = min(34, size.columns)
        return Rect(
            x: size.columns - width - (size.columns > width ? 1 : 0),
            y: max(bottom - height - 1, 0), width: width, height: height)
    }

    /// Returns a box below the screen row `row` of the items, or above it if the row is in the
    /// lower half. The box is as large as fits without covering the row.
    package func box(columns: Int, rows: Int, beside row: Int?) -> Rect {
        guard let row, let items else { return box(columns: columns, rows: rows) }
        let list = items.rows
        let bottom = status?.y ?? size.rows
        let isBelow = (row - list.y) * 2 < list.height
        let room = isBelow ? bottom - row - 1 : row - (items.frame ?? list).y
        guard room > 0 else { return box(columns: columns, rows: rows) }
        let width = min(columns, size.columns)
        let height = min(rows, room)
        return Rect(
            x: max(min(list.x + 2, size.columns - width), 0), y: isBelow ? row + 1 : row - height,
            width: width, height: height)
    }

    /// Returns a centered box of the given size, or as large as fits.
    package func box(columns: Int, rows: Int) -> Rect {
        let width = min(columns, size.columns)
        // On a screen of three lines, the box still holds a choice and its search line.
        let height = min(rows, max(size.rows - 2, min(size.rows - 1, 2), 1))
        return Rect(
            x: (size.columns - width) / 2, y: max((size.rows - height) / 2, 0), width: width,
            height: height)
    }

    /// The minimum height to which a box of choices shrinks to keep a row visible.
    private static let minBoxRows = 6

    /// Returns a centered box. If it would cover the screen line `y`, which shows the subject of
    /// the box, returns one above or below that line, where there is more room. If neither side has
    /// enough room, the box stays centered.
    package func box(columns: Int, rows: Int, avoiding y: Int?) -> Rect {
        var box = box(columns: columns, rows: rows)
        guard let y, box.y..<box.maxY ~= y else { return box }
        let bottom = status?.y ?? size.rows
        let (above, below) = (y - (header?.maxY ?? 0), bottom - y - 1)
        let room = max(above, below)
        guard room >= min(box.height, Self.minBoxRows) else { return box }
        box.height = min(box.height, room)
        box.y = below >= above ? y + 1 : y - box.height
        return box
    }
}

extension AppState {
    /// Returns the screen line of the row that keys act on, or nil if it is out of sight.
    package func currentLine(in layout: Layout) -> Int? {
        guard ui.pane.isAboutTags else { return screenLine(ofRow: ui.selectedRow, layout) }
        let place = row(of: chosenRow) - ui.tagScroll.top
        guard let list = layout.tags, 0..<list.rows.height ~= place else { return nil }
        return list.rows.y + place
    }
}
