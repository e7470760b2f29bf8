import SheafCore
import Terminal

/// The tags of an item at the right end of its row. The name has its room first; of the tags the
/// last ones go first, an ellipsis in their place.
struct RowTags {
    /// The columns between the name and the tags.
    private static let gap = 2

    /// With the letters of each that the query found.
    private let tags: [(tag: Tag, found: [Bool])]
    /// The columns of each tag that has room.
    private let widths: [Int]
    private let hasEllipsis: Bool
    /// The columns of all of it.
    private let columns: Int

    /// Those of `tags` that have room in a row of `width` columns, of which a name takes `taken`.
    /// O(columns).
    init(_ tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int) {
        self.tags = tags
        let room = width - taken - Self.gap
        var widths: [Int] = []
        var used = 0
        for (tag, _) in tags {
            let width = DisplayText.width(of: tag.label, upTo: max(room, 0) + 1)
            let isLast = widths.count + 1 == tags.count
            guard used + width + (isLast ? 0 : 2) <= room else {
                // How it begins says more than the ellipsis alone.
                if widths.isEmpty, min(room, width - 1) >= 4 { widths = [min(room, width - 1)] }
                break
            }
            widths.append(width)
            used += width + 1
        }
        let isCut = widths.count == 1 && used == 0
        self.widths = widths
        hasEllipsis = room > 0 && widths.count < tags.count && !isCut
        columns = isCut ? widths[0] : hasEllipsis ? used + 1 : max(used - 1, 0)
    }

    /// The columns that are left for the name in a row of `width`.
    func room(in width: Int) -> Int { columns > 0 ? width - columns - Self.gap : width }

    /// - Parameter style: makes the style on this row of one elsewhere.
    func draw(in region: Rect, style: (Style) -> Style, on canvas: inout Canvas) {
        var place = Point(x: region.maxX - columns, y: region.y)
        for ((tag, found), width) in zip(tags, widths) {
            let label = MarkedText(tag.label, found: found, showsFound: false)
            _ = label.draw(
                in: width, at: place, style: style(Style(foreground: Theme.color(tag.color))),
                on: &canvas)
            place.x += width + 1
        }
        if hasEllipsis { canvas.put("…", at: place, style: style(Theme.dim)) }
    }
}
