import SheafList

/// A row of the tags pane: a saved view, or a choice by tag.
package enum TagPaneRow: Hashable, Sendable {
    case view(SavedView.ID)
    case choice(TagChoice)

    /// True if the row is that of a view or tag, which has a name given by the user.
    var hasName: Bool {
        switch self {
        case .view, .choice(.tag): true
        case .choice(.all), .choice(.untagged): false
        }
    }
}

/// The chosen saved view.
///
/// The user can change the query or sort while a view is chosen. The view's row then keeps the
/// selection and shows that the items no longer match the view.
struct ChosenView: Hashable, Sendable {
    let id: SavedView.ID
    /// The view as it is shown, or `nil` while another query or sort is shown.
    var shown: SavedView?
    /// The choices that applied before the first view was chosen. They return when the selection
    /// leaves the views, so that moving across views has no lasting effect.
    var former: ViewSettings
}

/// The choices that decide which items are shown, and their order. A saved view stores these
/// choices.
package struct ViewSettings: Hashable, Sendable {
    /// The query, as it was typed.
    package var filter = ""
    /// The chosen row of the tags pane, unless a view is chosen.
    package var tagChoice = TagChoice.all
    package var hidesDone = false
    /// True if the best matches of a query with bare words come first.
    package var showsBestFirst = true
    /// The sort of the list, unless best matches come first.
    package var sort = ItemSort.manual
    package var isSortReversed = false
}

extension AppState {
    /// The chosen view, or nil if another row is chosen.
    package var selectedView: SavedView? { ui.chosenView.flatMap { views[$0.id] } }

    /// The chosen row of the tags pane.
    package var chosenRow: TagPaneRow {
        selectedView.map { .view($0.id) } ?? .choice(ui.viewSettings.tagChoice)
    }

    /// True if the current choices are exactly those of the chosen view.
    package var showsChosenView: Bool {
        guard let view = selectedView, query.error == nil else { return false }
        // Without bare words there is no best match, and the items are in manual order.
        let sort = view.sort == .match && !query.search.looksForText ? .manual : view.sort
        let settings = ui.viewSettings
        return settings.filter == view.query && settings.tagChoice == existing(view.choice)
            && settings.hidesDone == view.hidesDone
            && (showsBestFirst ? .match : settings.sort) == sort
            && settings.isSortReversed == view.reversesRows
    }

    /// Chooses a row of the tags pane and shows its items. If the selected item is not among the
    /// new rows, the first row is selected. O(query + tags).
    ///
    /// A view whose query has an error is selected, so that it can be renamed or deleted. The same
    /// items stay shown, and a toast gives the reason.
    mutating func choose(_ row: TagPaneRow, _ environment: AppEnvironment) {
        selectsFirstIfMissing = true
        let before = (ui.viewSettings, query)
        switch row {
        case .choice(let choice):
            leaveViews()
            ui.viewSettings.tagChoice = choice
        case .view(let id):
            guard let view = views[id] else { return }
            leaveViews()
            selectRow(ofView: id)
            ui.viewSettings = view.settings
            ui.viewSettings.tagChoice = existing(view.choice)
        }
        // Evaluates the query at once, because an undo selects one of the items that will be shown,
        // and because the query of a view may have an error.
        settleQuery(environment)
        guard let view = selectedView, let error = query.error else { return }
        (ui.viewSettings, query) = before
        ui.show("Cannot show view “\(view.name)”: \(error.reason)", isAlert: true)
        ui.choiceFailed()
    }

    /// Selects the row of a view. If no view is chosen yet, remembers the current choices, which
    /// return when the selection leaves the views.
    mutating func selectRow(ofView id: SavedView.ID) {
        if ui.chosenView == nil { formerQuery = query }
        ui.chosenView = ChosenView(id: id, former: ui.chosenView?.former ?? ui.viewSettings)
    }

    /// Restores the choices that applied before a view was chosen, if one is chosen.
    mutating func leaveViews() {
        guard let chosen = ui.chosenView else { return }
        ui.chosenView = nil
        ui.viewSettings = chosen.former
        // Restores the evaluated query, not its text: a tag in the text may have been deleted
        // since, and the query still finds the same items.
        query = formerQuery
        ui.viewSettings.tagChoice = existing(ui.viewSettings.tagChoice)
    }

    /// Follows the chosen view after an undo or another process has changed or deleted it. While
    /// the user types the name of a view, the current choices stay, so that Enter can save them.
    mutating func followChosenView(_ environment: AppEnvironment) {
        switch ui.mode.draft?.target {
        case .renamedView, .newView: return
        default: if ui.chosenView != nil, selectedView == nil { leaveViews() }
        }
        // An undo or another process may have changed the view's query.
        if let shown = ui.chosenView?.shown, let view = selectedView,
            view.settings != shown.settings
        {
            choose(.view(view.id), environment)
            selectsFirstIfMissing = false
        }
    }

    /// Returns `choice`, or the choice of all items if its tag is deleted.
    private func existing(_ choice: TagChoice) -> TagChoice {
        if case .tag(let id) = choice, !tags.contains(id) { .all } else { choice }
    }
}

extension SavedView {
    /// The choices that the view stores.
    var settings: ViewSettings {
        ViewSettings(
            filter: query, tagChoice: choice, hidesDone: hidesDone, showsBestFirst: sort == .match,
            sort: sort == .match ? .manual : sort, isSortReversed: reversesRows)
    }
}
