@_exported import Geometry

/// One of the lists on the screen, from left to right.
public enum Pane: Hashable, Sendable, CaseIterable {
    case tags, items

    /// Its name in its frame, the status line, the help and the guide.
    public var title: String {
        switch self {
        case .tags: "Tags"
        case .items: "Items"
        }
    }

    /// Whether its keys are about the chosen tag. Otherwise they are about the selected item.
    public var isAboutTags: Bool { self == .tags }
}

/// Where everything goes: the one place that both the reducer, which keeps the selection visible,
/// and the views, which draw, ask. Pure and O(1).
///
/// Where the tags are hidden, one pane is there at a time, as on a narrow screen. As the terminal
/// shrinks, first the inspector goes, then the pane without the focus, then the
/// rules above and below the lists, the header and the status line; one cell of the list is what is
/// left at 1x1.
public struct Layout: Hashable, Sendable {
    /// A list: its rows, and the region that they fill with the rules above and below them, where
    /// it has those.
    public struct List: Hashable, Sendable {
        public var frame: Rect?
        public var rows: Rect
    }

    /// The whole screen: one cell at least.
    public var size: Size
    public var header: Rect?
    public var tags: List?
    public var items: List?
    /// The line between the two panes, from rule to rule.
    public var divider: Rect?
    /// The inspector, while it is open and has room.
    public var inspector: List?
    /// The line between the items and the inspector beside them.
    public var inspectorDivider: Rect?
    public var status: Rect?
    /// The rows that each pane shows, at least one, also while it is not on the screen.
    public var paneRows: Int

    /// Both panes are drawn from this width on.
    public static let twoPaneColumns = 60

    /// The least width of the tags, and the width of the items below which the tags shrink to it.
    private static let leastTagColumns = 16
    private static let leastItemColumns = 60

    /// The inspector stands beside the list from this width on, and below it where there is less.
    public static let inspectorBesideColumns = 120
    /// The height of the panes below which there is no room to share with the inspector.
    private static let leastSharedRows = 10

    public init(
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
            } else if panes.height >= Self.leastSharedRows {
                // The rule below the panes is the one above it.
                let height = panes.height * 2 / 5
                panes = panes.inset(bottom: height - 1)
                inspector = list(
                    Rect(x: 0, y: panes.maxY - 1, width: size.columns, height: height))
            }
        }
        paneRows = max(isFramed ? panes.height - 2 : panes.height, 1)

        if size.columns >= Self.twoPaneColumns, !hidesTags {
            // Beside the inspector the names have their room first.
            let room = panes.width - 1 - Self.leastItemColumns
            let tagColumns = max(min(size.columns / 5, 30, room), Self.leastTagColumns)
            tags = list(Rect(x: 0, y: top, width: tagColumns, height: panes.height))
            divider = Rect(x: tagColumns, y: top, width: 1, height: panes.height)
            items = list(panes.inset(left: tagColumns + 1))
        } else if focus == .tags {
            tags = list(panes)
        } else {
            items = list(panes)
        }
    }

    /// The layout of `state`.
    public init(_ state: borrowing AppState) {
        self.init(
            size: state.ui.size, focus: state.ui.pane,
            showsInspector: state.ui.inspector.isShown, hidesTags: state.ui.hidesTags)
    }

    /// The lines of the write statistics.
    public static let writesRows = 8

    /// The box of the write statistics, above the right end of the status line.
    public var writesBox: Rect {
        let bottom = status?.y ?? size.rows
        let height = min(Self.writesRows + 2, max(bottom - 1, 1))
        let width = min(34, size.columns)
        return Rect(
            x: size.columns - width - (size.columns > width ? 1 : 0),
            y: max(bottom - height - 1, 0), width: width, height: height)
    }

    /// A box about the row of the items at `row` of the screen: below it, or above it in the lower
    /// half, as large as there is room, so that the row can be seen.
    public func box(columns: Int, rows: Int, beside row: Int?) -> Rect {
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

    /// A box in the middle of the screen, as large as asked for or as there is room.
    public func box(columns: Int, rows: Int) -> Rect {
        let width = min(columns, size.columns)
        // A choice and the line in which it is looked for, where there are three lines at all.
        let height = min(rows, max(size.rows - 2, min(size.rows - 1, 2), 1))
        return Rect(
            x: (size.columns - width) / 2, y: max((size.rows - height) / 2, 0), width: width,
            height: height)
    }

    /// The fewest lines that a box of choices is made lower to, for the sake of a row.
    private static let leastBoxRows = 6

    /// The same, above or below the line `y` of the screen where one of them has room enough, so
    /// that what the box is about stays in sight.
    public func box(columns: Int, rows: Int, avoiding y: Int?) -> Rect {
        var box = box(columns: columns, rows: rows)
        guard let y, box.y..<box.maxY ~= y else { return box }
        let bottom = status?.y ?? size.rows
        let (above, below) = (y - (header?.maxY ?? 0), bottom - y - 1)
        let room = max(above, below)
        guard room >= min(box.height, Self.leastBoxRows) else { return box }
        box.height = min(box.height, room)
        box.y = below >= above ? y + 1 : y - box.height
        return box
    }
}

extension AppState {
    /// The line of the screen on which the row stands that keys are about, or nil if it is none.
    public func currentLine(in layout: Layout) -> Int? {
        guard ui.pane.isAboutTags else { return screenLine(ofRow: ui.selectedRow, layout) }
        let place = row(of: chosenRow) - ui.tagScroll.top
        guard let list = layout.tags, 0..<list.rows.height ~= place else { return nil }
        return list.rows.y + place
    }
}
