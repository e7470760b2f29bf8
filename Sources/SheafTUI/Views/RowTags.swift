import SheafCore
import Terminal

/// The tags of an item at the right end of its row. The name has its room first; of the tags the
/// last ones go first, an ellipsis in their place. Only to the tag by which alone the item was
/// found the name gives way.
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
    private let hasEllipsis: Bool
    /// Whether what is drawn is the tag by which the item was found, or the ellipsis in its place.
    private let isNeeded: Bool
    /// The columns of all of it.
    private let columns: Int

    /// Those of `tags` that have room in a row of `width` columns, of which a name takes `taken`,
    /// and the one at the index `needed` also beyond that, in up to half of the row. O(columns).
    init(
        _ tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int,
        showing needed: Int? = nil
    ) {
        let fitting = RowTags(fitting: tags, in: width, beside: taken)
        guard let needed, needed >= fitting.widths.count || fitting.isCut else {
            self = fitting
            return
        }
        self = RowTags(
            only: tags[needed], isOneOf: tags.count, upTo: max(width - taken, width / 2))
    }

    /// One of several tags, or where even its beginning has no room an ellipsis in its place.
    ///
    /// - Parameter width: the columns of it and the gap before it.
    private init(only tag: (tag: Tag, found: [Bool]), isOneOf count: Int, upTo width: Int) {
        tags = [tag]
        let more = count > 1 ? 2 : 0
        let room = width - Self.gap - more
        let label = DisplayText.width(of: tag.tag.label, upTo: max(room, 0) + 1)
        let shown = room < min(label, Self.leastCut) ? 0 : min(label, room)
        widths = shown > 0 ? [shown] : []
        isCut = false
        isNeeded = true
        hasEllipsis = shown == 0 ? width > Self.gap : more > 0
        columns = shown > 0 ? shown + more : hasEllipsis ? 1 : 0
    }

    /// Those that have room beside the name.
    private init(
        fitting tags: [(tag: Tag, found: [Bool])], in width: Int, beside taken: Int
    ) {
        self.tags = tags
        let room = width - taken - Self.gap
        var widths: [Int] = []
        var used = 0
        for (tag, _) in tags {
            let width = DisplayText.width(of: tag.label, upTo: max(room, 0) + 1)
            let isLast = widths.count + 1 == tags.count
            guard used + width + (isLast ? 0 : 2) <= room else {
                // How it begins says more than the ellipsis alone.
                let cut = min(room, width - 1)
                if widths.isEmpty, cut >= Self.leastCut { widths = [cut] }
                break
            }
            widths.append(width)
            used += width + 1
        }
        isCut = widths.count == 1 && used == 0
        isNeeded = false
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
            let label = MarkedText(tag.label, found: found, showsFound: isNeeded)
            _ = label.draw(
                in: width, at: place, style: style(Style(foreground: Theme.color(tag.color))),
                on: &canvas)
            place.x += width + 1
        }
        if hasEllipsis {
            let dim = style(Theme.dim)
            canvas.put("…", at: place, style: isNeeded && widths.isEmpty ? Theme.found(dim) : dim)
        }
    }
}
