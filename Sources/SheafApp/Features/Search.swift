import SheafList
import Swidux

/// Results of searches of a long list, from other threads.
package enum SearchAction: Sendable {
    case found(FoundRows)
}

extension SearchAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .found: .program
        }
    }
}

/// The rows that a search found.
package struct FoundRows: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let rows: ItemRows

    package var description: String { "\(rows.count) rows" }
    package var debugDescription: String { description }
}

/// A running search of a long list.
struct Searching: Sendable {
    let definition: RowsDefinition
    /// The distance from the best match to the row that is selected when the search ends, or nil if
    /// the selection stays.
    var stepsFromBest: Int?
}

extension SearchAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .found(let found):
            // Only the newest search counts.
            guard found.rows.definition == state.searching?.definition else { return nil }
            state.redefine { rows, items in rows.adopt(found.rows, from: items) }
            state.searching = nil
        }
        return nil
    }
}

extension AppState {
    /// The number of note bytes that take as long to search as one item.
    private static let noteLength = 1_000

    /// Updates the rows from the items. If `wanted` is a new definition, replaces the rows, or
    /// returns an effect that searches for them.
    ///
    /// - Parameter replacement: the item that becomes selected in place of a deleted one.
    mutating func settleRows(
        _ wanted: RowsDefinition, replacement: Item.ID?, _ environment: AppEnvironment
    ) -> Effect? {
        // Done first, because a query that is being typed may select its best match instead.
        if let replacement { ui.selectedItem = replacement }
        // Done before the update, so that the selected item keeps its row if an edit excludes it
        // from the query.
        if wanted == rows.definition { rows.pinned = ui.selectedItem }
        rows.update(from: items)
        if wanted == rows.definition, !rows.isOutdated {
            selectsFirstIfMissing = false
            guard searching != nil else { return nil }
            searching = nil
            return Effects.cancel(id: EffectID.search)
        }
        if items.count <= environment.maxSearchedAtOnce,
            rows.noteBytes <= environment.maxSearchedAtOnce * Self.noteLength
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
        return Effects.cancellable(id: EffectID.search, cancelInFlight: true) { send in
            guard let rows = await search.run(width: RowsSearch.width) else { return }
            await send(.search(.found(FoundRows(rows: rows))))
        }
    }

    /// True if a movement need not wait for the search, because it starts at the best match.
    var beginsAtBest: Bool {
        guard case .filter = ui.mode else { return false }
        return searching?.stepsFromBest != nil
    }

    /// Returns true if the best match becomes selected, because the user is typing a query with the
    /// best matches first.
    private func selectsBest(of rows: RowsDefinition, after before: RowsDefinition) -> Bool {
        guard case .filter = ui.mode else { return false }
        return rows.isRanked && rows.search != before.search
    }

    /// Replaces the rows. While the user types a query that shows the best matches first, selects
    /// the best match. Otherwise, if the selected item is not among the new rows, selects the first
    /// row of a newly chosen tag or view, or else the next remaining row.
    mutating func redefine(_ change: (inout ItemRows, EntityStore<Item>) -> Void) {
        let before = rows.definition
        change(&rows, items)
        let isBestSelected = selectsBest(of: rows.definition, after: before)
        if let steps = searching?.stepsFromBest ?? (isBestSelected ? 0 : nil) {
            ui.selectedItem = rows.id(at: min(steps, max(rows.count - 1, 0))) ?? ui.selectedItem
        }
        // The first item that is scheduled for a later day changes the definition, which hides such
        // items from then on. As with later ones, the item keeps its row until the selection leaves
        // it.
        var same = before
        same.countedSearch = rows.definition.countedSearch
        var hiding = same
        hiding.search = same.search.hidingScheduled(today: today)
        hiding.fuzzy = same.fuzzy?.hidingScheduled(today: today)
        // The selected item also keeps its row if only a new day excludes it, because the next key
        // must act on the item that the user saw selected.
        let isNewDay = rowsInputs.day != today && rowsInputs.settings == ui.viewSettings
        rowsInputs = (ui.viewSettings, today)
        if isNewDay || [same, hiding].contains(rows.definition) { rows.pinned = ui.selectedItem }
        defer { selectsFirstIfMissing = false }
        guard let id = ui.selectedItem, rows.row(of: id) == nil,
            let row = rows.insertionRow(of: id)
        else { return }
        ui.selectedRow = selectsFirstIfMissing ? 0 : row
        ui.selectedItem = rows.id(at: min(ui.selectedRow, rows.count - 1))
    }
}

extension AppState {
    /// The definition of the rows for the current tag, query and sort, with or without done items.
    var rowsDefinition: RowsDefinition {
        let settings = ui.viewSettings
        var definition = RowsDefinition()
        definition.search = excludingHidden(query.search, of: query, hidesDone: settings.hidesDone)
        if let former = ui.chosenView?.former {
            let search = excludingHidden(
                formerQuery.search, of: formerQuery, hidesDone: former.hidesDone)
            if search != definition.search { definition.countedSearch = search }
        } else {
            definition.fuzzy = query.fuzzy.map {
                excludingHidden($0, of: query, hidesDone: settings.hidesDone)
            }
        }
        definition.choice =
            switch settings.tagChoice {
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
                    sort: sort, isReversed: settings.isSortReversed,
                    tagPlaces: sort == .tag ? query.tagPlaces : [:],
                    dayShift: sort.isTime ? query.dayShift : 0)
            }
        return definition
    }

    /// Returns `search` without the items that are hidden from `query`.
    private func excludingHidden(
        _ search: ItemSearch, of query: ListQuery, hidesDone: Bool
    ) -> ItemSearch {
        let search = hidesDone ? search.and(.state(.open)) : search
        return hidesScheduled(from: query) && totals.later > 0
            ? search.hidingScheduled(today: today) : search
    }

    /// True if items that are scheduled for a later day are hidden.
    var hidesScheduled: Bool { hidesScheduled(from: query) }

    /// Returns true if items that are scheduled for a later day are hidden from the rows of
    /// `query`. A query that asks for such items shows them.
    private func hidesScheduled(from query: ListQuery) -> Bool {
        !ui.showsScheduled && !query.asksForScheduled
    }

    /// Returns true if an item matches the current definition. O(name + note).
    func isIncluded(_ item: Item) -> Bool { includedSearch.finds(item) }

    /// Returns true if the item `id` exists and matches the current definition.
    func isIncluded(_ id: Item.ID) -> Bool { items[id].map(isIncluded) ?? false }

    /// The search for all items of the current definition.
    var includedSearch: ItemSearch {
        let definition = rowsDefinition
        let search = rows.isFuzzy ? definition.fuzzy : nil
        return (search ?? definition.search).and(definition.choice)
    }
    /// The tags that all visible items must have, and that a new item therefore gets, in tag order.
    package var tagsOfNewItems: [Tag] {
        includedSearch.requirements.tags.compactMap { tags[$0] }
            .sorted { $0.position < $1.position }
    }

    /// The priority that all visible items must have, and that a new item therefore gets, or nil.
    package var priorityOfNewItems: Priority? { includedSearch.requirements.priority }
}
