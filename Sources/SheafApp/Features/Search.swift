import SheafList
import Swidux

/// What searches of a long list find, on other threads.
public enum SearchAction: Sendable {
    /// The rows that are known before the others: those around the selection, or the best.
    case firstFound(FoundFirstRows)
    case found(FoundRows)
}

/// The rows that are known first.
public struct FoundFirstRows: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let rows: FirstRows

    public var description: String { "\(rows.count) rows" }
    public var debugDescription: String { description }
}

/// The rows that a search found, for the reducer to take over.
public struct FoundRows: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    let result: RowsSearch.Result

    public var description: String { "\(result.count) rows" }
    public var debugDescription: String { description }
}

struct SearchReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SearchAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .firstFound(let found):
            guard found.rows.definition == state.searching else { return nil }
            state.firstRows = found.rows
            state.selectFirst()
        case .found(let found):
            // The newest query wins, and what the rows already are has been found.
            guard found.result.definition == state.searching else { return nil }
            state.redefine { rows, items in rows.take(found.result, from: items) }
            state.searching = nil
        }
        return nil
    }
}

extension AppState {
    private struct SearchID: Hashable {}

    /// So many bytes of a note are looked through in the time that an item takes.
    private static let noteLength = 1_000
    /// So many times longer than a short list is one that takes so long that its first rows are
    /// shown before.
    private static let longList = 16

    /// Lets the rows follow the items, and makes them what is asked for now, or returns what looks
    /// for it.
    mutating func settleRows(_ environment: AppEnvironment) -> Effect? {
        let wanted = rowsDefinition
        if wanted == rows.definition {
            entersRows = false
            rows.pinned = ui.selectedItem
            rows.update(from: items)
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
        rows.update(from: items)
        if let earlier = rows.earlier(wanted) {
            let isSearching = searching != nil
            searching = nil
            redefine { rows, items in rows.take(earlier, from: items) }
            return isSearching ? Effects.cancel(id: SearchID()) : nil
        }
        guard wanted != searching else { return nil }
        searching = wanted
        selectsBest = selectsBest(of: wanted, after: rows.definition)
        func isLong(_ count: Int) -> Bool {
            count / Self.longList > environment.mostSearchedAtOnce
        }
        let search = rows.searching(
            wanted, around: isLong(items.count) ? ui.selectedItem : nil,
            tellsBest: selectsBest
                && isLong(wanted.narrows(rows.definition) ? rows.count : items.count))
        return Effects.cancellable(id: SearchID(), cancelInFlight: true) { send in
            let found = await search.run(width: SideBySide.width) { first in
                await send(.search(.firstFound(FoundFirstRows(rows: first))))
            }
            guard let result = found else { return }
            await send(.search(.found(FoundRows(result: result))))
        }
    }

    /// Whether a step need not wait for what is searched for: it is known from where it goes.
    var stepsFromBest: Bool {
        guard case .filter = ui.mode else { return false }
        return selectsBest
    }

    /// While a query is typed, and the best matches come first, the best of them is selected.
    private func selectsBest(of rows: RowsDefinition, after before: RowsDefinition) -> Bool {
        guard case .filter = ui.mode else { return false }
        return rows.isRanked && rows.search != before.search
    }

    /// Selects the best match that is known, as far beyond it as the selection has stepped since;
    /// false if it is not known.
    @discardableResult
    mutating func selectFirst() -> Bool {
        guard selectsBest, let firstRows, firstRows.count > 0 else { return false }
        let row = min(stepsWhileSearching, firstRows.count - 1)
        ui.selectedItem = firstRows.id(at: row) ?? ui.selectedItem
        return true
    }

    /// Makes the rows others. An item that is not among them loses the selection to the next that
    /// is, to the best, or to the first of a tag or view that was chosen.
    mutating func redefine(_ change: (inout ItemRows, EntityStore<Item>) -> Void) {
        let before = rows.definition
        change(&rows, items)
        if selectsBest || selectsBest(of: rows.definition, after: before) {
            let row = min(stepsWhileSearching, max(rows.count - 1, 0))
            ui.selectedItem = rows.id(at: row) ?? ui.selectedItem
        }
        // The first item that is scheduled stays until the selection leaves it, as later ones do.
        var same = before
        same.countedApart = rows.definition.countedApart
        var hiding = same
        hiding.search = same.search.hidingScheduled(today: today)
        if [same, hiding].contains(rows.definition) { rows.pinned = ui.selectedItem }
        defer { entersRows = false }
        guard let id = ui.selectedItem, rows.row(of: id) == nil,
            let row = rows.insertionRow(of: id)
        else { return }
        ui.selectedRow = entersRows ? 0 : row
        ui.selectedItem = rows.id(at: min(ui.selectedRow, rows.count - 1))
    }
}
