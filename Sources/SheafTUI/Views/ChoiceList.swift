import SheafApp
import Terminal

/// The common part of boxes above the panes: a line to type into, and rows to choose from below it.
enum ChoiceList {
    /// Draws the edited line in the first line of a box.
    static func draw(_ line: LineEditor, in inner: Rect, on canvas: inout Canvas) {
        canvas.put("› ", at: Point(x: inner.x + 1, y: inner.y), style: Theme.accent)
        canvas.put(
            line, in: Rect(x: inner.x + 3, y: inner.y, width: inner.width - 4, height: 1),
            style: Theme.text)
    }

    /// Returns the regions of the edited line and of the rows to choose from, in the inside of a
    /// box. They are side by side if the box has one line.
    static func parts(of inner: Rect) -> (line: Rect, list: Rect) {
        guard inner.height == 1 else { return (inner.row(0), inner.inset(top: 1)) }
        let width = inner.width / 2
        return (
            Rect(x: inner.x, y: inner.y, width: width, height: 1),
            Rect(x: inner.x + width, y: inner.y, width: inner.width - width, height: 1)
        )
    }

    /// Returns the visible rows of `count` rows and their regions. They are scrolled so that the
    /// highlighted row is visible. O(visible rows).
    static func rows(
        of count: Int, highlighted: Int, in region: Rect
    ) -> [(row: Int, region: Rect)] {
        var scroll = ScrollPosition()
        scroll.reveal(highlighted, height: region.height, count: count)
        return (0..<max(min(region.height, count - scroll.top), 0)).map {
            (scroll.top + $0, region.row($0))
        }
    }
}
