import SheafList

/// A line of the items pane.
public enum ItemLine: Hashable, Sendable {
    /// A heading above the rows of some days. Keys skip it.
    case heading(DayHeading)
    /// A row of the list, by its number.
    case row(Int)
    /// The row in which a new item is typed.
    case newRow
}

/// The lines of the items pane. A *place* counts the rows and the one that is being typed;
/// headings have none, so that a list scrolls by its rows.
extension AppState {
    /// Panes with fewer lines have no headings.
    private static var leastHeadedRows: Int { 4 }

    /// The lines that the items pane shows, from its top. The first is a heading if there are any.
    /// O(lines × log items).
    public func itemLines(_ layout: Layout) -> [ItemLine] {
        let (height, end) = (layout.paneRows, itemPlaceCount)
        let sort = headedSort(layout)
        var lines: [ItemLine] = []
        var heading: DayHeading?
        var place = ui.itemScroll.top
        while place < end, lines.count < height {
            let above = sort.flatMap { self.heading(at: place, sortedBy: $0) }
            if let above, above != heading {
                lines.append(.heading(above))
                heading = above
                continue
            }
            lines.append(place == newItemRow ? .newRow : .row(row(at: place)))
            place += 1
        }
        return lines
    }

    /// The number of rows among the lines that the items pane shows. O(lines × log items).
    func shownItemRows(_ layout: Layout) -> Int {
        guard headedSort(layout) != nil else { return layout.paneRows }
        return max(itemLines(layout).count { if case .heading = $0 { false } else { true } }, 1)
    }

    /// The number of places: rows, and the one that is being typed.
    var itemPlaceCount: Int { rows.count + (newItemRow == nil ? 0 : 1) }

    /// The first place from which all up to `last` have room. O(lines × log items).
    func firstItemPlace(showing last: Int, _ layout: Layout) -> Int {
        guard let sort = headedSort(layout) else { return last - layout.paneRows + 1 }
        guard last >= 0 else { return 0 }
        var heading = heading(at: last, sortedBy: sort)
        var (place, room) = (last, layout.paneRows - 2)
        while place > 0 {
            let above = self.heading(at: place - 1, sortedBy: sort)
            room -= above == heading ? 1 : 2
            guard room >= 0 else { break }
            heading = above
            place -= 1
        }
        return place
    }

    /// The line of the screen on which the row of the items stands, or `nil` if it is not in sight.
    func screenLine(ofRow row: Int, _ layout: Layout) -> Int? {
        guard let list = layout.items,
            let line = itemLines(layout).firstIndex(of: .row(row))
        else { return nil }
        return list.rows.y + line
    }

    /// The date that rows have headings for, or `nil` if they have none.
    func headedSort(_ layout: Layout) -> ItemSort? {
        guard let sort = shownSort, sort.isTime || sort == .due && hasDueItems,
            layout.paneRows >= Self.leastHeadedRows
        else { return nil }
        return sort
    }

    private func row(at place: Int) -> Int {
        guard let newItemRow, place > newItemRow else { return place }
        return place - 1
    }

    /// The heading of a place. The row that is being typed stands under that of the row above it.
    private func heading(at place: Int, sortedBy sort: ItemSort) -> DayHeading? {
        let row = place == newItemRow ? max(place - 1, 0) : row(at: place)
        return rows.id(at: row).flatMap { items[$0] }.flatMap {
            DayHeading(of: $0, sortedBy: sort, today: today, calendar: query.calendar)
        }
    }
}
