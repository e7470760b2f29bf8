import SheafList
import Swidux

/// What searches of a long list find, on other threads.
public enum SearchAction: Sendable {
    case found(FoundRows)
}

extension SearchAction: FeatureAction {
    static let reducer = SearchReducer()

    var traits: ActionTraits {
        switch self {
        case .found: .program
        }
    }
}

/// The rows that a search found, for the reducer to take over.
public struct FoundRows: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let rows: ItemRows

    public var description: String { "\(rows.count) rows" }
    public var debugDescription: String { description }
}

/// A search of a long list that goes on.
struct Searching: Sendable {
    let definition: RowsDefinition
    /// How far below the best match the selection is to be once the rows are there; nil if it stays
    /// where it is.
    var stepsFromBest: Int?
}

struct SearchReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SearchAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .found(let found):
            // The newest query wins, and what the rows already are has been found.
            guard found.rows.definition == state.searching?.definition else { return nil }
            state.redefine { rows, items in rows.take(found.rows, from: items) }
            state.searching = nil
        }
        return nil
    }
}

extension AppState {
    private struct SearchID: Hashable {}

    /// This many bytes of a note are looked through in the time that an item takes.
    private static let noteLength = 1_000

    /// Updates the rows from the items, and makes them those of `wanted` or returns the search for
    /// them.
    ///
    /// - Parameter heir: the item that takes over the selection from a deleted one.
    mutating func settleRows(
        _ wanted: RowsDefinition, heir: Item.ID?, _ environment: AppEnvironment
    ) -> Effect? {
        // First, because a query that is typed may select its best match instead.
        if let heir { ui.selectedItem = heir }
        // Before the update: if an edit takes the selected item out of the query, it keeps its row.
        if wanted == rows.definition { rows.pinned = ui.selectedItem }
        rows.update(from: items)
        if wanted == rows.definition, !rows.isOutdated {
            entersRows = false
            guard searching != nil else { return nil }
            searching = nil
            return Effects.cancel(id: SearchID())
        }
        if items.count <= environment.mostSearchedAtOnce,
            rows.noteBytes <= environment.mostSearchedAtOnce * Self.noteLength
        {
            searching = nil
            redefine { rows, items in rows.define(wanted, in: items) }
            return nil
        }
        guard wanted != searching?.definition else { return nil }
        searching = Searching(
            definition: wanted,
            stepsFromBest: selectsBest(of: wanted, after: rows.definition) ? 0 : nil)
        let search = rows.searching(wanted)
        return Effects.cancellable(id: SearchID(), cancelInFlight: true) { send in
            guard let rows = await search.run(width: RowsSearch.width) else { return }
            await send(.search(.found(FoundRows(rows: rows))))
        }
    }

    /// True if a step need not wait for the search: it begins at the best match.
    var beginsAtBest: Bool {
        guard case .filter = ui.mode else { return false }
        return searching?.stepsFromBest != nil
    }

    /// While a query is typed, and the best matches come first, the best of them is selected.
    private func selectsBest(of rows: RowsDefinition, after before: RowsDefinition) -> Bool {
        guard case .filter = ui.mode else { return false }
        return rows.isRanked && rows.search != before.search
    }

    /// Makes the rows others. An item that is not among them loses the selection to the next that
    /// is, to the best, or to the first of a tag or view that was chosen.
    mutating func redefine(_ change: (inout ItemRows, EntityStore<Item>) -> Void) {
        let before = rows.definition
        change(&rows, items)
        let isBestSelected = selectsBest(of: rows.definition, after: before)
        if let steps = searching?.stepsFromBest ?? (isBestSelected ? 0 : nil) {
            ui.selectedItem = rows.id(at: min(steps, max(rows.count - 1, 0))) ?? ui.selectedItem
        }
        // The first item that is scheduled stays until the selection leaves it, as later ones do.
        var same = before
        same.countedApart = rows.definition.countedApart
        var hiding = same
        hiding.search = same.search.hidingScheduled(today: today)
        hiding.fuzzy = same.fuzzy?.hidingScheduled(today: today)
        if [same, hiding].contains(rows.definition) { rows.pinned = ui.selectedItem }
        defer { entersRows = false }
        guard let id = ui.selectedItem, rows.row(of: id) == nil,
            let row = rows.insertionRow(of: id)
        else { return }
        ui.selectedRow = entersRows ? 0 : row
        ui.selectedItem = rows.id(at: min(ui.selectedRow, rows.count - 1))
    }
}

extension AppState {
    /// The definition of the rows that the chosen tag, the query, `H` and the sort ask for now.
    var rowsDefinition: RowsDefinition {
        let shown = ui.shown
        var definition = RowsDefinition()
        definition.search = leavingOutHidden(query.search, of: query, hidesDone: shown.hidesDone)
        if let former = ui.chosenView?.former {
            let search = leavingOutHidden(
                formerQuery.search, of: formerQuery, hidesDone: former.hidesDone)
            if search != definition.search { definition.countedApart = search }
        } else {
            definition.fuzzy = query.fuzzy.map {
                leavingOutHidden($0, of: query, hidesDone: shown.hidesDone)
            }
        }
        definition.choice =
            switch shown.tagChoice {
            case .all: .everything
            case .untagged: .state(.untagged)
            case .tag(let id): .tag(id)
            }
        definition.order =
            switch shownSort {
            case nil: .manual
            case .match: ItemOrder(sort: .match)
            case let sort?:
                ItemOrder(
                    sort: sort, isReversed: shown.isSortReversed,
                    tagPlaces: sort == .tag ? query.tagPlaces : [:],
                    dayShift: sort.isTime ? query.dayShift : 0)
            }
        return definition
    }

    /// A search that leaves out the items that are hidden from `query`.
    private func leavingOutHidden(
        _ search: ItemSearch, of query: ListQuery, hidesDone: Bool
    ) -> ItemSearch {
        let search = hidesDone ? search.and(.state(.open)) : search
        return hidesScheduled(from: query) && totals.later > 0
            ? search.hidingScheduled(today: today) : search
    }

    /// Whether items that are scheduled for a later day are hidden.
    var hidesScheduled: Bool { hidesScheduled(from: query) }

    /// True if rows of `query`, which may ask for such days itself, leave out scheduled items.
    private func hidesScheduled(from query: ListQuery) -> Bool {
        !ui.showsScheduled && !query.asksForScheduled
    }

    /// Whether an item is one of the rows asked for now. O(name + note).
    func isIncluded(_ item: Item) -> Bool { includedSearch.finds(item) }

    /// True if the item `id` exists and is included.
    func isIncluded(_ id: Item.ID) -> Bool { items[id].map(isIncluded) ?? false }

    /// The search that finds the rows asked for now.
    var includedSearch: ItemSearch {
        let definition = rowsDefinition
        let search = rows.isFuzzy ? definition.fuzzy : nil
        return (search ?? definition.search).and(definition.choice)
    }
    /// The tags that a new item gets because all items that are shown must have them, in tag order.
    public var tagsOfNewItems: [Tag] {
        includedSearch.requirements.tags.compactMap { tags[$0] }
            .sorted { $0.position < $1.position }
    }

    /// The priority that a new item gets because all items that are shown must have it, or nil.
    public var priorityOfNewItems: Priority? { includedSearch.requirements.priority }
}
