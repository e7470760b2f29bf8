import Foundation

/// What of the screen comes back at the next start: the chosen row of the tags pane, the selection, and whether done
/// items are hidden. The words of the filter do not: a list that looks emptied for no reason in sight is no welcome.
public struct RememberedView: Codable, Hashable, Sendable {
    public var tag: Tag.ID?
    public var showsUntagged: Bool
    public var selectedItem: Item.ID?
    public var hidesDone: Bool

    /// What `state` shows, or has still to show again.
    public init(_ state: AppState) {
        if let remembered = state.ui.remembered {
            self = remembered
            return
        }
        tag = state.selectedTag?.id
        showsUntagged = state.ui.tagChoice == .untagged
        selectedItem = state.ui.selectedItem
        hidesDone = state.ui.hidesDone
    }
}

extension AppState {
    /// Shows again what was shown at the last end, as far as it has been loaded and the user does not already do
    /// something else.
    mutating func restoreView() {
        guard let view = ui.remembered else { return }
        ui.hidesDone = view.hidesDone
        if let tag = view.tag, tags.contains(tag) {
            ui.tagChoice = .tag(tag)
        } else if view.showsUntagged {
            ui.tagChoice = .untagged
        }
        guard let id = view.selectedItem, let item = items[id] else { return }
        if filter.includes(item) { ui.selectedItem = id }
        ui.remembered = nil
    }
}
