import SheafList
import Terminal

/// The tags of an item after its name. The name has priority over the tags. If there is too little
/// room, the last tags are omitted and a `…` follows the remaining ones. The name is shortened only
/// for a tag that is the sole reason why the query matched the item.
struct TagLabels {
    /// The columns between the name and the tags.
    private static let gap = 2
    /// The minimum number of columns of a cut tag.
    private static let minCut = 4
    /// The mark after the last tag if others have no room.
    private static let more = " …"

    /// The tags, each with the letters that the query matched.
    private let tags: [(tag: Tag, found: [Bool])]
    /// The widths of the tags that fit.
    private let widths: [Int]
    /// A Boolean value that indicates whether the only tag is cut.
    private let isCut: Bool
    /// A Boolean value that indicates whether a mark after the tags shows that there are more.
    private let hasMore: Bool
    /// The end of the only visible tag, if there is no room for the mark beside it.
    private let tail: String
    /// A Boolean value that indicates whether the visible tag is the one by which the item was
    /// found.
    private let isNeeded: Bool
    /// The total number of columns.
    private let columns: Int

    /// Selects the tags that fit in a row of `width` columns beside a name of `taken` columns. The
    /// tag at the index `needed` may also exceed that room, up to half of the row. O(columns).
    init(
        _ tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int,
        showing needed: Int? = nil
    ) {
        let fitting = TagLabels(
            fitting: tags, of: tags.count, upTo: width - taken, isNeeded: false)
        guard let needed, needed >= fitting.widths.count || fitting.isCut else {
            self = fitting
            return
        }
        self = TagLabels(
            fitting: [tags[needed]], of: tags.count, upTo: max(width - taken, width / 2),
            isNeeded: true)
    }

    /// Selects the first of `count` tags that fit in `width` columns, including the gap before
    /// them.
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
        if widths.isEmpty, let first = tags.first?.tag, room >= Self.minCut {
            // The beginning of the first tag is more useful than no tag. Its own end shows that
            // there are more tags.
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

    /// Returns the columns that are left for the name in a row of `width` columns.
    func room(in width: Int) -> Int { columns > 0 ? width - columns - Self.gap : width }

    /// Draws the tags after the gap that follows a name.
    ///
    /// - Parameters:
    ///   - end: the position after the name.
    ///   - style: converts a style for use on this row.
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
