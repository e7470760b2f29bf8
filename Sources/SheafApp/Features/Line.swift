import Glibc
import SheafList

/// Typing in the open line.
package enum LineAction: Hashable, Sendable {
    case edited(LineEditor.Edit)
    /// Enter on a draft: the typed text becomes the name.
    case accepted
    /// ^N on a new item: accepts it, and opens a line for another one below it.
    case acceptedForNext
    /// Tab on the line of an item: completes a tag before the caret.
    case completed
    /// Esc on a draft: discards the typed text.
    case cancelled
}

extension LineAction: FeatureAction {
    var traits: ActionTraits {
        let traits = ActionTraits.user(under: .program, ends: [.count, .range])
        return switch self {
        case .edited, .completed, .cancelled: traits
        case .accepted, .acceptedForNext: traits.acceptingLine
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        if self != .completed, !isEdit, state.ui.toast?.text == Draft.deletedElsewhere {
            state.ui.toast = nil
            // A user who closes the line has seen the message about the deleted item.
            if state.ui.waitingKeys == 0 { state.acceptSubject() }
        }
        switch self {
        case .edited(let edit):
            apply(edit, to: &state)
        case .accepted:
            guard !state.asksToReplaceView(), !state.refusesDraftedName() else { return nil }
            return state.acceptDraft(environment)
        case .acceptedForNext:
            return acceptForNext(&state, environment)
        case .completed:
            complete(&state)
        case .cancelled:
            guard let draft = state.ui.mode.draft else { return nil }
            state.ui.mode = .normal
            state.ui.pane = draft.formerPane ?? state.ui.pane
            state.ui.discard(draft.line, original: draft.original)
        }
        return nil
    }

    private var isEdit: Bool { if case .edited = self { true } else { false } }

    private func acceptForNext(
        _ state: inout AppState, _ environment: AppEnvironment
    ) -> Effect? {
        guard let draft = state.ui.mode.draft, draft.isNewItem else { return nil }
        let effect = state.acceptDraft(environment)
        if !draft.line.text.isBlank {
            state.ui.mode = .draft(
                Draft(target: .newItem(below: state.ui.selectedItem), line: LineEditor()))
        }
        return effect
    }

    private func complete(_ state: inout AppState) {
        guard case .draft(var draft) = state.ui.mode, draft.isOfItem else { return }
        let completion = QueryCompletion(
            ofTagIn: String(draft.line.beforeCaret), tags: state.tags.values)
        if completion.apply(to: &draft.line) { state.ui.mode = .draft(draft) }
        if completion.candidates.count > 1 { state.ui.show(completion.listed) }
    }

    private func apply(_ edit: LineEditor.Edit, to state: inout AppState) {
        switch state.ui.mode {
        case .draft(var draft):
            apply(edit, to: &draft.line, &state)
            state.ui.mode = .draft(draft)
        case .filter(var filter):
            filter.completions = nil
            if apply(edit, to: &filter.line, &state) {
                // An earlier query becomes typed text when the user edits it.
                filter.recalled = nil
                state.ui.viewSettings.filter = filter.line.text
            }
            state.ui.mode = .filter(filter)
        case .tagPicker(var picker):
            if apply(edit, to: &picker.line, &state) { picker.highlightBestRow(in: state) }
            state.ui.mode = .tagPicker(picker)
        case .help(var help):
            if apply(edit, to: &help.line, &state) { help.top = 0 }
            state.ui.mode = .help(help)
        case .prompt(var prompt):
            apply(edit, to: &prompt.line, &state)
            state.ui.mode = .prompt(prompt)
        case .palette(var palette):
            if apply(edit, to: &palette.line, &state) {
                palette.highlight(0, of: palette.rows(in: state))
            }
            state.ui.mode = .palette(palette)
        case .normal, .confirmation, .sortMenu:
            break
        }
    }

    /// Edits `line`. All lines share the text that `^Y` inserts.
    @discardableResult
    private func apply(
        _ edit: LineEditor.Edit, to line: inout LineEditor, _ state: inout AppState
    ) -> Bool {
        line.killed = state.ui.killed
        if edit == .yank, line.text.isEmpty, !line.hasEverKilled, let whole = state.ui.discarded {
            line.killed = whole
            state.ui.discarded = nil
        }
        defer { state.ui.killed = line.killed }
        return line.apply(edit)
    }
}

extension AppState {
    /// Returns the parsed line of a new or renamed item; nil for the line of a tag or view.
    package func typedItem(_ draft: Draft) -> TypedItem? {
        guard draft.isOfItem else { return nil }
        let former = draft.item.map { item in
            TypedItem.Former(name: draft.original, tags: tags(of: items[item.id] ?? item))
        }
        return TypedItem(
            draft.line.text, renaming: former, given: draft.isNewItem ? tagsOfNewItems : [],
            pasted: draft.line.pasted, tags: KnownTags(tags), today: today)
    }

    /// Returns the meanings of the words of a typed text, and the priority that a new item gets
    /// from the query.
    package func meanings(of typed: TypedItem) -> [String] {
        var meanings = typed.meanings(today: today)
        if ui.mode.draft?.isNewItem == true, let priority = priorityOfNewItems,
            !typed.settings.contains(where: { $0.field == .priority })
        {
            meanings.append("priority \(priority)")
        }
        return meanings
    }

    /// Closes the line that is open for an edit of the list, without asking. Accepts a valid name,
    /// value or query of a view, and drops an empty new line or an invalid value or query.
    mutating func acceptLine(_ environment: AppEnvironment) -> Effect? {
        if case .filter(let filter) = ui.mode {
            guard filter.view != nil else { return nil }
            let action = query.error == nil ? FilterAction.accepted : .cancelled
            return action.reduce(&self, environment)
        }
        if case .prompt = ui.mode {
            let effect = keepPrompted(environment)
            ui.mode = .normal
            return effect
        }
        return acceptDraft(environment)
    }

    mutating func acceptDraft(_ environment: AppEnvironment) -> Effect? {
        guard let draft = ui.mode.draft else { return nil }
        ui.mode = .normal
        let text = draft.line.text
        switch draft.target {
        case .renamedItem(let id):
            let typed = typedItem(draft)
            let effect = ItemAction.rename(id, from: draft.original, newName: text)
                .reduce(&self, environment)
            guard let typed, !text.isBlank else { return effect }
            items.edit(id, at: environment.now()) { item in
                // The typed text contains none of these tags, so it stays. A name from another
                // process may contain them.
                let isTyped = item.name == text
                for tag in typed.lostTags { item.remove(tag) }
                if isTyped { item.name = text }
            }
            if typed.hasMoreThanName { ui.typedItem = (id, typed, isNew: false) }
            return effect
        case .renamedTag(let id):
            return TagAction.rename(id, from: draft.original, newName: text)
                .reduce(&self, environment)
        case .newItem, .newItemAtEnd:
            guard !text.isBlank, let typed = typedItem(draft) else { return nil }
            if var item = draft.item {
                for tag in typed.lostTags { item.remove(tag) }
                item.name = text
                bringBack(item, because: "rename", environment)
                if typed.hasMoreThanName { ui.typedItem = (item.id, typed, isNew: false) }
                return nil
            }
            let id = addItem(named: text, at: draft.target, environment)
            if typed.hasMoreThanName {
                ui.typedItem = (id, typed, isNew: true)
            } else {
                showPlace(of: id)
            }
        case .newTag(below: let id):
            addTag(typed: text, below: id, environment)
        case .renamedView(let id):
            return ViewAction.rename(id, from: draft.original, newName: text)
                .reduce(&self, environment)
        case .newView:
            ui.pane = draft.formerPane ?? ui.pane
            guard !text.isBlank else { return nil }
            return ViewAction.add(name: text).reduce(&self, environment)
        }
        return nil
    }

    private mutating func addItem(
        named name: String, at target: Draft.Target, _ environment: AppEnvironment
    ) -> Item.ID {
        // While the list is loading, the rank of its last item is already known.
        let lastRank = [items.last?.rank, list.loading?.lastRank].compactMap(\.self).max()
        var item = Item(
            id: environment.makeID(), name: name, rank: Rank.between(lastRank, nil),
            createdAt: environment.now())
        item.tags = Set(tagsOfNewItems.map(\.id))
        item.priority = priorityOfNewItems
        switch target {
        case .newItem(below: let id?) where items.contains(id): items.insert(item, after: id)
        case .newItem(below: nil):
            if let first = items.first { items.insert(item, before: first.id) } else { fallthrough }
        default: if list.loading == nil { items.append(item) } else { items[item.id] = item }
        }
        ui.selectedItem = item.id
        return item.id
    }

    /// Applies the name, tags and fields of an accepted line to its item.
    mutating func applyTypedItem(_ environment: AppEnvironment) {
        guard let (id, typed, isNew) = ui.typedItem else { return }
        ui.typedItem = nil
        let new = typed.newTagNames.map { name in
            tags.first(named: name)?.id ?? addTag(named: name, environment)
        }
        items.edit(id, at: environment.now()) { item in
            // The new name may have been merged with one from another process.
            let merged = item.name == typed.text ? nil : item.name
            item.apply(typed, tags: typed.knownTags.map(\.id) + new)
            if let merged { item.name = merged }
        }
        if isNew { showPlace(of: id) }
    }

    /// Shows a message about the new item's place if its row is under a heading, or is visible only
    /// while the item is selected.
    private mutating func showPlace(of id: Item.ID) {
        guard let item = items[id] else { return }
        let heading = headedSort(Layout(self)).flatMap {
            DayHeading(of: item, sortedBy: $0, today: today, calendar: query.calendar)
        }
        let isShown = isIncluded(item)
        guard heading != nil || !isShown else { return }
        let place = heading.map { " under \($0.title)" } ?? ""
        let reason =
            if isShown {
                ""
            } else if !query.search.finds(item) {
                ", hidden by the \(selectedView == nil ? "query" : "view")"
            } else {
                ", hidden when you leave it"
            }
        ui.show("Added\(place)\(reason): “\(Confirmation.shown(item.name))”")
    }

    private mutating func addTag(
        typed text: String, below other: Tag.ID?, _ environment: AppEnvironment
    ) {
        guard let name = Tag.name(from: text) else { return }
        if let existing = tags.first(named: name) {
            choose(.choice(.tag(existing.id)), environment)
            ui.show("A tag “\(existing.name)” already exists")
            return
        }
        let id = addTag(named: name, below: other, environment)
        choose(.choice(.tag(id)), environment)
    }
}

extension UIState {
    /// Saves a discarded line for `^Y`, unless the user typed no text.
    mutating func discard(_ line: LineEditor, original: String = "") {
        guard !line.text.isBlank, line.text != original else { return }
        killed = line.whole
        discarded = line.whole
        show("Discarded: “\(Confirmation.shown(line.text))”", hint: "^Y in a new line")
    }
}
