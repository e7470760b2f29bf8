import FoundationEssentials
import SheafList

/// The parts of the screen that are restored at the next start, such as the chosen row of the tags
/// pane, the selection and the sort. The current query is not restored, because the list would look
/// empty for no visible reason. If a saved view is chosen, its query is restored, because the
/// view's row is visible. The tag and the sort are then those from before the view.
///
/// If another version of the program cannot read the value, it starts as if there were none.
package struct RememberedView: Codable, Hashable, Sendable {
    package var tag: Tag.ID?
    package var showsUntagged = false
    /// The chosen view.
    package var view: SavedView.ID?
    /// The tag that the chosen view shows.
    package var viewTag: Tag.ID?
    package var selectedItem: Item.ID?
    package var hidesDone = false
    package var showsScheduled = false
    package var sort = ItemSort.manual
    package var isSortReversed = false
    /// Earlier queries, latest first.
    package var queries: [String] = []
    package var showsInspector = false
    package var hidesTags = false
    /// The names of the actions that were last chosen from the palette, latest first.
    package var usedActions: [String] = []

    /// Creates the value for the view that `state` shows, or has yet to restore.
    package init(_ state: AppState) {
        if let remembered = state.ui.remembered {
            self = remembered
            // The following are restored at once, before any part of the list is loaded.
            queries = state.ui.queries
            showsInspector = state.ui.inspector.isShown
            hidesTags = state.ui.hidesTags
            usedActions = state.ui.usedActions
            return
        }
        let settings = state.ui.chosenView?.former ?? state.ui.viewSettings
        if case .tag(let id) = settings.tagChoice { tag = id }
        showsUntagged = settings.tagChoice == .untagged
        view = state.selectedView?.id
        if view != nil, case .tag(let id) = state.ui.viewSettings.tagChoice { viewTag = id }
        selectedItem = state.ui.selectedItem
        hidesDone = settings.hidesDone
        showsScheduled = state.ui.showsScheduled
        sort = settings.sort
        isSortReversed = settings.isSortReversed
        queries = state.ui.queries
        showsInspector = state.ui.inspector.isShown
        hidesTags = state.ui.hidesTags
        usedActions = state.ui.usedActions
    }
}

extension AppState {
    /// Restores the parts of the last run's view that are loaded, unless the user has moved on.
    mutating func restoreView(_ environment: AppEnvironment) {
        guard let view = ui.remembered else { return }
        if ui.chosenView == nil { restoreShown(of: view, environment) }
        if let id = view.selectedItem {
            guard let item = items[id] else { return }
            if isIncluded(item) {
                ui.selectedItem = id
            } else {
                loseSelection("is hidden")
            }
        }
        ui.remembered = nil
    }

    /// Refuses the keys that were typed ahead for the remembered item, because the first row is
    /// selected instead.
    private mutating func loseSelection(_ fate: String) {
        guard ui.waitingKeys > 0, ui.lostSubject == nil else { return }
        ui.lostSubject = .notChosen("The item that was selected last \(fate)")
    }

    /// Restores the rest of the remembered view when the load ends.
    mutating func endRestoration(_ environment: AppEnvironment) {
        restoreView(environment)
        if ui.remembered != nil { loseSelection("has been deleted") }
        ui.remembered = nil
    }

    /// Shows a message if the view or tag that was chosen when the program last ended is deleted.
    /// Call it once, when tags and views are loaded.
    mutating func showLoss(from view: RememberedView) {
        if let id = view.view, !views.contains(id) {
            ui.showOtherRows(because: "The view that was shown last has been deleted")
        } else if let id = view.viewTag, !tags.contains(id) {
            ui.showOtherRows(because: "The tag of the view that was shown last has been deleted")
        } else if let id = view.tag, view.view == nil, !tags.contains(id) {
            ui.showOtherRows(because: "The tag that was chosen last has been deleted")
        }
    }

    private mutating func restoreShown(of view: RememberedView, _ environment: AppEnvironment) {
        ui.showsScheduled = view.showsScheduled
        ui.viewSettings.hidesDone = view.hidesDone
        ui.viewSettings.sort = view.sort == .match ? .manual : view.sort
        ui.viewSettings.isSortReversed = view.isSortReversed
        if let tag = view.tag, tags.contains(tag) {
            ui.viewSettings.tagChoice = .tag(tag)
        } else if view.showsUntagged {
            ui.viewSettings.tagChoice = .untagged
        }
        guard let id = view.view else { return }
        choose(.view(id), environment)
        // The user did not choose the rows that are shown instead.
        if case .notChosen(let reason) = ui.lostSubject { ui.lostSubject = .otherRows(reason) }
    }
}
