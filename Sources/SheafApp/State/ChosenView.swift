import SheafList

/// A row of the tags pane: the saved views, then what tags choose.
public enum TagPaneRow: Hashable, Sendable {
    case view(SavedView.ID)
    case choice(TagChoice)

    /// Whether it stands for something that the user has named.
    var hasName: Bool {
        switch self {
        case .view, .choice(.tag): true
        case .choice(.all), .choice(.untagged): false
        }
    }
}

/// The saved view whose row is chosen.
///
/// What is shown can be changed while it is, by another query or sort: the row keeps the selection,
/// and says that it is no longer what is shown.
struct ChosenView: Hashable, Sendable {
    let id: SavedView.ID
    /// The view as it is shown, or `nil` while another query or sort is.
    var shown: SavedView?
    /// What was shown before the first view was chosen. It comes back when the selection leaves the
    /// views: passing over them leaves nothing of theirs behind.
    var former: Shown
}

/// The choices that decide which items are shown, and their order. A saved view holds one value of
/// them.
public struct Shown: Hashable, Sendable {
    /// The query, as it was typed.
    public var filter = ""
    /// The row of the tags pane that is chosen unless a view is.
    public var tagChoice = TagChoice.all
    public var hidesDone = false
    /// True if the best matches of a query with bare words come first.
    public var showsBestFirst = true
    /// The sort of the list, unless best matches come first.
    public var sort = ItemSort.manual
    public var isSortReversed = false
}

extension AppState {
    /// The view whose row is chosen, or nil on another row.
    public var selectedView: SavedView? { ui.chosenView.flatMap { views[$0.id] } }

    /// The row of the tags pane that is chosen.
    public var chosenRow: TagPaneRow {
        selectedView.map { .view($0.id) } ?? .choice(ui.shown.tagChoice)
    }

    /// Whether what is shown is just what the chosen view says.
    public var showsChosenView: Bool {
        guard let view = selectedView, query.error == nil else { return false }
        // Without bare words no match is the best, and the items stand in the manual order.
        let sort = view.sort == .match && !query.search.looksForText ? .manual : view.sort
        let shown = ui.shown
        return shown.filter == view.query && shown.tagChoice == existing(view.choice)
            && shown.hidesDone == view.hidesDone && (showsBestFirst ? .match : shown.sort) == sort
            && shown.isSortReversed == view.reversesRows
    }

    /// Chooses a row of the tags pane, and with it what is shown. A view that cannot be shown has
    /// the selection, so that it can be renamed or deleted; the same items stay shown, and a toast
    /// says why. The first row is selected if the selected item is not among
    /// those that are shown. O(query + tags).
    mutating func choose(_ row: TagPaneRow, _ environment: AppEnvironment) {
        entersRows = true
        let before = (ui.shown, query)
        switch row {
        case .choice(let choice):
            leaveViews()
            ui.shown.tagChoice = choice
        case .view(let id):
            guard let view = views[id] else { return }
            leaveViews()
            stand(onView: id)
            ui.shown = view.shown
            ui.shown.tagChoice = existing(view.choice)
        }
        // At once: an undo selects one of the items that are shown from now on, and a view may have
        // a query that cannot be understood.
        settleQuery(environment)
        guard let view = selectedView, let error = query.error else { return }
        (ui.shown, query) = before
        ui.show("Cannot show view “\(view.name)”: \(error.reason)", isAlert: true)
        ui.choiceFailed()
    }

    /// Has the selection stand on a view's row. What was shown before the views comes back when it
    /// leaves them.
    mutating func stand(onView id: SavedView.ID) {
        if ui.chosenView == nil { formerQuery = query }
        ui.chosenView = ChosenView(id: id, former: ui.chosenView?.former ?? ui.shown)
    }

    /// Goes back to what was shown before a view was chosen, if one is.
    mutating func leaveViews() {
        guard let chosen = ui.chosenView else { return }
        ui.chosenView = nil
        ui.shown = chosen.former
        // Not what its text means now: its tag may be gone, and then it finds what it did.
        query = formerQuery
        ui.shown.tagChoice = existing(ui.shown.tagChoice)
    }

    /// A view that was chosen may be undone, or deleted elsewhere. While its name is typed what it
    /// shows stays, for Enter to save.
    mutating func followChosenView(_ environment: AppEnvironment) {
        switch ui.mode.draft?.target {
        case .renamedView, .newView: return
        default: if ui.chosenView != nil, selectedView == nil { leaveViews() }
        }
        // An undo or another process may have given it another query.
        if let shown = ui.chosenView?.shown, let view = selectedView, view.shown != shown.shown {
            choose(.view(view.id), environment)
            entersRows = false
        }
    }

    /// `choice`, or that of all items if its tag is gone.
    private func existing(_ choice: TagChoice) -> TagChoice {
        if case .tag(let id) = choice, !tags.contains(id) { .all } else { choice }
    }
}

extension SavedView {
    /// The query, tag and sort of the view.
    var shown: Shown {
        Shown(
            filter: query, tagChoice: choice, hidesDone: hidesDone, showsBestFirst: sort == .match,
            sort: sort == .match ? .manual : sort, isSortReversed: reversesRows)
    }
}
