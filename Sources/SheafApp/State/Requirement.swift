import SheafList

/// The part of the list that a command requires. Until that part is loaded, the key waits.
package enum Requirement: Hashable, Sendable {
    /// No part: the command runs at once.
    case nothing
    /// The start of the list, with the view of the last run.
    case list
    /// Rows to move through. With a verb, also a selected row for the command to act on.
    case rows(to: String? = nil)
    /// The last row of the pane.
    case lastRow
    /// The selected item, tag or view. An entity that was just added suffices.
    case selection(to: String)
    /// The marked items, or the selected one if there are none.
    case marked(to: String)
    /// The selection and, unless it is a view, every item of the list.
    case allItems(to: String)
    /// The wrapped requirement, for a command that inserts below the selection if there is one.
    indirect case below(Requirement)

    /// True if the command acts on rows. It then waits for a running search.
    fileprivate var isAboutItems: Bool {
        switch self {
        case .nothing, .list: false
        case .rows, .lastRow, .selection, .marked, .allItems: true
        case .below(let requirement): requirement.isAboutItems
        }
    }

    /// The verb for the command's effect on the selection, or nil if it acts on no row.
    var verb: String? {
        switch self {
        case .nothing, .list, .lastRow, .below: nil
        case .rows(let verb): verb
        case .selection(let verb), .marked(let verb), .allItems(let verb): verb
        }
    }

    fileprivate var takesMarks: Bool { if case .marked = self { true } else { false } }

    /// True if the command may run during a bulk command. Only movements may.
    fileprivate var isAllowedDuringBulk: Bool {
        switch self {
        case .rows(to: nil), .lastRow: true
        default: false
        }
    }

    /// True if the command acts on the selected row or its place.
    package var isAboutSelection: Bool {
        if case .below = self { true } else { verb != nil }
    }
}

extension AppState {
    /// Returns true if a command with `requirement` must wait for storage, a search or a running
    /// bulk command. O(1).
    package func awaits(_ requirement: Requirement) -> Bool {
        if case .below(let requirement) = requirement { return awaits(requirement) }
        if ui.bulk != nil, !requirement.isAllowedDuringBulk { return true }
        if ui.marks.fillingCount > 0, requirement.verb != nil { return true }
        if case .marked = requirement, ui.marks.count > 0 { return ui.marks.hiddenCount == nil }
        if searching != nil, requirement.isAboutItems, !ui.pane.isAboutTags,
            !(beginsAtBest && requirement == .rows())
        {
            return true
        }
        guard let loading = list.loading else { return false }
        return switch requirement {
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

    /// Returns true if a key applies to the selection of the last run, which is not loaded yet: the
    /// key was typed before the first rows were visible, or waits behind such a key.
    private func awaitsView(_ loading: Loading) -> Bool {
        ui.remembered?.selectedItem != nil && (ui.waitingKeys > 0 || loading.stage < .rowsSeen)
    }

    /// Returns the reason why a command whose `requirement` is loaded cannot run, or nil if it can.
    /// `action` is nil for an incomplete key sequence.
    package func obstacle(to action: AppAction?, requiring requirement: Requirement) -> KeyAction
        .Cause?
    {
        if isGuarded(requirement), let lost = ui.lostSubject {
            return .refused(lost.reason.sentenceCased)
        }
        if let verb = requirement.verb {
            let isThere =
                ui.pane.isAboutTags
                ? selectedTag != nil || selectedView != nil
                : selectedItem != nil || requirement.takesMarks && ui.marks.count > 0
            if !isThere { return .nothing(to: verb) }
        }
        return action.flatMap(refusal).map { .refused($0) }
    }

    /// Returns true if the command acts on the selection or its place. It must not run if the user
    /// may have typed it before the selection was deleted or moved. An insertion below a deleted
    /// item is harmless: it goes to the place where the item was.
    private func isGuarded(_ requirement: Requirement) -> Bool {
        if case .below = requirement, case .deletedElsewhere = ui.lostSubject { return false }
        return requirement.isAboutSelection
    }

    /// Returns true if a command that requires `requirement` must not run, because the selection is
    /// out of sight or is no longer the subject of the key sequence.
    package func hasLostSequence(requiring requirement: Requirement) -> Bool {
        isGuarded(requirement) && !isSequenceCurrent
    }

    /// The subject of a key sequence that starts now.
    var keySubject: KeySubject {
        if ui.pane.isAboutTags { return .row(showsDeletedTag ? .choice(.all) : chosenRow) }
        return ui.marks.isEmpty ? .item(ui.selectedItem) : .marked
    }

    /// All possible subjects of the next key. Some keys act on the selected item even if others are
    /// marked.
    var keySubjects: [KeySubject] {
        ui.pane.isAboutTags ? [keySubject] : [keySubject, .item(ui.selectedItem)]
    }

    /// Returns the possible subjects of the waiting keys. If `action` replaces one of them, the
    /// keys are refused. Empty unless `action` continues a command that started before the keys
    /// were typed, or shows other rows.
    func subjectsOfWaitingKeys(before action: AppAction) -> [KeySubject] {
        guard ui.waitingKeys > 0, ui.lostSubject == nil else { return [] }
        switch action {
        case .bulk, .history: return ui.bulk == nil ? [] : keySubjects
        // The action may clear the marks, after which the keys would act on the selected item.
        case .browse(.escaped), .browse(.hideDoneToggled):
            return ui.pane.isAboutTags ? [] : [.item(ui.selectedItem)]
        default: return []
        }
    }

    /// True if the selection has moved or a choice has failed, so that keys typed before the next
    /// frame would act on other rows than the user expects.
    package var hasReplacedSubject: Bool {
        switch ui.lostSubject {
        case .replaced, .notChosen: true
        default: false
        }
    }

    /// True if another process, or a new day, has changed the subject of the next key.
    var hasLostSubjectToOthers: Bool {
        switch ui.lostSubject {
        case .deletedElsewhere, .recounted, .otherRows: true
        case nil, .replaced, .notChosen: false
        }
    }

    /// The reason to discard keys that were typed after a failed choice, or for other rows than
    /// those shown now. Nil if the keys may run. Keys for an open line or box stay.
    package var failedChoice: KeyAction.Cause? {
        guard takesCommands else { return nil }
        switch ui.lostSubject {
        case .notChosen(let reason): return .refused(reason)
        case .otherRows(let reason) where ui.waitingKeys > 0: return .refused(reason)
        default: return nil
        }
    }

    /// Accepts keys again, unless a choice failed and no row has been loaded since.
    mutating func acceptSubject() {
        switch ui.lostSubject {
        case .notChosen, .otherRows:
            if list.loading.map({ $0.stage >= .rows }) ?? true { ui.lostSubject = nil }
        default: ui.lostSubject = nil
        }
    }

    /// Accepts commands on rows again, because the user chooses other rows.
    mutating func acceptRows() {
        if case .otherRows = ui.lostSubject { acceptSubject() }
    }

    /// True if the selection is visible and is still the subject of the key sequence.
    var isSequenceCurrent: Bool {
        let hasBegun = !ui.pendingKeys.isEmpty || ui.count != nil
        // Keys typed before the first rows are visible apply to the row that is selected when those
        // rows arrive.
        return showsSelection && ui.lostSubject == nil
            && (!hasBegun || [keySubject, .item(nil)].contains(ui.pendingSubject))
    }

    /// False if the user scrolled the selection out of sight.
    var showsSelection: Bool {
        guard ui.itemScroll.isAway, ui.marks.isEmpty, !ui.pane.isAboutTags else { return true }
        let shown = ui.itemScroll.visibleRow(ui.selectedRow, height: shownItemRows(Layout(self)))
        return shown == ui.selectedRow
    }
}

/// The subject of a key sequence: the selection when its first key was typed.
enum KeySubject: Hashable, Sendable {
    case item(Item.ID?)
    case marked
    /// A row of the tags pane.
    case row(TagPaneRow)

    /// The clause for a subject that another process has deleted.
    var deletion: String {
        self == .marked
            ? "the marked items were deleted by another process"
            : "the selection was deleted by another process"
    }
}

/// The reason why the next key would act on a different subject than the user saw.
enum LostSubject: Hashable, Sendable {
    case deletedElsewhere(KeySubject)
    /// The next keys were typed while a command was running, or arrived in one read with its key.
    /// That command has changed the selection or deleted the marked items.
    case replaced(KeySubject)
    /// The user has typed a count, and another process has changed the list, so that different rows
    /// may follow the selected one.
    case recounted
    /// The choice of a view, an order or a row failed. The associated sentence gives the reason.
    /// The keys typed after the choice would act on other rows.
    case notChosen(String)
    /// The rows are not those that the user chose. The associated sentence gives the reason. The
    /// next command on the rows is refused once, even if a frame has shown them since.
    case otherRows(String)

    /// A clause for messages.
    var reason: String {
        switch self {
        case .deletedElsewhere(let subject): subject.deletion
        case .replaced(.marked): "the marked items are gone"
        case .replaced: "the selection moved"
        case .recounted: "the list was changed by another process"
        case .notChosen(let reason), .otherRows(let reason):
            reason.prefix(1).lowercased() + reason.dropFirst()
        }
    }
}

extension AppState {
    /// Returns true if `subject` was deleted. O(1), or O(marked items) if all marked items were
    /// deleted.
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
