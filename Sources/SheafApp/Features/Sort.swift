import SheafList

/// `s`: what the list is sorted by, from a small menu.
public enum SortAction: Hashable, Sendable {
    case menuOpened
    case menuMoved(rows: Int)
    /// Enter: by what the menu's marker stands on.
    case menuChosen
    case menuClosed
    case chosen(ItemSort)
    case reversed
    /// `Alt-s`: from the best matches first to the order that they were in, and back.
    case bestToggled
}

extension SortAction: FeatureAction {
    static let reducer = SortReducer()

    var traits: ActionTraits {
        switch self {
        case .menuOpened, .menuMoved, .menuChosen, .menuClosed, .chosen, .reversed, .bestToggled:
            .user(under: .finding)
        }
    }
}

/// The menu of sorts while it is open.
public struct SortMenu: Hashable, Sendable {
    /// The highlight is a sort, never a row number: it stays when another process gives the chosen
    /// view a query with a word, or without.
    fileprivate var sort: ItemSort

    /// The highlighted row, or the first if the sort is none of the list's any more.
    public func row(in state: AppState) -> Int {
        Self.sorts(in: state).firstIndex(of: sort) ?? 0
    }

    /// What the list of `state` can be sorted by.
    public static func sorts(in state: AppState) -> [ItemSort] {
        ItemSort.allCases.filter { $0 != .match || state.query.search.looksForText }
    }
}

struct SortReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SortAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
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
            state.ui.shown.showsBestFirst.toggle()
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
            state.ui.shown.showsBestFirst = true
        } else {
            var shown = state.ui.shown
            shown.showsBestFirst = false
            // Items can be moved only in the manual order, and not while that is reversed.
            if shown.sort != sort || sort == .manual { shown.isSortReversed = false }
            shown.sort = sort
            state.ui.shown = shown
        }
    }

    private func reverse(_ state: inout AppState) {
        if state.showsBestFirst {
            state.ui.show("Cannot reverse best matches; s chooses another sort")
            state.ui.choiceFailed()
        } else {
            state.ui.shown.isSortReversed.toggle()
        }
    }
}

extension AppState {
    /// Whether best matches come first now.
    public var showsBestFirst: Bool { ui.shown.showsBestFirst && query.search.looksForText }

    /// The field in the column of dates, or nil if there is none: the time that the rows are sorted
    /// by, else the due day, if any item has one.
    public var dateColumn: ItemSort? {
        if let sort = shownSort, sort.isTime { return sort }
        return hasDueItems ? .due : nil
    }

    /// The heading above the items: the sort, and the field in the column of dates if that is
    /// another one.
    ///
    /// - Parameter column: the field in the column of dates, or nil if there is no such column.
    public func heading(_ column: ItemSort?) -> String? {
        guard let sort = shownSort, let sortHeading else { return column?.title }
        if column == .due, sort == .due { return ui.shown.isSortReversed ? "due ↑" : "due ↓" }
        return column == .due ? "\(sortHeading) · due" : sortHeading
    }

    /// The words for the sort alone, or nil in the manual order.
    public var sortHeading: String? {
        shownSort.map { sort in
            let isReversed = ui.shown.isSortReversed
            if sort.isTime { return isReversed ? "\(sort.title) ↑" : "\(sort.title) ↓" }
            if sort == .match { return rows.isFuzzy && rows.count > 0 ? "fuzzy" : sort.title }
            return sort.title + (isReversed ? " reversed" : "")
        }
    }

    /// The sort of the rows, or nil in the manual order, in which they can be moved.
    public var shownSort: ItemSort? {
        if showsBestFirst { return .match }
        if defersSort { return nil }
        let (sort, isReversed) = (ui.shown.sort, ui.shown.isSortReversed)
        return sort == .manual && !isReversed ? nil : sort
    }

    /// Whether the list is sorted only once all of it is here: each page of a long one would be
    /// scattered over all of it.
    private var defersSort: Bool { (list.loading?.total ?? 0) > AppEnvironment.mostOfShortList }
}
