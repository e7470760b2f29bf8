import SheafList

/// Navigation: moving through rows and panes, and closing open boxes.
package enum BrowseAction: Hashable, Sendable {
    case moved(Move)
    /// Selects an item under the pointer, and focuses its pane.
    case itemChosen(Item.ID)
    /// Chooses a row of the tags pane under the pointer.
    case tagRowChosen(TagPaneRow)
    /// Scrolls the pane under the pointer, whether or not it has the focus, and moves its selection
    /// only if it would leave the pane.
    case scrolled(Pane, rows: Int)
    case paneChosen(Pane)
    /// Focuses the pane this number of panes to the right, or to the left if it is negative.
    case paneMoved(by: Int)
    /// Focuses the next pane, or after the last pane the first.
    case nextPaneChosen
    /// Enter in the tags pane: focuses the items, and restores the saved query and sort of a
    /// changed view.
    case rowEntered
    case hideDoneToggled
    /// `W`: shows or hides the statistics of changes on their way to storage.
    case writesToggled
    /// `\`: hides the tags pane or shows it again.
    case tagsToggled
    /// Esc: resets the innermost setting or selection, and never quits.
    case escaped
    /// `q`: closes the open box, or quits if none is open.
    case closed

    /// A movement of the selection in the pane with the focus.
    package enum Move: Hashable, Sendable {
        case rows(Int)
        case halfPages(Int)
        case pages(Int)
        case toFirst, toLast
        /// A row number, counted from 0.
        case toRow(Int)
    }
}

extension BrowseAction: FeatureAction {
    var traits: ActionTraits {
        var traits = ActionTraits.user(under: .moving)
        switch self {
        case .moved, .scrolled: traits.ends = [.count, .viewRestoration]
        case .itemChosen, .tagRowChosen: break
        case .paneChosen, .paneMoved, .nextPaneChosen, .rowEntered: traits.ends = [.count, .range]
        case .hideDoneToggled: traits.heading = .finding
        case .escaped: (traits.ends, traits.heading) = (.count, .program)
        case .writesToggled, .tagsToggled:
            (traits.ends, traits.heading) = (.count, .program)
            return traits
        case .closed:
            (traits.ends, traits.heading) = ([.count, .range], .program)
            return traits
        }
        traits.setsSelection = true
        return traits
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .moved(let move):
            let move = move.repeated(state.ui.count)
            switch state.ui.pane {
            case .items: moveItemSelection(&state, move)
            case .tags: moveTagSelection(&state, move, environment)
            }
        case .itemChosen(let id):
            state.ui.pane = .items
            if state.rows.row(of: id) != nil { state.ui.selectedItem = id }
        case .tagRowChosen(let row):
            state.ui.pane = .tags
            state.choose(row, environment)
        case .scrolled(let pane, let rows):
            scroll(&state, pane, by: rows, environment)
        case .paneChosen(let pane):
            state.ui.pane = pane
        case .paneMoved(let step):
            movePane(&state, by: step, wraps: false)
        case .nextPaneChosen:
            movePane(&state, by: 1, wraps: true)
        case .rowEntered:
            state.ui.pane = .items
            if let view = state.selectedView, !state.showsChosenView {
                state.ui.remembered = nil
                state.choose(.view(view.id), environment)
            }
        case .hideDoneToggled:
            state.ui.viewSettings.hidesDone.toggle()
            state.ui.show(
                state.ui.viewSettings.hidesDone ? "Done items hidden" : "Done items shown")
        case .writesToggled:
            state.ui.showsWrites.toggle()
        case .tagsToggled:
            state.ui.hidesTags.toggle()
            if state.ui.hidesTags { state.ui.pane = .items }
        case .escaped:
            escape(&state, environment)
        case .closed:
            if state.ui.showsWrites {
                state.ui.showsWrites = false
            } else {
                return LeavingAction.quitRequested.reduce(&state, environment)
            }
        }
        return nil
    }

    private func movePane(_ state: inout AppState, by step: Int, wraps: Bool) {
        let panes = state.ui.panes
        guard let place = panes.firstIndex(of: state.ui.pane) else { return }
        let next = place + step
        if wraps || panes.indices.contains(next) {
            state.ui.pane = panes[(next + panes.count) % panes.count]
        }
    }

    /// Resets one setting, and shows a message about it if the screen does not show the effect.
    private func escape(_ state: inout AppState, _ environment: AppEnvironment) {
        if state.ui.count != nil {
            return
        } else if !state.ui.pendingKeys.isEmpty {
            state.ui.pendingKeys = []
        } else if state.ui.showsWrites {
            state.ui.showsWrites = false
        } else if state.ui.marks.range != nil {
            state.ui.marks.range = nil
        } else if !state.ui.marks.isEmpty {
            state.ui.marks.removeAll()
            state.ui.show("Marks cleared")
        } else if state.ui.chosenView != nil {
            let name = state.selectedView?.name
            state.leaveViews()
            if let name { state.ui.show("View closed: “\(name)”") }
        } else if !state.ui.viewSettings.filter.isEmpty {
            state.ui.viewSettings.filter = ""
            state.ui.viewSettings.showsBestFirst = true
            state.ui.show("Query cleared")
        } else if state.ui.viewSettings.tagChoice != .all {
            state.choose(.choice(.all), environment)
            state.ui.show("Showing all items")
        } else if state.ui.toast != nil {
            state.ui.toast = nil
        } else {
            state.ui.pane = .items
        }
    }

    private func scroll(
        _ state: inout AppState, _ pane: Pane, by rows: Int, _ environment: AppEnvironment
    ) {
        let layout = Layout(state)
        switch pane {
        case .items:
            guard state.rows.count > 0 else { return }
            state.scrollItems(by: rows, layout)
            guard !state.ui.itemScroll.isAway else { return }
            let row = state.ui.itemScroll.visibleRow(
                state.ui.selectedRow, height: state.shownItemRows(layout))
            state.select(row: row)
        case .tags:
            state.ui.tagScroll.scroll(by: rows, last: state.tagRowCount - layout.paneRows)
            let row = state.row(of: state.chosenRow)
            let shown = state.ui.tagScroll.visibleRow(row, height: layout.paneRows)
            if shown != row { state.choose(state.tagPaneRow(at: shown), environment) }
        }
    }

    private func moveItemSelection(_ state: inout AppState, _ move: BrowseAction.Move) {
        let count = state.rows.count
        guard count > 0 else { return }
        let layout = Layout(state)
        let height = state.shownItemRows(layout)
        if let rows = move.scroll(height: height) { state.scrollItems(by: rows, layout) }
        let row = move.target(from: state.ui.selectedRow, height: height, count: count)
        state.select(row: row)
    }

    private func moveTagSelection(
        _ state: inout AppState, _ move: BrowseAction.Move, _ environment: AppEnvironment
    ) {
        let count = state.tagRowCount
        let height = Layout(state).paneRows
        if let rows = move.scroll(height: height) {
            state.ui.tagScroll.scroll(by: rows, last: count - height)
        }
        let row = move.target(from: state.row(of: state.chosenRow), height: height, count: count)
        let reached = state.tagPaneRow(at: row)
        // A changed view stays changed while the selection stays on its row.
        if reached != state.chosenRow { state.choose(reached, environment) }
    }
}

extension AppState {
    fileprivate mutating func scrollItems(by rows: Int, _ layout: Layout) {
        let last = firstItemPlace(showing: itemPlaceCount - 1, layout)
        ui.itemScroll.scroll(by: rows, last: last)
    }
}

extension BrowseAction.Move {
    /// Returns the movement repeated `count` times. A movement to a given row becomes one to the
    /// row with number `count`.
    func repeated(_ count: Int?) -> Self {
        guard let count else { return self }
        return switch self {
        case .rows(let rows): .rows(rows * count)
        case .halfPages(let pages): .halfPages(pages * count)
        case .pages(let pages): .pages(pages * count)
        case .toFirst, .toLast, .toRow: .toRow(count - 1)
        }
    }

    /// Returns the row that the movement leads to, clamped to the `count` existing rows.
    func target(from row: Int, height: Int, count: Int) -> Int {
        let target =
            switch self {
            case .rows(let rows): row + rows
            case .halfPages, .pages: row + (scroll(height: height) ?? 0)
            case .toFirst: 0
            case .toLast: count - 1
            case .toRow(let row): row
            }
        return max(0, min(target, count - 1))
    }

    /// Returns the number of rows by which the list scrolls with the selection, or nil if the list
    /// scrolls only when necessary.
    func scroll(height: Int) -> Int? {
        switch self {
        case .halfPages(let pages): pages * max(height / 2, 1)
        case .pages(let pages): pages * max(height - 1, 1)
        case .rows, .toFirst, .toLast, .toRow: nil
        }
    }
}
