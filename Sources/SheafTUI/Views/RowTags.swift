import SheafList
import Terminal

/// The tags of an item after its name. The name has its room first; of the tags the last ones go
/// first, and leave a `…` after those that stay. Only to the tag by which alone the item was found
/// the name gives way.
struct RowTags {
    /// The columns between the name and the tags.
    private static let gap = 2
    /// The minimum number of columns for a tag that is cut.
    private static let leastCut = 4
    /// The mark after the last tag if others have no room.
    private static let more = " …"

    /// With the letters of each that the query found.
    private let tags: [(tag: Tag, found: [Bool])]
    /// The columns of each tag that has room.
    private let widths: [Int]
    /// Whether the only one of these is too long for them.
    private let isCut: Bool
    /// Whether a mark after them says that there are more.
    private let hasMore: Bool
    /// The end of the only tag that is shown, if there is no room for the mark beside it.
    private let tail: String
    /// True if the drawn tag is the one by which the item was found.
    private let isNeeded: Bool
    /// The columns of all of it.
    private let columns: Int

    /// Selects those of `tags` that have room in a row of `width` columns beside a name of `taken`
    /// columns, and the one at the index `needed` also beyond that, in up to half of the row.
    /// O(columns).
    init(
        _ tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int,
        showing needed: Int? = nil
    ) {
        let fitting = RowTags(
            fitting: tags, of: tags.count, upTo: width - taken, isNeeded: false)
        guard let needed, needed >= fitting.widths.count || fitting.isCut else {
            self = fitting
            return
        }
        self = RowTags(
            fitting: [tags[needed]], of: tags.count, upTo: max(width - taken, width / 2),
            isNeeded: true)
    }

    /// Those of `count` that have room in `width` columns, with the gap before them.
    private init(
        fitting tags: [(tag: Tag, found: [Bool])], of count: Int, upTo width: Int, isNeeded: Bool
    ) {
        self.tags = tags
        self.isNeeded = isNeeded
        let room = width - Self.gap
        let mark = Self.more.count
        var widths: [Int] = []
        var used = 0
        for (tag, _) in tags {
            let width = DisplayText.width(of: tag.label, upTo: max(room, 0) + 1)
            let isLast = widths.count + 1 == count
            guard used + width + (isLast ? 0 : mark) <= room else { break }
            widths.append(width)
            used += width + 1
        }
        var (isCut, tail) = (false, "")
        if widths.isEmpty, let first = tags.first?.tag, room >= Self.leastCut {
            // How the first one begins says more than nothing. Its own end is the mark.
            tail = isNeeded || count == 1 ? "" : "…"
            let width = DisplayText.width(of: first.label, upTo: room + 1) + tail.count
            widths = [min(room, width)]
            used = widths[0] + 1
            isCut = widths[0] < width
        }
        self.isCut = isCut
        self.tail = tail
        self.widths = widths
        let leavesOut = !widths.isEmpty && widths.count < count
        hasMore = leavesOut && !isCut && tail.isEmpty && used - 1 + mark <= room
        columns = max(used - 1 + (hasMore ? mark : 0), 0)
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
            let label = MarkedText(tag.label + tail, found: found, showsFound: isNeeded)
            _ = label.draw(
                in: width, at: place, style: style(Theme.tag(tag.color)),
                on: &canvas)
            place.x += width + 1
        }
        if hasMore {
            place.x -= 1
            canvas.put(Self.more, at: place, style: style(Theme.dim))
        }
    }
}
