import SheafCore
import Terminal

/// The tags of an item after its name. The name has its room first; of the tags the last ones go
/// first. Only to the tag by which alone the item was found the name gives way.
struct RowTags {
    /// The columns between the name and the tags.
    private static let gap = 2
    /// Of a tag that is cut, so many columns say something.
    private static let leastCut = 4

    /// With the letters of each that the query found.
    private let tags: [(tag: Tag, found: [Bool])]
    /// The columns of each tag that has room.
    private let widths: [Int]
    /// Whether the only one of these is too long for them.
    private let isCut: Bool
    /// Whether what is drawn is the tag by which the item was found.
    private let isNeeded: Bool
    /// The columns of all of it.
    private let columns: Int

    /// Those of `tags` that have room in a row of `width` columns, of which a name takes `taken`,
    /// and the one at the index `needed` also beyond that, in up to half of the row. O(columns).
    init(
        _ tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int,
        showing needed: Int? = nil
    ) {
        let fitting = RowTags(fitting: tags, upTo: width - taken, isNeeded: false)
        guard let needed, needed >= fitting.widths.count || fitting.isCut else {
            self = fitting
            return
        }
        self = RowTags(
            fitting: [tags[needed]], upTo: max(width - taken, width / 2), isNeeded: true)
    }

    /// Those that have room in `width` columns, with the gap before them.
    private init(
        fitting tags: [(tag: Tag, found: [Bool])], upTo width: Int, isNeeded: Bool
    ) {
        self.tags = tags
        self.isNeeded = isNeeded
        let room = width - Self.gap
        var widths: [Int] = []
        var used = 0
        var isCut = false
        for (tag, _) in tags {
            let width = DisplayText.width(of: tag.label, upTo: max(room, 0) + 1)
            guard used + width <= room else {
                // How the first one begins says more than nothing.
                isCut = widths.isEmpty && room >= Self.leastCut
                if isCut {
                    widths = [room]
                    used = room + 1
                }
                break
            }
            widths.append(width)
            used += width + 1
        }
        self.isCut = isCut
        self.widths = widths
        columns = max(used - 1, 0)
    }

    /// The columns that are left for the name in a row of `width`.
    func room(in width: Int) -> Int { columns > 0 ? width - columns - Self.gap : width }

    /// Draws them after the gap that follows a name.
    ///
    /// - Parameters:
    ///   - end: the place after the name.
    ///   - style: makes the style on this row of one elsewhere.
    func draw(at end: Point, style: (Style) -> Style, on canvas: inout Canvas) {
        var place = Point(x: end.x + Self.gap, y: end.y)
        for ((tag, found), width) in zip(tags, widths) {
            let label = MarkedText(tag.label, found: found, showsFound: isNeeded)
            _ = label.draw(
                in: width, at: place, style: style(Theme.tag(tag.color)),
                on: &canvas)
            place.x += width + 1
        }
    }
}
