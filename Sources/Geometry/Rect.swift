/// A size in cells: columns and rows.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A place on the screen: columns from the left and rows from the top, both from 0.
package struct Point: Hashable, Sendable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// A region of the screen. Sizes below zero count as zero.
package struct Rect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Creates the region of a whole screen of this size.
    package init(_ size: Size) {
        self.init(x: 0, y: 0, width: size.columns, height: size.rows)
    }

    /// True if the region has no cells.
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The first column to the right of the region.
    package var maxX: Int { x + width }

    /// The first row below the region.
    package var maxY: Int { y + height }

    /// The upper left corner of the region.
    package var origin: Point { Point(x: x, y: y) }

    /// The width and height of the region.
    package var size: Size { Size(columns: width, rows: height) }

    /// Returns the row `index` of the region, counted from 0 at the top.
    package func row(_ index: Int) -> Rect { Rect(x: x, y: y + index, width: width, height: 1) }

    /// Returns true if the region contains the cell at `point`.
    package func contains(_ point: Point) -> Bool {
        point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
    }

    /// Returns the region without these numbers of cells at its sides; empty if no cells remain.
    package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
        Rect(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
    }

    /// Returns the region inside a frame that is `cells` wide.
    package func inset(by cells: Int = 1) -> Rect {
        inset(left: cells, top: cells, right: cells, bottom: cells)
    }

    /// Returns the intersection of the two regions; empty if they share no cells.
    package func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return Rect(
            x: left, y: top, width: min(maxX, other.maxX) - left,
            height: min(maxY, other.maxY) - top)
    }
}
