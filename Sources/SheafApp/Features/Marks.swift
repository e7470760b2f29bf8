import SheafList
import Swidux

/// Marking items, so that a command acts on all of them: `Space`, `V`, `v` and `^A`.
package enum MarkAction: Hashable, Sendable {
    /// Inverts the mark of the current item and selects the next row. With a count, inverts the
    /// marks of that many items. With an open range, marks the range instead.
    case toggled
    /// Starts a range at the current row, or marks the open range.
    case rangeToggled
    /// Inverts the marks of all visible rows.
    case inverted
    case allMarked
    /// The marked items after the ``MarkFill`` with this number, which ran on another thread.
    case filled(Set<Item.ID>, fill: Int)
    /// The marked items that no row shows, as the search with this number found them.
    case hiddenFound(Set<Item.ID>, search: Int)
}

extension MarkAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .toggled, .rangeToggled, .inverted, .allMarked:
            var traits = ActionTraits.user(under: .items, ends: [.count, .viewRestoration])
            traits.setsSelection = true
            return traits
        case .filled, .hiddenFound: return .program
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .toggled where state.ui.marks.range != nil:
            return state.markRange()
        case .toggled:
            toggle(&state)
        case .rangeToggled where state.ui.marks.range != nil:
            return state.markRange()
        case .rangeToggled:
            guard let item = state.chosenItem() else { return nil }
            state.ui.marks.range = (item.id, state.ui.selectedRow)
            if let count = state.ui.count { state.select(row: state.ui.selectedRow + count - 1) }
        case .inverted:
            state.markRangeAtOnce()
            return state.fillMarks(0..<state.rows.count, inverts: true)
        case .allMarked:
            state.ui.marks.range = nil
            return state.fillMarks(0..<state.rows.count)
        case .filled(let ids, let fill):
            state.ui.marks.adopt(ids, fill: fill)
        case .hiddenFound(let ids, let search):
            state.ui.marks.adopt(hidden: ids, search: search)
        }
        return nil
    }

    private func toggle(_ state: inout AppState) {
        guard state.chosenItem() != nil else { return }
        let count = state.ui.count ?? 1
        let row = state.ui.selectedRow
        state.ui.marks.toggle(state.rows.ids(in: row..<row + count))
        state.select(row: row + count)
    }
}

extension AppState {
    /// Marks or inverts rows, on another thread if there are many.
    fileprivate mutating func fillMarks(_ range: Range<Int>, inverts: Bool = false) -> Effect? {
        guard let fill = ui.marks.fill(range, of: rows, inverts: inverts) else { return nil }
        return { send in await send(.marks(.filled(await fill.run(), fill: fill.number))) }
    }

    /// Marks the rows of the open range, and ends the range.
    mutating func markRange() -> Effect? {
        guard let range = markedRange else { return nil }
        ui.marks.range = nil
        return fillMarks(range.lowerBound..<range.upperBound + 1)
    }

    /// Returns true if `action` applies to the rows of the open range, and must wait until another
    /// thread has marked them because there are many.
    package func closesLargeRange(_ action: AppAction, requiring requirement: Requirement) -> Bool {
        guard requirement.verb != nil, let range = markedRange,
            range.count > MarkedItems.maxMarkedAtOnce
        else {
            return false
        }
        return switch action {
        case .marks(.inverted): true
        case .marks: false
        default: true
        }
    }

    /// Returns the question before a command on marked items, or `nil` if all of them are visible.
    /// Deleting asks its own question.
    func questionAboutHiddenMarks(of action: AppAction) -> Confirmation? {
        guard ui.mode.isNormal, ui.marks.count > 0, let hidden = ui.marks.hiddenCount, hidden > 0
        else { return nil }
        return verb(of: action).map { question(about: action, verb: $0) }
    }

    func question(about action: AppAction, verb: String) -> Confirmation {
        let (count, hidden) = (ui.marks.count, ui.marks.hiddenCount ?? 0)
        let what = hidden == 0 ? count.items : "\(count.items), \(hiddenMarks)"
        return Confirmation(
            question: "\(verb.sentenceCased) \(what)?",
            shorterForms: ["\(what)?"]
                + (hidden == 0
                    ? [] : ["\(hiddenMarks.sentenceCased)?", "\(hidden.grouped) hidden?"]),
            verb: verb, confirmed: action)
    }

    /// Returns the verb for the effect of `action` on marked items, or `nil` if it has no effect on
    /// them, asks its own question, or is refused.
    func verb(of action: AppAction) -> String? {
        if case .items(.moveRequested) = action, noneVisible { return nil }
        if case .items(.moveToEndRequested) = action, noneVisible { return nil }
        return action.traits.verbOnMarks
    }

    private var noneVisible: Bool { ui.marks.hiddenCount == ui.marks.count }

    /// The number of marked items that are not visible, in words: `3 not visible`, `none visible`.
    var hiddenMarks: String {
        let hidden = ui.marks.hiddenCount ?? 0
        return noneVisible ? "none visible" : "\(hidden.grouped) not visible"
    }

    /// Returns true if the item in a row is marked, or is in the open range. O(1).
    package func isMarked(_ id: Item.ID, at row: Int) -> Bool {
        markedRange?.contains(row) ?? false || ui.marks.contains(id)
    }

    /// The rows of the open range, or nil if none is open. O(1).
    package var markedRange: ClosedRange<Int>? {
        ui.marks.range.map { min($0.row, ui.selectedRow)...max($0.row, ui.selectedRow) }
    }

    /// Marks the rows of the open range, if there is one, at once. O(rows of the range).
    mutating func markRangeAtOnce() {
        guard let range = markedRange else { return }
        ui.marks.range = nil
        ui.marks.insert(rows.ids(in: range.lowerBound..<range.upperBound + 1))
    }

    /// Selects a row, or the nearest existing one.
    mutating func select(row: Int) {
        guard rows.count > 0 else { return }
        ui.selectedRow = max(0, min(row, rows.count - 1))
        ui.selectedItem = rows.id(at: ui.selectedRow)
    }

    /// Updates the marks after the items or rows have changed.
    mutating func settleMarks() -> Effect? {
        if let range = ui.marks.range {
            let row = rows.row(of: range.item) ?? min(range.row, rows.count - 1)
            ui.marks.range = rows.id(at: row).map { ($0, row) }
        }
        return ui.marks.follow(items, rows, selection: ui.selectedItem)
    }
}
