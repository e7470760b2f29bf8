import FoundationEssentials
@_exported import SheafList
import Swidux

/// Everything that the screen shows. Only reducers and undo change it.
package struct AppState: Sendable {
    package var items = EntityStore<Item>()
    package var tags = EntityStore<Tag>()
    package var views = EntityStore<SavedView>()
    /// The day in the user's calendar, as of the last action.
    package var today = CalendarDay.first
    /// True if the user has chosen a tag or view whose rows are not known yet. If the selected item
    /// is not among them, the first row will be selected.
    var selectsFirstIfMissing = false
    /// The items and views to which other processes have added a tag since the list was opened or
    /// the tag was created, by tag.
    var othersTags: [Tag.ID: Set<UUID>] = [:]
    /// The items that lost a tag because this process deleted the tag, by tag, until the deletion
    /// is saved.
    var untaggedItems: [Tag.ID: Set<Item.ID>] = [:]
    /// The conflicts in the latest report from storage.
    var arrivedConflicts: [Conflict] = []
    /// The items from which storage removed a tag that this process deleted, as of its latest
    /// report.
    var tagsRemovedByStorage: [Tag.ID: Set<Item.ID>] = [:]
    package var ui: UIState
    /// The state of the persistence pipeline, copied from the middleware.
    package internal(set) var saving = PersistenceStatus()
    /// The other authors of recent changes to items.
    package internal(set) var authors = RecentAuthors()
    /// The save state of the rows on the screen.
    package internal(set) var visibleSaveStates = VisibleSaveStates()
    /// The progress of quitting or suspending the program.
    package internal(set) var leaving = Leaving.staying
    /// The number of attempts to keep unsaved changes for the next start.
    var keepAttempts = 0
    /// The store that the list came from, and the progress of loading it.
    package var list: ListInfo

    // MARK: Derived state, updated by ``settle(_:keeping:)``

    /// The rows of the item list, in display order: the items that match the chosen tag and the
    /// query, without hidden done and scheduled items.
    package internal(set) var rows = ItemRows()
    /// The choices of the user, and the day, for which ``rows`` are defined.
    var rowsInputs = (settings: ViewSettings(), day: CalendarDay.first)
    /// The running search for new rows, or nil.
    var searching: Searching?
    /// The query as parsed for this list.
    package internal(set) var query = ListQuery()
    /// The parsed query that returns when the user leaves the chosen view.
    var formerQuery = ListQuery()
    /// The number of items per tag, and the numbers of late items and of items scheduled for later.
    package internal(set) var totals = ItemTotals()
    /// The names of tags that were deleted during this run, for later messages.
    var goneTags: [Tag.ID: String] = [:]
    /// The revision of the tags up to which ``goneTags`` is complete.
    var seenTags: Revision?

    package init(
        list: ListInfo = ListInfo(), size: Size = Size(columns: 80, rows: 24),
        view: RememberedView? = nil
    ) {
        self.list = list
        ui = UIState(size: size)
        ui.remembered = view
        ui.inspector.isShown = view?.showsInspector ?? false
        ui.hidesTags = view?.hidesTags ?? false
        ui.queries = Array((view?.queries ?? []).prefix(FilterAction.maxQueries))
        ui.usedActions = Array((view?.usedActions ?? []).prefix(PaletteAction.maxUsed))
    }
}

/// The name of the store, the user's access to it, and the progress of loading.
package struct ListInfo: Hashable, Sendable {
    /// The name of the file or the server list.
    package var name: String
    /// The reason why the list cannot be changed, or nil.
    package var readOnlyReason: String?
    /// True if the user lost write access while the list was open. Edits of this session may then
    /// be unsaved.
    var lostWriteAccess = false
    /// True if the list is read-only because part of it could not be read.
    package internal(set) var isPartial = false
    /// The reason why the user may no longer read the list, or `nil`. The rows stay as last read.
    package internal(set) var unreadableReason: String?
    /// The progress of loading, or nil once everything is loaded.
    package var loading: Loading?
    /// The message to show once the list is loaded, such as a report of recovered changes.
    package var notice: String?
    /// The number of changes that interrupted sessions had left when the list was opened.
    var abandonedChanges = 0
    /// The number of those changes that still wait in their logs, because too little of the list
    /// has been read.
    package internal(set) var waitingChanges = 0

    package init(
        name: String = "", readOnlyReason: String? = nil, loading: Loading? = nil,
        notice: String? = nil
    ) {
        self.notice = notice
        self.name = name
        self.readOnlyReason = readOnlyReason
        self.loading = loading
    }
}

/// The progress of a load during which the user can already work.
package struct Loading: Hashable, Sendable {
    /// The number of items that storage holds, or 0 while it is not known.
    package var total = 0
    /// The reason why loading waits, in a few words, or nil.
    package internal(set) var obstacle: String?
    /// The rank of the last item in storage, so that a new item can follow that item before it is
    /// loaded.
    var lastRank: Rank?
    /// Tags of the list that the recovered changes delete.
    var goneTags: Set<Tag.ID> = []
    /// The part of the list that is loaded.
    var stage = Stage.begun

    /// The stages of a load, in order.
    enum Stage: Comparable {
        case begun
        /// All tags and views are loaded.
        case tags
        /// The first page of items is loaded.
        case rows
        /// The first page has been on the screen long enough that new keys apply to it.
        case rowsSeen
    }

    package init(obstacle: String? = nil) {
        self.obstacle = obstacle
    }

    /// Returns `item`, as read from storage, without the tags that the recovered changes delete.
    func withoutGoneTags(_ item: Item) -> Item {
        guard !item.tags.isDisjoint(with: goneTags) else { return item }
        var item = item
        item.tags.subtract(goneTags)
        return item
    }
}

extension AppState {
    /// True if storage has confirmed every change, and no changes of interrupted sessions wait in
    /// logs.
    package var isSaved: Bool { saving.phase == .saved && list.waitingChanges == 0 }

    /// The selected item, or nil.
    package var selectedItem: Item? { ui.selectedItem.flatMap { items[$0] } }

    /// The number of open items that were due before today.
    package var lateCount: Int { totals.late }

    /// The number of open items in the whole list.
    package var openCount: Int { totals.open }

    /// Returns true if another process added the tag to an item or view that still has it.
    func isInUseElsewhere(_ id: Tag.ID) -> Bool {
        othersTags[id]?.contains { items[$0]?.tags.contains(id) ?? (views[$0]?.tag == id) } ?? false
    }

    /// True if neither a tag nor a query limits the rows.
    package var showsAll: Bool {
        ui.viewSettings.tagChoice == .all && ui.viewSettings.filter.isEmpty
    }

    /// The number of items that are hidden because they are scheduled for a later day.
    package var scheduledCount: Int { hidesScheduled ? totals.later : 0 }

    /// True if any item has a day to show in the date column.
    package var hasDueItems: Bool { totals.hasDue }

    /// The tag that is selected in the tags pane, or nil if another row is selected.
    package var selectedTag: Tag? { selectedView == nil ? shownTag : nil }

    /// The tag whose items are shown, chosen by its own row or by a view, or nil.
    package var shownTag: Tag? {
        guard case .tag(let id) = ui.viewSettings.tagChoice else { return nil }
        return tags[id]
    }

    /// True if another process has deleted the chosen tag.
    package var showsDeletedTag: Bool {
        ui.deletedTag.map { ui.viewSettings.tagChoice == .tag($0.id) && !tags.contains($0.id) }
            ?? false
    }

    /// Returns the tags of `item` in tag order.
    package func tags(of item: Item) -> [Tag] {
        guard item.tags.count > 1 else { return item.tags.compactMap { tags[$0] } }
        return item.tags.compactMap { tags[$0] }.sorted { $0.position < $1.position }
    }
}
