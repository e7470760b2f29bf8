import SheafList

/// What a command needs of the list before it can be done. While that has yet to be read, the key
/// waits.
public enum Need: Hashable, Sendable {
    /// Nothing: it is done at once, however much has been read.
    case nothing
    /// The beginning of the list, with the view of the last run.
    case list
    /// Rows to move through; with a verb, also one to do that to.
    case rows(to: String? = nil)
    /// The last row of the pane.
    case lastRow
    /// The item under the selection, or the tag or view in the tags pane; one that was just added
    /// will do.
    case selection(to: String)
    /// The marked items, or else the one under the selection.
    case marked(to: String)
    /// That, and every item of the list, unless it is a view.
    case allItems(to: String)
    /// The other need, for a command that puts something below the selection, if there is one.
    indirect case below(Need)

    /// Whether it is about rows, which a search that runs will make others.
    fileprivate var isAboutItems: Bool {
        switch self {
        case .nothing, .list: false
        case .rows, .lastRow, .selection, .marked, .allItems: true
        case .below(let need): need.isAboutItems
        }
    }

    /// What the command does to the selection, or nil if it is about no row.
    var verb: String? {
        switch self {
        case .nothing, .list, .lastRow, .below: nil
        case .rows(let verb): verb
        case .selection(let verb), .marked(let verb), .allItems(let verb): verb
        }
    }

    fileprivate var takesMarks: Bool { if case .marked = self { true } else { false } }

    /// Whether it may be done while a bulk command goes on: no more than moving may.
    fileprivate var goesWithBulk: Bool {
        switch self {
        case .rows(to: nil), .lastRow: true
        default: false
        }
    }

    /// Whether the command is about the row that the selection stands on, or about its place.
    public var isAboutSelection: Bool {
        if case .below = self { true } else { verb != nil }
    }
}

extension AppState {
    /// Whether storage, or a search, has still to deliver what `need` asks for. O(1).
    public func awaits(_ need: Need) -> Bool {
        if case .below(let need) = need { return awaits(need) }
        if ui.bulk != nil, !need.goesWithBulk { return true }
        if ui.marks.fillingCount > 0, need.verb != nil { return true }
        if case .marked = need, ui.marks.count > 0 { return ui.marks.hiddenCount == nil }
        if searching != nil, need.isAboutItems, !ui.pane.isAboutTags,
            !(beginsAtBest && need == .rows())
        {
            return true
        }
        guard let loading = list.loading else { return false }
        return switch need {
        case .nothing, .below: false
        case .allItems where ui.pane.isAboutTags && selectedView != nil: false
        case .allItems: true
        case .list: loading.stage < .rows || awaitsView(loading)
        case _ where ui.pane.isAboutTags: loading.stage < .tags
        case .rows: loading.stage < .rows || rows.count == 0 || awaitsView(loading)
        case .lastRow: true
        case .selection, .marked: ui.selectedItem == nil || awaitsView(loading)
        }
    }

    /// Whether a key is about the selection of the last run, which is not here yet: one that was
    /// typed before the first rows can have been read, or that waits after such a key.
    private func awaitsView(_ loading: Loading) -> Bool {
        ui.remembered?.selectedItem != nil && (ui.waitingKeys > 0 || loading.stage < .rowsSeen)
    }

    /// Why a command with `need`, which awaits nothing, cannot be done, or nil if it can. Of a
    /// sequence that has only begun there is no action.
    public func obstacle(to action: AppAction?, needing need: Need) -> KeyAction.Cause? {
        if need.isAboutSelection, let lost = ui.lostSubject {
            return .refused(lost.reason.sentenceCased)
        }
        if let verb = need.verb {
            let isThere =
                ui.pane.isAboutTags
                ? selectedTag != nil || selectedView != nil
                : selectedItem != nil || need.takesMarks && ui.marks.count > 0
            if !isThere { return .nothing(to: verb) }
        }
        return action.flatMap(refusal).map { .refused($0) }
    }

    /// What a sequence of keys that begins now is about.
    var keySubject: KeySubject {
        if ui.pane.isAboutTags { return .row(showsDeletedTag ? .choice(.all) : chosenRow) }
        return ui.marks.isEmpty ? .item(ui.selectedItem) : .marked
    }

    /// All that keys may be about now: some are about the selected item though others are marked.
    var keySubjects: [KeySubject] {
        ui.pane.isAboutTags ? [keySubject] : [keySubject, .item(ui.selectedItem)]
    }

    /// The subjects that waiting keys lose if `action` changes them. `action` continues a command
    /// that was begun before the keys were typed, or shows other rows. Else none.
    func subjectsOfWaitingKeys(before action: AppAction) -> [KeySubject] {
        guard ui.waitingKeys > 0, ui.lostSubject == nil else { return [] }
        switch action {
        case .bulk, .history: return ui.bulk == nil ? [] : keySubjects
        // It may clear the marks, and then the keys are about the selected item.
        case .browse(.escaped), .browse(.hideDoneToggled):
            return ui.pane.isAboutTags ? [] : [.item(ui.selectedItem)]
        default: return []
        }
    }

    /// True if keys that were typed before the next frame are about a selection that has moved, or
    /// about rows whose choice failed.
    public var hasReplacedSubject: Bool {
        switch ui.lostSubject {
        case .replaced, .notChosen: true
        default: false
        }
    }

    /// The reason to drop all keys that were typed behind a choice that failed, or that wait for
    /// other rows than are shown now, or nil. The keys of an open line or box stay.
    public var failedChoice: KeyAction.Cause? {
        guard takesCommands else { return nil }
        switch ui.lostSubject {
        case .notChosen(let reason): return .refused(reason)
        case .otherRows(let reason) where ui.waitingKeys > 0: return .refused(reason)
        default: return nil
        }
    }

    /// Ends the refusal of keys, unless a choice failed and no row has been read since.
    mutating func acceptSubject() {
        switch ui.lostSubject {
        case .notChosen, .otherRows:
            if list.loading.map({ $0.stage >= .rows }) ?? true { ui.lostSubject = nil }
        default: ui.lostSubject = nil
        }
    }

    /// Ends the refusal of commands about rows, because the user chooses others.
    mutating func acceptRows() {
        if case .otherRows = ui.lostSubject { acceptSubject() }
    }

    /// Whether the selection is in sight, and still where it was when the sequence of keys began.
    public var isSequenceCurrent: Bool {
        let hasBegun = !ui.pendingKeys.isEmpty || ui.count != nil
        // Keys typed before the first rows apply to the row that is selected once they arrive.
        return showsSelection && ui.lostSubject == nil
            && (!hasBegun || [keySubject, .item(nil)].contains(ui.pendingSubject))
    }

    /// False if the items were scrolled so far that the selection is out of sight.
    var showsSelection: Bool {
        guard ui.itemScroll.isAway, ui.marks.isEmpty, !ui.pane.isAboutTags else { return true }
        let shown = ui.itemScroll.shown(ui.selectedRow, height: shownItemRows(Layout(self)))
        return shown == ui.selectedRow
    }
}

/// What the selection stood on when the first key of a sequence was typed.
enum KeySubject: Hashable, Sendable {
    case item(Item.ID?)
    case marked
    /// One of the tags pane.
    case row(TagPaneRow)

    /// The clause that says that another process has deleted it.
    var deletion: String {
        self == .marked
            ? "the marked items were deleted elsewhere" : "the selection was deleted elsewhere"
    }
}

/// The reason why the next key would act on another subject than the user saw.
enum LostSubject: Hashable, Sendable {
    case deletedElsewhere(KeySubject)
    /// A command that goes on, or came in the same read, has changed the selection or deleted the
    /// marked items since the keys behind it were typed.
    case replaced(KeySubject)
    /// A count has been typed, and another process has changed the list: other rows may follow the
    /// selected one now.
    case recounted
    /// The choice of a view, an order or a row failed, for the reason in this sentence. Keys behind
    /// it would act on other rows.
    case notChosen(String)
    /// Other rows are shown than the user chose, for the reason in this sentence. A command about
    /// them is refused once, also after a frame has shown them.
    case otherRows(String)

    /// A clause for messages.
    var reason: String {
        switch self {
        case .deletedElsewhere(let subject): subject.deletion
        case .replaced(.marked): "the marked items are gone"
        case .replaced: "the selection moved"
        case .recounted: "the list was changed elsewhere"
        case .notChosen(let reason), .otherRows(let reason):
            reason.prefix(1).lowercased() + reason.dropFirst()
        }
    }
}

extension AppState {
    /// True if `subject` was deleted. O(1), and O(marked items) if all of these were.
    func isDeleted(_ subject: KeySubject) -> Bool {
        switch subject {
        case .item(let id?): !items.contains(id)
        case .marked: ui.marks.areGone(from: items, selection: ui.selectedItem)
        case .row(.choice(.tag(let id))): !tags.contains(id)
        case .row(.view(let id)): !views.contains(id)
        case .item(nil), .row(.choice): false
        }
    }
}
