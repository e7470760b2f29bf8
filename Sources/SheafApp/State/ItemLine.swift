import SheafList

/// A line of the items pane.
package enum ItemLine: Hashable, Sendable {
    /// A heading above the rows of some days. Keys skip it.
    case heading(DayHeading)
    /// A row of the list, by row number.
    case row(Int)
    /// The row of the new item being typed.
    case newRow
}

/// The lines of the items pane. A *place* is the index of a row among all rows, including the one
/// being typed. Headings have no place, so a list scrolls by rows.
extension AppState {
    /// The minimum number of lines for a pane to have headings.
    private static var minHeadedRows: Int { 4 }

    /// Returns the lines of the items pane, from the top. If there are headings, the first line is
    /// one. O(lines × log items).
    package func itemLines(_ layout: Layout) -> [ItemLine] {
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

    /// Returns the number of rows among the visible lines of the items pane. O(lines × log items).
    func shownItemRows(_ layout: Layout) -> Int {
        guard headedSort(layout) != nil else { return layout.paneRows }
        return max(itemLines(layout).count { if case .heading = $0 { false } else { true } }, 1)
    }

    /// The number of places: all rows, including the one being typed.
    var itemPlaceCount: Int { rows.count + (newItemRow == nil ? 0 : 1) }

    /// Returns the first place from which all places up to `last` fit in the pane. Zero or negative
    /// if all places from the start fit. O(lines × log items).
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

    /// Returns the screen line of an item row, or `nil` if the row is out of sight.
    func screenLine(ofRow row: Int, _ layout: Layout) -> Int? {
        guard let list = layout.items,
            let line = itemLines(layout).firstIndex(of: .row(row))
        else { return nil }
        return list.rows.y + line
    }

    /// Returns the sort whose dates group rows under headings, or `nil` if there are no headings.
    func headedSort(_ layout: Layout) -> ItemSort? {
        guard let sort = shownSort, sort.isTime || sort == .due && hasDueItems,
            layout.paneRows >= Self.minHeadedRows
        else { return nil }
        return sort
    }

    private func row(at place: Int) -> Int {
        guard let newItemRow, place > newItemRow else { return place }
        return place - 1
    }

    /// Returns the heading of a place. The row being typed belongs to the heading of the row above
    /// it.
    private func heading(at place: Int, sortedBy sort: ItemSort) -> DayHeading? {
        let row = place == newItemRow ? max(place - 1, 0) : row(at: place)
        return rows.id(at: row).flatMap { items[$0] }.flatMap {
            DayHeading(of: $0, sortedBy: sort, today: today, calendar: query.calendar)
        }
    }
}
