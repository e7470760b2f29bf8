import SheafList

/// `s`: a menu for the sort of the list.
package enum SortAction: Hashable, Sendable {
    case menuOpened
    case menuMoved(rows: Int)
    /// Enter: chooses the highlighted sort.
    case menuChosen
    case menuClosed
    case chosen(ItemSort)
    case reversed
    /// `Alt-s`: switches between best matches first and the sort of the list.
    case bestToggled
}

extension SortAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .menuOpened, .menuMoved, .menuChosen, .menuClosed, .chosen, .reversed, .bestToggled:
            .user(under: .finding)
        }
    }
}

/// The open menu of sorts.
package struct SortMenu: Hashable, Sendable {
    /// The highlighted sort. It is not a row number, because another process may change the query
    /// of the chosen view. The row for best matches then appears or disappears, and the highlight
    /// must stay on its sort.
    fileprivate var sort: ItemSort

    /// Returns the highlighted row, or the first if the sort is no longer available.
    package func row(in state: AppState) -> Int {
        Self.sorts(in: state).firstIndex(of: sort) ?? 0
    }

    /// Returns the sorts that are available in `state`.
    package static func sorts(in state: AppState) -> [ItemSort] {
        ItemSort.allCases.filter { $0 != .match || state.query.search.looksForText }
    }
}

extension SortAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .menuOpened:
            state.ui.mode = .sortMenu(SortMenu(sort: state.shownSort ?? .manual))
        case .menuMoved(let rows):
            guard case .sortMenu(var menu) = state.ui.mode else { return nil }
            let sorts = SortMenu.sorts(in: state)
            menu.sort = sorts[max(0, min(menu.row(in: state) + rows, sorts.count - 1))]
            state.ui.mode = .sortMenu(menu)
        case .menuChosen:
            guard case .sortMenu(let menu) = state.ui.mode else { return nil }
            choose(menu.sort, &state)
        case .menuClosed:
            if case .sortMenu = state.ui.mode { state.ui.mode = .normal }
        case .chosen(let sort):
            choose(sort, &state)
        case .reversed:
            reverse(&state)
        case .bestToggled:
            guard state.query.search.looksForText else {
                state.ui.refuse("Cannot sort by best match: the query has no word")
                return nil
            }
            state.ui.viewSettings.showsBestFirst.toggle()
        }
        return nil
    }

    private func choose(_ sort: ItemSort, _ state: inout AppState) {
        if case .sortMenu = state.ui.mode { state.ui.mode = .normal }
        if sort == .match {
            guard state.query.search.looksForText else {
                state.ui.refuse("Cannot sort by best match: the query has no word")
                state.ui.choiceFailed()
                return
            }
            state.ui.viewSettings.showsBestFirst = true
        } else {
            var settings = state.ui.viewSettings
            settings.showsBestFirst = false
            // Items can be moved only in manual order that is not reversed.
            if settings.sort != sort || sort == .manual { settings.isSortReversed = false }
            settings.sort = sort
            state.ui.viewSettings = settings
        }
    }

    private func reverse(_ state: inout AppState) {
        if state.showsBestFirst {
            state.ui.show("Cannot reverse best matches; s chooses another sort")
            state.ui.choiceFailed()
        } else {
            state.ui.viewSettings.isSortReversed.toggle()
        }
    }
}

extension AppState {
    /// True if best matches come first now.
    package var showsBestFirst: Bool { ui.viewSettings.showsBestFirst && query.search.looksForText }

    /// The field in the date column, or nil if there is none: the time by which rows are sorted,
    /// else the due day if any item has one.
    package var dateColumn: ItemSort? {
        if let sort = shownSort, sort.isTime { return sort }
        return hasDueItems ? .due : nil
    }

    /// Returns the heading above the items: the sort, and the field of the date column if it
    /// differs. Nil if there is neither.
    ///
    /// - Parameter column: the field in the date column, or nil if there is no such column.
    package func heading(_ column: ItemSort?) -> String? {
        guard let sort = shownSort, let sortHeading else { return column?.title }
        if column == .due, sort == .due {
            return ui.viewSettings.isSortReversed ? "due ↑" : "due ↓"
        }
        return column == .due ? "\(sortHeading) · due" : sortHeading
    }

    /// The name and direction of the sort, or nil in manual order.
    package var sortHeading: String? {
        shownSort.map { sort in
            let isReversed = ui.viewSettings.isSortReversed
            if sort.isTime { return isReversed ? "\(sort.title) ↑" : "\(sort.title) ↓" }
            if sort == .match { return rows.isFuzzy && rows.count > 0 ? "fuzzy" : sort.title }
            return sort.title + (isReversed ? " reversed" : "")
        }
    }

    /// The sort of the rows, or nil in manual order, in which they can be moved.
    package var shownSort: ItemSort? {
        if showsBestFirst { return .match }
        if defersSort { return nil }
        let (sort, isReversed) = (ui.viewSettings.sort, ui.viewSettings.isSortReversed)
        return sort == .manual && !isReversed ? nil : sort
    }

    /// True while a long list is loading. It is sorted only when it is complete, because the rows
    /// of each further page would appear between those that the user already sees.
    private var defersSort: Bool { (list.loading?.total ?? 0) > AppEnvironment.maxOfShortList }
}
