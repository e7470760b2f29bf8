import SheafList

/// The root: hands an action to the feature it belongs to, then brings what is derived up to date.
public struct AppReducer: SwiduxReducer {
    public init() {}

    public func reduce(
        state: inout AppState, action: AppAction, environment: AppEnvironment
    ) -> Effect? {
        guard state.leaving.exit == nil else { return nil }
        let toast = state.ui.toastSerial
        let place = state.selectionPlace(before: action)
        let subjects = state.subjectsOfWaitingKeys(before: action)
        var effect = perform(action, on: &state, environment)
        effect = Effects.merge(effect, state.settle(environment))
        if let place, state.keepSelection(at: place) {
            // For keys that came in the same read: the new selection has not been painted.
            state.ui.lostSubject = .replaced(state.keySubject)
            effect = Effects.merge(effect, state.settle(environment))
        }
        // The item is the last of them, whether or not others are marked.
        if let lost = zip(subjects.reversed(), state.keySubjects.reversed()).first(where: !=)?.0 {
            state.ui.lostSubject = .replaced(lost)
        }
        guard state.ui.toastSerial != toast else { return effect }
        return Effects.merge(effect, expiry(of: state.ui.toast, environment))
    }

    /// Does what `action` says, and leaves what follows from every action to ``reduce``: for a
    /// feature whose action stands for another one.
    ///
    /// - Parameter isConfirmed: true if the user has confirmed the action.
    func perform(
        _ action: AppAction, on state: inout AppState, _ environment: AppEnvironment,
        isConfirmed: Bool = false
    ) -> Effect? {
        let action = state.directed(action)
        if let refusal = state.refusal(of: action) {
            state.ui.refuse(refusal, isAlert: true)
            return { send in await send(.session(.accessDoubted)) }
        }
        let traits = action.traits
        if traits.ends.contains(.memory) { state.ui.remembered = nil }
        if traits.origin != .program { LeavingReducer().keyTyped(&state) }
        let fill =
            state.ui.marks.range != nil && traits.ends.contains(.range) ? state.fillRange() : nil
        let toast = state.ui.toastSerial
        let wasNormal = state.takesCommands
        let isCommand = AppAction.undoRole(of: action, before: state).isCommand
        let revisions = state.revisions
        // Keys that have waited are about the rows that were shown when they were typed.
        if traits.isOfUser, wasNormal, traits.setsSelection, state.ui.waitingKeys == 0 {
            state.acceptSubject()
        }
        let question = isConfirmed ? nil : state.questionAboutHiddenMarks(of: action)
        if let question { state.ui.mode = .confirmation(question) }
        var effect = question == nil ? action.feature.perform(on: &state, environment) : nil
        if case .saving = action {
            effect = Effects.merge(effect, LeavingReducer().savingChanged(&state, environment))
        }
        if isCommand, revisions != state.revisions {
            state.ui.commandDone(toastBefore: toast)
        }
        if traits.isOfUser {
            state.ui.refusalPassed(toastBefore: toast)
            if case .browse(.scrolled) = action {} else { state.ui.mouse.scrolled(false) }
        }
        if wasNormal, !state.takesCommands { state.ui.modeBegan(toastBefore: toast) }
        if traits.ends.contains(.count) { state.ui.count = nil }
        return Effects.merge(fill, effect)
    }

    /// A toast takes no key, so it goes by itself.
    private func expiry(of toast: Toast?, _ environment: AppEnvironment) -> Effect? {
        guard let toast else { return nil }
        let duration = toast.isAlert ? Duration.seconds(8) : .seconds(5)
        return { [sleep = environment.sleep] send in
            do { try await sleep(duration) } catch { return }
            await send(.session(.toastExpired(serial: toast.serial)))
        }
    }
}

extension UndoRole {
    var isCommand: Bool {
        switch self {
        case .command, .part: true
        case .undo, .redo, .rest, .ignored: false
        }
    }
}

extension UIState {
    /// The lists were changed: what a hint offers (to undo what was done before, to redo what was
    /// undone) a key would not do any more.
    fileprivate mutating func commandDone(toastBefore serial: Int) {
        if let toast, toast.serial == serial, toast.hint != nil { self.toast = nil }
    }

    /// The user went on: why an earlier command did nothing is of no interest any more.
    fileprivate mutating func refusalPassed(toastBefore serial: Int) {
        if let toast, toast.serial == serial, toast.isRefusal { self.toast = nil }
    }

    /// Keys have another meaning now. A question can come while storage is waited for, within a
    /// sequence of keys; and what was said before must not hide which keys there are.
    fileprivate mutating func modeBegan(toastBefore serial: Int) {
        pendingKeys = []
        if let toast, toast.serial == serial, !toast.isAlert { self.toast = nil }
    }
}

extension AppState {
    /// Whether keys are commands about the lists: no line is open and nothing is asked.
    var takesCommands: Bool { ui.mode.isNormal && !leaving.isAsking }

    /// Whether `action` can be done on this list: one that can only be read takes no change.
    public func takes(_ action: AppAction) -> Bool { refusal(of: action) == nil }

    /// Why `action` cannot be done on this list, or nil if it can.
    func refusal(of action: AppAction) -> String? {
        if let reason = list.readOnlyReason, action.traits.changesList {
            return "Read-only. \(reason)"
        }
        guard case .views(.addRequested) = directed(action) else { return nil }
        return obstacleToView.map { "Cannot save the view: \($0)" }
    }

    /// The reason why the present query and tag cannot be saved as a view, or nil.
    var obstacleToView: String? {
        showsDeletedTag ? "its tag was deleted" : query.error.map(\.reason)
    }

    /// Brings rows, counts, selection and scroll positions in line with what the reducer did.
    /// O(changes × log n), and O(n) where what the list shows was redefined and the list is short;
    /// in a long one the effect that is returned looks for it.
    mutating func settle(_ environment: AppEnvironment) -> Effect? {
        totals.update(from: items, today: today)
        followTags()
        settleChosenView(environment)
        settleTagChoice()
        settleQuery(environment)
        formerQuery.settle(
            ui.chosenView?.former.filter ?? "", tags: tags, today: today, environment)
        noteChosenView()
        if ui.shown.sort == .tag { query.place(tags) }
        if ui.shown.sort.isTime { query.place(environment.calendar, today: today) }
        let above = ui.mode.anchor.flatMap(heirs(of:))?.previous
        // Before the rows: a query that is typed may select its best match.
        if let heirs = ui.selectedItem.flatMap(heirs(of:)),
            let heir = heirs.next ?? heirs.previous
        {
            ui.selectedItem = heir
        }
        let search = settleRows(environment)
        settleSelection()
        let hidden = settleMarks()
        settleDraft(above: above)
        settleQuestion(above: above)
        let uses = settleTagPicker(environment)
        settlePrompt()
        settlePalette()
        ui.inspector.settle(on: ui.selectedItem)
        settleScroll()
        return Effects.merge(search, hidden, uses)
    }

    /// Keeps the names of tags that are gone, and has what is shown, and earlier queries, ask for
    /// those that have got another name by that. A query that is being typed stays as it is.
    /// O(changes), and O(tags) for a new name.
    private mutating func followTags() {
        let renaming = newTagNames
        for delta in unseenTagDeltas where delta.after == nil {
            goneTags[delta.id] = delta.before?.name
            othersTags[delta.id] = nil
        }
        seenTags = tags.revision
        guard let renaming else { return }
        if case .filter(var draft) = ui.mode {
            draft.previous = renaming.query(draft.previous)
            ui.mode = .filter(draft)
        } else {
            ui.shown.filter = renaming.query(ui.shown.filter)
        }
        if let former = ui.chosenView?.former.filter {
            ui.chosenView?.former.filter = renaming.query(former)
        }
        ui.queries = ui.queries.map(renaming.query)
    }

    private var unseenTagDeltas: [EntityDelta<Tag>] {
        seenTags.flatMap { tags.deltas(since: $0) } ?? []
    }

    /// The new names of tags that ``settle(_:)`` has yet to follow, or nil if there are none.
    var newTagNames: TagRenaming? {
        let deltas = unseenTagDeltas
        guard deltas.contains(where: \.isRename) else { return nil }
        let changed = Set(deltas.map(\.id))
        return TagRenaming(
            from: tags.filter { !changed.contains($0.id) } + deltas.compactMap(\.before),
            to: tags.values)
    }

    private mutating func settleTagChoice() {
        guard case .tag(let id) = ui.shown.tagChoice, !tags.contains(id), id != ui.deletedTag?.id
        else {
            return
        }
        // A deleted tag is taken off the views that chose it.
        ui.shown.tagChoice = selectedView == nil ? tagChoice(at: ui.tagPlace) : .all
    }

    /// Where the item `id` is gone, the nearest of the rows of before, below and above it, whose
    /// items are still there to be shown. O(deleted and changed items × log n).
    private func heirs(of id: Item.ID) -> (next: Item.ID?, previous: Item.ID?)? {
        guard !items.contains(id), let row = rows.row(of: id) else { return nil }
        // Rows that are to be others anyway are no sign of what will be shown.
        let search = rowsDefinition == rows.definition ? includedSearch : nil
        func remains(_ row: Int) -> Bool {
            guard let item = rows.id(at: row).flatMap({ items[$0] }) else { return false }
            return search?.finds(item) ?? true
        }
        let next = (row + 1..<max(rows.count, row + 1)).first(where: remains)
        let previous = (0..<row).last(where: remains)
        return (next.flatMap(rows.id), previous.flatMap(rows.id))
    }

    /// The selection stays on its item; if that was deleted, one of ``heirs(of:)`` has taken over.
    private mutating func settleSelection() {
        if let id = ui.selectedItem, let row = rows.row(of: id) {
            ui.selectedRow = row
        } else if searching != nil, let id = ui.selectedItem, items.contains(id) {
            // It may be among what is found.
            return
        } else if rows.count > 0 {
            ui.selectedRow = min(ui.selectedRow, rows.count - 1)
            ui.selectedItem = rows.id(at: ui.selectedRow)
        } else {
            ui.selectedRow = 0
            ui.selectedItem = nil
        }
        rows.pinned = ui.selectedItem
    }

    /// What is being renamed may be deleted by another process: then what is typed becomes a new
    /// entry. `other` is the row above the one that a new item stood below, if that is gone.
    private mutating func settleDraft(above other: Item.ID?) {
        guard case .draft(var draft) = ui.mode else { return }
        switch draft.target {
        case .renamedItem(let id) where !items.contains(id):
            draft.target = .newItem(below: ui.selectedItem)
        case .renamedTag(let id) where !tags.contains(id):
            draft.target = .newTag(below: selectedTag?.id)
        case .renamedView(let id) where !views.contains(id):
            draft.target = .newView
        case .newItem(below: let id?) where !items.contains(id):
            draft.target = .newItem(below: other ?? rows.id(at: ui.selectedRow - 1))
            ui.mode = .draft(draft)
            return
        default: return
        }
        ui.mode = .draft(draft)
        ui.show(Draft.deletedElsewhere, isAlert: true)
    }

    private mutating func settleTagPicker(_ environment: AppEnvironment) -> Effect? {
        guard case .tagPicker(var picker) = ui.mode else { return nil }
        // Once for a bulk command, at its end.
        let uses =
            ui.bulk == nil
            ? picker.count(in: items, most: environment.mostChangedAtOnce) : nil
        picker.settleHighlight(in: self)
        ui.mode = .tagPicker(picker)
        return uses
    }

    private mutating func settleScroll() {
        let layout = Layout(self)
        revealItem(layout)
        ui.tagPlace = place(of: ui.shown.tagChoice)
        let draftTagRow = self.draftTagRow
        ui.tagScroll.reveal(
            draftTagRow ?? row(of: chosenRow), height: layout.paneRows,
            count: tagRowCount + (draftTagRow == nil ? 0 : 1))
    }

    private mutating func revealItem(_ layout: Layout) {
        let draftRow = self.draftItemRow
        let row = draftRow ?? (rows.count > 0 && !ui.mouse.hasScrolled ? ui.selectedRow : nil)
        let (top, height) = (ui.itemScroll.top, layout.paneRows)
        // Each row has at most one heading above it, so the rows of the upper half are visible
        // however many headings there are.
        if let row, 0..<height / 2 ~= row - top, top + height <= itemPlaceCount { return }
        ui.itemScroll.reveal(
            row, from: row.map { firstItemPlace(showing: $0, layout) } ?? 0,
            last: firstItemPlace(showing: itemPlaceCount - 1, layout))
    }
}

extension EntityDelta<Tag> {
    fileprivate var isRename: Bool {
        guard let before, let after else { return false }
        return before.name != after.name
    }
}
