import FoundationEssentials

/// What of the screen comes back at the next start: the chosen row of the tags pane, the selection,
/// and whether done items are hidden. The words of the filter do not: a list that looks emptied for
/// no reason in sight is no welcome.
///
/// As JSON it is read by earlier and by later versions too: members that are not known are left
/// out, and those that are missing, or are not what they should be, are as if nothing had been
/// remembered.
public struct RememberedView: Codable, Hashable, Sendable {
    public var tag: Tag.ID?
    public var showsUntagged = false
    public var selectedItem: Item.ID?
    public var hidesDone = false
    public var sort = ItemSort.manual
    public var isSortReversed = false
    /// Earlier queries, the last one first.
    public var queries: [String] = []

    private enum CodingKeys: CodingKey {
        case tag, showsUntagged, selectedItem, hidesDone, sort, isSortReversed, queries
    }

    /// - Throws: only if it is no object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, into value: inout Value) {
            do {
                value = try members.decode(Value.self, forKey: key)
            } catch {
                // It keeps its default.
            }
        }
        read(.tag, into: &tag)
        read(.showsUntagged, into: &showsUntagged)
        read(.selectedItem, into: &selectedItem)
        read(.hidesDone, into: &hidesDone)
        read(.sort, into: &sort)
        read(.isSortReversed, into: &isSortReversed)
        read(.queries, into: &queries)
    }

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
        sort = state.ui.sort
        isSortReversed = state.ui.isSortReversed
        queries = state.ui.queries
    }
}

extension AppState {
    /// Shows again what was shown at the last end, as far as it has been loaded and the user does
    /// not already do something else.
    mutating func restoreView() {
        guard let view = ui.remembered else { return }
        ui.hidesDone = view.hidesDone
        ui.sort = view.sort == .match ? .manual : view.sort
        ui.isSortReversed = view.isSortReversed
        ui.queries = Array(view.queries.prefix(FilterReducer.mostQueries))
        if let tag = view.tag, tags.contains(tag) {
            ui.tagChoice = .tag(tag)
        } else if view.showsUntagged {
            ui.tagChoice = .untagged
        }
        if let id = view.selectedItem {
            guard let item = items[id] else { return }
            if isIncluded(item) { ui.selectedItem = id }
        }
        ui.remembered = nil
    }
}
