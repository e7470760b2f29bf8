import Glibc

/// Typing: into whichever line is open.
public enum LineAction: Hashable, Sendable {
    case edited(LineEditor.Edit)
    /// Enter on a draft: what was typed becomes a name.
    case kept
    /// Esc on a draft: what was typed is forgotten.
    case cancelled
}

struct LineReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: LineAction, environment: AppEnvironment
    ) -> Effect? {
        if action == .kept || action == .cancelled, state.ui.toast?.text == Draft.deletedElsewhere {
            state.ui.toast = nil
        }
        switch action {
        case .edited(let edit):
            apply(edit, to: &state)
        case .kept:
            return state.keepDraft(environment)
        case .cancelled:
            if state.ui.mode.draft != nil { state.ui.mode = .normal }
        }
        return nil
    }

    private func apply(_ edit: LineEditor.Edit, to state: inout AppState) {
        switch state.ui.mode {
        case .draft(var draft):
            draft.line.apply(edit)
            state.ui.mode = .draft(draft)
        case .filter(var filter):
            if filter.line.apply(edit) { state.ui.filter = filter.line.text }
            state.ui.mode = .filter(filter)
        case .tagPicker(var picker):
            if picker.line.apply(edit) { picker.highlightBestRow(in: state) }
            state.ui.mode = .tagPicker(picker)
        case .help(var help):
            if help.line.apply(edit) { help.top = 0 }
            state.ui.mode = .help(help)
        case .normal, .confirmation, .sortMenu:
            break
        }
    }
}

extension AppState {
    /// Ends the open draft as Enter does: a name that can be kept is kept, an empty new line leaves
    /// nothing behind.
    mutating func keepDraft(_ environment: AppEnvironment) -> Effect? {
        guard let draft = ui.mode.draft else { return nil }
        ui.mode = .normal
        let text = draft.line.text
        switch draft.target {
        case .renamedItem(let id):
            return ItemReducer().reduce(
                state: &self, action: .rename(id, from: draft.original, newName: text),
                environment: environment)
        case .renamedTag(let id):
            return TagReducer().reduce(
                state: &self, action: .rename(id, from: draft.original, newName: text),
                environment: environment)
        case .newItem, .newItemAtEnd:
            if !text.isBlank { addItem(named: text, at: draft.target, environment) }
        case .newTag(below: let id):
            addTag(typed: text, below: id, environment)
        case .renamedView(let id):
            return ViewReducer().reduce(
                state: &self, action: .rename(id, from: draft.original, newName: text),
                environment: environment)
        case .newView:
            guard !text.isBlank else { return nil }
            return ViewReducer().reduce(
                state: &self, action: .add(name: text), environment: environment)
        }
        return nil
    }

    private mutating func addItem(
        named name: String, at target: Draft.Target, _ environment: AppEnvironment
    ) {
        // While the list is loading, its end is known before it is here.
        let lastRank = [items.last?.rank, list.loading?.lastRank].compactMap(\.self).max()
        var item = Item(
            id: environment.makeID(), name: name, rank: Rank.between(lastRank, nil),
            createdAt: environment.now())
        if let tag = shownTag { item.tags = [tag.id] }
        switch target {
        case .newItem(below: let id?) where items.contains(id): items.insert(item, after: id)
        case .newItem(below: nil):
            if let first = items.first { items.insert(item, before: first.id) } else { fallthrough }
        default: items[item.id] = item
        }
        ui.selectedItem = item.id
    }

    private mutating func addTag(
        typed text: String, below other: Tag.ID?, _ environment: AppEnvironment
    ) {
        guard let name = Tag.name(from: text) else { return }
        if let existing = tag(named: name) {
            choose(.choice(.tag(existing.id)), environment)
            ui.show("A tag “\(existing.name)” already exists")
            return
        }
        let id = environment.makeID()
        addTag(named: name, below: other, id: id)
        choose(.choice(.tag(id)), environment)
    }
}
