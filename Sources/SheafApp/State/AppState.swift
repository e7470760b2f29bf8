import FoundationEssentials
@_exported import SheafList
import Swidux

/// Everything that the screen shows, changed only by a reducer.
public struct AppState: Sendable {
    public var items = EntityStore<Item>()
    public var tags = EntityStore<Tag>()
    public var views = EntityStore<SavedView>()
    /// The day by the user's calendar, as it was when something last happened.
    public var today = CalendarDay.first
    /// True if a tag or view has been chosen whose rows are not known yet: the first of them is
    /// selected if the selected item is not among them.
    var entersRows = false
    /// The items and views on which others have put a tag since the list was opened, or the tag
    /// made.
    var othersTags: [Tag.ID: Set<UUID>] = [:]
    /// The items that lost a tag because this process deleted it, by tag, until that is saved.
    var untaggedItems: [Tag.ID: Set<Item.ID>] = [:]
    /// The conflicts that storage told of last.
    var arrivedConflicts: [Conflict] = []
    /// The items from which storage has taken a tag that was deleted here, as it told last.
    var takenTags: [Tag.ID: Set<Item.ID>] = [:]
    public var ui: UIState
    /// The state of the persistence pipeline: a copy of the middleware's own.
    public internal(set) var saving = PersistenceStatus()
    /// Who else has changed items.
    public internal(set) var authors = RecentAuthors()
    /// How the rows on the screen stand with it.
    public internal(set) var shownSaving = ShownSaving()
    /// How far the program is on its way to its end.
    public internal(set) var leaving = Leaving.staying
    /// How many attempts there were to keep what is not saved.
    var keepings = 0
    /// What is known of the store that the list came from.
    public var list: ListInfo

    // MARK: Derived state, brought up to date by ``settle(_:keeping:)``

    /// The rows of the item list: the items that the chosen tag, the query and the hiding of done
    /// items leave, in the order of the sort.
    public internal(set) var rows = ItemRows()
    /// The search for other rows, until they are found.
    var searching: Searching?
    /// The query as it is understood in this list.
    public internal(set) var query = ListQuery()
    /// The query that comes back when the chosen view is left, as it is understood.
    var formerQuery = ListQuery()
    /// How many items each tag has, and how many are late, or scheduled for later.
    public internal(set) var totals = ItemTotals()
    /// The names of tags that were deleted during this run, for later messages.
    var goneTags: [Tag.ID: String] = [:]
    /// How far the tags have been looked through for ``goneTags``.
    var seenTags: Revision?

    public init(
        list: ListInfo = ListInfo(), size: Size = Size(columns: 80, rows: 24),
        view: RememberedView? = nil
    ) {
        self.list = list
        ui = UIState(size: size)
        ui.remembered = view
        ui.inspector.isShown = view?.showsInspector ?? false
        ui.hidesTags = view?.hidesTags ?? false
        ui.queries = Array((view?.queries ?? []).prefix(FilterReducer.mostQueries))
        ui.usedActions = Array((view?.usedActions ?? []).prefix(PaletteReducer.mostUsed))
    }
}

/// The store as the header shows it.
public struct ListInfo: Hashable, Sendable {
    /// A file's name.
    public var name: String
    /// Why nothing can be changed, or nil.
    public var readOnlyReason: String?
    /// True if the user could write to the list when it was opened, so that edits may be unsaved.
    var lostAccess = false
    /// Whether that is because not all of it could be read.
    public internal(set) var isPartial = false
    /// The reason why the user may no longer read the list, or `nil`. The rows stay as last read.
    public internal(set) var unreadableReason: String?
    /// How far loading has come, or nil when all is here.
    public var loading: Loading?
    /// What is to be said once the list is loaded, such as what was recovered.
    public var notice: String?
    /// How many changes interrupted sessions had left when the list was opened.
    var leftChanges = 0
    /// How many of them wait in their logs, because too little of the list has been read.
    public internal(set) var waitingChanges = 0

    public init(
        name: String = "", readOnlyReason: String? = nil, loading: Loading? = nil,
        notice: String? = nil
    ) {
        self.notice = notice
        self.name = name
        self.readOnlyReason = readOnlyReason
        self.loading = loading
    }
}

/// A load that goes on while the user already works.
public struct Loading: Hashable, Sendable {
    /// The number of items that storage holds, or 0 while it is not known.
    public var total = 0
    /// What it waits for, in a few words, or nil.
    public internal(set) var obstacle: String?
    /// The rank of the last item in storage, so that one can go after it before it is here.
    var lastRank: Rank?
    /// Tags of the list that what was recovered deletes.
    var goneTags: Set<Tag.ID> = []
    /// How much of the list is here.
    var stage = Stage.begun

    /// The stages of a load, in their order.
    enum Stage: Comparable {
        case begun
        /// All tags and views are here.
        case tags
        /// The first page of items is here.
        case rows
        /// The first page has been on the screen long enough for keys to be about it.
        case rowsSeen
    }

    public init(obstacle: String? = nil) {
        self.obstacle = obstacle
    }

    /// `item`, as storage has it, without tags that are deleted here.
    func withoutGoneTags(_ item: Item) -> Item {
        guard !item.tags.isDisjoint(with: goneTags) else { return item }
        var item = item
        item.tags.subtract(goneTags)
        return item
    }
}

extension AppState {
    /// Whether the list has all that was ever shown of it, as far as this process knows.
    public var isSaved: Bool { saving.phase == .saved && list.waitingChanges == 0 }

    /// The item that the selection stands on.
    public var selectedItem: Item? { ui.selectedItem.flatMap { items[$0] } }

    /// How many items are not done and were due before today.
    public var lateCount: Int { totals.late }

    /// How many items are not done.
    public var openCount: Int { totals.open }

    /// Whether anything still has the tag on which others have put it.
    func isInUseElsewhere(_ id: Tag.ID) -> Bool {
        othersTags[id]?.contains { items[$0]?.tags.contains(id) ?? (views[$0]?.tag == id) } ?? false
    }

    /// Whether neither a tag nor a query is chosen.
    public var showsAll: Bool { ui.shown.tagChoice == .all && ui.shown.filter.isEmpty }

    /// How many items are hidden because they are scheduled for a later day.
    public var scheduledCount: Int { hidesScheduled ? totals.later : 0 }

    /// Whether any item has a day in the column of days.
    public var hasDueItems: Bool { totals.hasDue }

    /// The tag that the selection in the tags pane stands on, or nil on a row of none.
    public var selectedTag: Tag? { selectedView == nil ? shownTag : nil }

    /// The tag whose items are shown, by its own row or by a view, or nil.
    public var shownTag: Tag? {
        guard case .tag(let id) = ui.shown.tagChoice else { return nil }
        return tags[id]
    }

    /// True while the chosen tag is one that another process has deleted.
    public var showsDeletedTag: Bool {
        ui.deletedTag.map { ui.shown.tagChoice == .tag($0.id) && !tags.contains($0.id) } ?? false
    }

    /// `item`'s tags in tag order.
    public func tags(of item: Item) -> [Tag] {
        guard item.tags.count > 1 else { return item.tags.compactMap { tags[$0] } }
        return item.tags.compactMap { tags[$0] }.sorted { $0.position < $1.position }
    }
}
