import FoundationEssentials
import SheafList

/// What of the screen comes back at the next start: the chosen row of the tags pane, the selection,
/// and whether done items are hidden. The words of the filter do not: a list that looks emptied for
/// no reason in sight is no welcome. Those of a saved view do, for its row is in sight; the other
/// members are then what was shown before it.
///
/// Another version of the program may not read it: then it is as if nothing had been remembered.
public struct RememberedView: Codable, Hashable, Sendable {
    public var tag: Tag.ID?
    public var showsUntagged = false
    /// The chosen view.
    public var view: SavedView.ID?
    /// The tag that the chosen view shows.
    public var viewTag: Tag.ID?
    public var selectedItem: Item.ID?
    public var hidesDone = false
    public var showsScheduled = false
    public var sort = ItemSort.manual
    public var isSortReversed = false
    /// Earlier queries, the last one first.
    public var queries: [String] = []
    public var showsInspector = false
    public var hidesTags = false
    /// The names of the actions last chosen from the palette, the last one first.
    public var usedActions: [String] = []

    /// What `state` shows, or has still to show again.
    public init(_ state: AppState) {
        if let remembered = state.ui.remembered {
            self = remembered
            // These come back at once, before anything of the list is here.
            queries = state.ui.queries
            showsInspector = state.ui.inspector.isShown
            hidesTags = state.ui.hidesTags
            usedActions = state.ui.usedActions
            return
        }
        let shown = state.ui.chosenView?.former ?? state.ui.shown
        if case .tag(let id) = shown.tagChoice { tag = id }
        showsUntagged = shown.tagChoice == .untagged
        view = state.selectedView?.id
        if view != nil, case .tag(let id) = state.ui.shown.tagChoice { viewTag = id }
        selectedItem = state.ui.selectedItem
        hidesDone = shown.hidesDone
        showsScheduled = state.ui.showsScheduled
        sort = shown.sort
        isSortReversed = shown.isSortReversed
        queries = state.ui.queries
        showsInspector = state.ui.inspector.isShown
        hidesTags = state.ui.hidesTags
        usedActions = state.ui.usedActions
    }
}

extension AppState {
    /// Shows again what was shown at the last end, as far as it has been loaded and the user does
    /// not already do something else.
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

    /// Refuses the keys that were typed ahead for the remembered item: the first row is selected.
    private mutating func loseSelection(_ fate: String) {
        guard ui.waitingKeys > 0, ui.lostSubject == nil else { return }
        ui.lostSubject = .notChosen("The item that was selected last \(fate)")
    }

    /// Restores the rest of the remembered view at the end of the load.
    mutating func endRestoration(_ environment: AppEnvironment) {
        restoreView(environment)
        if ui.remembered != nil { loseSelection("has been deleted") }
        ui.remembered = nil
    }

    /// Shows a message if the view or tag that was chosen when the program last ended is gone.
    /// Call it once, when tags and views are loaded.
    mutating func tellLoss(from view: RememberedView) {
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
        ui.shown.hidesDone = view.hidesDone
        ui.shown.sort = view.sort == .match ? .manual : view.sort
        ui.shown.isSortReversed = view.isSortReversed
        if let tag = view.tag, tags.contains(tag) {
            ui.shown.tagChoice = .tag(tag)
        } else if view.showsUntagged {
            ui.shown.tagChoice = .untagged
        }
        guard let id = view.view else { return }
        choose(.view(id), environment)
        // The user has not chosen the rows that are shown instead.
        if case .notChosen(let reason) = ui.lostSubject { ui.lostSubject = .otherRows(reason) }
    }
}
