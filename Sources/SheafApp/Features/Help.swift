import SheafList

/// `?`: the keys that are valid in the current mode. They scroll like a list, and `/` searches
/// them.
package enum HelpAction: Hashable, Sendable {
    case opened([Help.Entry])
    case scrolled(rows: Int)
    case scrolledPages(Int)
    case scrolledToFirst, scrolledToLast
    /// `/`: opens the search line.
    case searchOpened
    /// Enter: keeps the matching keys, and returns the focus to their list.
    case searchAccepted
    /// Esc: ends the search, or closes the help if there is no search.
    case escaped
    case closed
}

extension HelpAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .opened, .scrolled, .scrolledPages, .scrolledToFirst, .scrolledToLast, .searchOpened,
            .searchAccepted, .escaped, .closed:
            .user(under: .program, ends: [.count, .range])
        }
    }
}

/// The open help.
package struct Help: Hashable, Sendable {
    /// A key and its effect, from the keymap.
    package struct Entry: Hashable, Sendable {
        package var keys: String
        package var title: String
        /// The heading of the entry. Entries of one group are adjacent.
        package var group: String

        package init(keys: String, title: String, group: String) {
            self.keys = keys
            self.title = title
            self.group = group
        }
    }

    /// The content of one column of a row.
    package enum Line: Hashable, Sendable {
        case heading(String)
        case entry(Entry)
        /// The gap between two groups.
        case blank
    }

    package var entries: [Entry]
    package var line = LineEditor()
    /// True while keys are typed into the line.
    package internal(set) var isSearching = false
    package var top = 0

    /// The entries whose keys or title contain every typed word.
    package var matches: [Entry] {
        let words = line.text.split(whereSeparator: \.isWhitespace).map {
            TextSearch(String($0))
        }
        return entries.filter { entry in
            words.allSatisfy { word in
                [entry.title, entry.keys].contains { word.isFound(in: $0) }
            }
        }
    }

    /// The minimum screen width for two columns.
    package static let twoColumnColumns = 120

    /// Returns the number of columns that fit on the screen: one or two.
    package static func columns(in layout: Layout) -> Int {
        layout.size.columns >= twoColumnColumns ? 2 : 1
    }

    /// Returns the matches under their headings, as rows of `columns` columns. No group is split
    /// between columns.
    package func rows(columns: Int) -> [[Line]] { Self.rows(of: matches, columns: columns) }

    private static func rows(of entries: [Entry], columns: Int) -> [[Line]] {
        var groups: [[Line]] = []
        var heading: String?
        for entry in entries {
            if entry.group != heading {
                groups.append([.heading(entry.group)])
                heading = entry.group
            }
            groups[groups.count - 1].append(.entry(entry))
        }
        func column(_ groups: ArraySlice<[Line]>) -> [Line] {
            Array(groups.joined(separator: [.blank]))
        }
        let all = column(groups[...])
        guard columns > 1, groups.count > 1 else { return all.map { [$0] } }
        // Splits the groups so that the longer column is as short as possible.
        let splits = (1..<groups.count).map { (column(groups[..<$0]), column(groups[$0...])) }
        let best = splits.min { max($0.0.count, $0.1.count) < max($1.0.count, $1.1.count) }
        guard let (left, right) = best else { return all.map { [$0] } }
        return (0..<max(left.count, right.count)).map { row in
            [left, right].map { row < $0.count ? $0[row] : .blank }
        }
    }

    /// Returns the box, including frame and search line, and the number of rows of keys that it
    /// shows. Its size fits all keys, so that it does not change during a search.
    package func box(in layout: Layout) -> (box: Rect, rows: Int) {
        let columns = Self.columns(in: layout)
        let rows = Self.rows(of: entries, columns: columns).count
        let box = layout.box(columns: columns == 1 ? 64 : 116, rows: rows + 4)
        return (box, max(box.height - 4, 1))
    }
}

extension HelpAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        if case .opened(let entries) = self {
            state.ui.mode = .help(Help(entries: entries))
            return nil
        }
        guard case .help(var help) = state.ui.mode else { return nil }
        let layout = Layout(state)
        let height = help.box(in: layout).rows
        let last = max(help.rows(columns: Help.columns(in: layout)).count - height, 0)
        switch self {
        case .opened: break
        case .scrolled(let rows): help.top = max(0, min(help.top + rows, last))
        case .scrolledPages(let pages):
            help.top = max(0, min(help.top + pages * max(height - 1, 1), last))
        case .scrolledToFirst: help.top = 0
        case .scrolledToLast: help.top = last
        case .searchOpened: help.isSearching = true
        case .searchAccepted: help.isSearching = false
        case .escaped where help.isSearching || !help.line.isEmpty:
            help = Help(entries: help.entries)
        case .escaped, .closed:
            state.ui.mode = .normal
            return nil
        }
        state.ui.mode = .help(help)
        return nil
    }
}
