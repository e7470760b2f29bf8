@_exported import Geometry

/// One of the lists on the screen, from left to right.
public enum Pane: Hashable, Sendable, CaseIterable {
    case tags, items

    /// Its name in its frame, the status line, the help and the README.
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
/// As the terminal shrinks, first the pane without the focus goes, then the rules above and below
/// the lists, the header and the status line; one cell of the list is what is left at 1x1.
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
    public var status: Rect?
    /// The rows that each pane shows, at least one, also while it is not on the screen.
    public var paneRows: Int

    /// Both panes are drawn from this width on.
    public static let twoPaneColumns = 60

    public init(size: Size, focus: Pane) {
        let size = Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
        self.size = size
        let isFramed = size.rows >= 6 && size.columns >= 24
        let isHeaded = size.rows >= 6
        header = isHeaded ? Rect(x: 0, y: 0, width: size.columns, height: 1) : nil
        status =
            size.rows >= 2 ? Rect(x: 0, y: size.rows - 1, width: size.columns, height: 1) : nil
        let top = isHeaded ? 1 : 0
        let height = size.rows - top - (status == nil ? 0 : 1)

        paneRows = max(isFramed ? height - 2 : height, 1)

        func list(x: Int, width: Int) -> List {
            let whole = Rect(x: x, y: top, width: width, height: height)
            return isFramed
                ? List(frame: whole, rows: whole.inset(top: 1, bottom: 1))
                : List(frame: nil, rows: whole)
        }
        if size.columns >= Self.twoPaneColumns {
            let tagColumns = min(max(size.columns / 5, 20), 30)
            tags = list(x: 0, width: tagColumns)
            divider = Rect(x: tagColumns, y: top, width: 1, height: height)
            items = list(x: tagColumns + 1, width: size.columns - tagColumns - 1)
        } else if focus == .tags {
            tags = list(x: 0, width: size.columns)
        } else {
            items = list(x: 0, width: size.columns)
        }
    }

    /// The layout of `state`.
    public init(_ state: AppState) {
        self.init(size: state.ui.size, focus: state.ui.pane)
    }

    /// The lines of the write statistics.
    public static let writesRows = 11

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
        let height = min(rows, max(size.rows - 2, 1))
        return Rect(
            x: (size.columns - width) / 2, y: max((size.rows - height) / 2, 0), width: width,
            height: height)
    }
}
