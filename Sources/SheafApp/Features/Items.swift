import Glibc
import SheafList

/// Actions on items. Those without an id apply to the selected item; `doneToggled`, `delete` and
/// the moves apply to the marked items instead, if there are any.
package enum ItemAction: Hashable, Sendable {
    case addRequested
    case addAtEndRequested
    case renameRequested
    /// `from` is the name when the user began to type, or nil for the current name.
    case rename(Item.ID, from: String? = nil, newName: String)
    case doneToggled
    case delete
    /// The user confirmed the deletion of these items.
    case deleteConfirmed(Set<Item.ID>)
    case moveRequested(Direction)
    /// Moves an item to the row of another item; the rows between them shift towards the gap. If
    /// the moved item is marked, all marked items move with it.
    case placed(Item.ID, at: Item.ID)
    /// Adds a tag to an item. If the item is marked, all marked items receive the tag.
    case tagged(Item.ID, with: Tag.ID)
    /// Sets the tags and fields that the user typed into an item's name, and removes them from the
    /// name.
    case typedItemApplied
    /// Moves the items to the first or last row.
    case moveToEndRequested(Direction)
    case noteRequested
    /// The item as it was when the editor opened, and its new note.
    case noteEdited(Item, to: String)
    case noteFailed(reason: String)
}

extension ItemAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .addRequested, .addAtEndRequested, .renameRequested, .noteRequested:
            return .request(under: .items)
        case .rename: return .edit("rename", under: .items)
        case .doneToggled: return .edit("done", under: .items, verb: "change")
        case .delete, .deleteConfirmed: return .edit("delete", under: .items)
        case .moveRequested, .moveToEndRequested:
            return .edit("move", under: .items, coalesces: true, verb: "move")
        case .placed: return .edit("move", under: .items)
        case .tagged: return .edit("tag", under: .items)
        case .noteEdited:
            // The editor opened while the list could be changed, so the edited note is accepted
            // even if the list has become read-only.
            var traits = ActionTraits.edit("note", under: .items)
            traits.changesList = false
            return traits
        case .noteFailed: return .user(under: .items)
        case .typedItemApplied:
            var traits = ActionTraits.program
            traits.undo = { _ in .command(name: "tags and dates in the name") }
            return traits
        }
    }
}

/// A direction through the rows.
package enum Direction: Hashable, Sendable {
    case up, down
}

extension ItemAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .addRequested:
            openNewItem(&state, at: .newItem(below: state.ui.selectedItem))
        case .addAtEndRequested:
            openNewItem(&state, at: .newItemAtEnd)
        case .renameRequested:
            guard let item = state.chosenItem() else { return nil }
            state.ui.pane = .items
            var draft = Draft(target: .renamedItem(item.id), line: LineEditor(item.name))
            draft.item = item
            state.ui.mode = .draft(draft)
        case .rename(let id, let original, let newName):
            guard !newName.isBlank else {
                let name = Confirmation.shown(state.items[id]?.name ?? "")
                state.ui.refuse("A name cannot be empty; kept: “\(name)”", isAlert: true)
                return nil
            }
            state.merge(
                .name(newName), from: original.map(ItemEdit.name), into: id, at: environment.now())
        case .doneToggled:
            let ids = state.subjects()
            let now = environment.now()
            let stored = ids.first.flatMap { state.items[$0] }.flatMap { state.items[$0.nextID] }
            let effect = state.change(.done, count: ids.count, environment) {
                // If all items are done, they are marked open.
                let items = $0.inOrder(ids)
                let time = items.allSatisfy(\.isDone) ? nil : now
                return .edited(items.map(\.id), .done(since: time))
            }
            if ids.count == 1, let id = ids.first {
                state.showNextOccurrence(of: id, stored: stored, at: now)
            }
            return effect
        case .delete:
            let ids = state.subjects()
            guard ids.count > 1 || state.ui.marks.hiddenCount ?? 0 > 0 else {
                delete(ids, &state)
                return nil
            }
            state.ui.mode = .confirmation(state.question(ofDeleting: ids))
        case .deleteConfirmed(let ids):
            return state.change(.delete, count: ids.count, environment) {
                .deleted($0.inOrder(ids).map(\.id))
            }
        case .moveRequested(let direction):
            return move(&state, direction, by: state.ui.count ?? 1, environment)
        case .moveToEndRequested(let direction):
            return move(&state, direction, by: state.rows.count, environment)
        case .placed(let id, let other):
            return place(&state, id, at: other, environment)
        case .tagged(let id, let tag):
            return putTag(tag, on: id, &state, environment)
        case .typedItemApplied:
            state.applyTypedItem(environment)
        case .noteRequested:
            guard let item = state.chosenItem() else { return nil }
            return edit(item, environment)
        case .noteEdited(let item, let text):
            if state.items.contains(item.id) {
                state.merge(
                    .note(text), from: .note(item.note), into: item.id, at: environment.now())
            } else if text != item.note {
                var item = item
                item.note = text
                state.bringBack(item, because: "note", environment)
            }
        case .noteFailed(let reason):
            state.ui.show(reason, isAlert: true)
        }
        return nil
    }

    private func openNewItem(_ state: inout AppState, at target: Draft.Target) {
        state.ui.pane = .items
        state.ui.mode = .draft(Draft(target: target, line: LineEditor()))
    }

    private func delete(_ ids: Set<Item.ID>, _ state: inout AppState) {
        guard let item = ids.first.flatMap({ state.items[$0] }) else { return }
        state.items[item.id] = nil
        state.ui.show("Deleted: “\(item.name)”", hint: "u undo")
    }

    /// Moves the marked items together, or else the selected item, past `count` visible rows.
    /// Hidden rows between them are not counted.
    private func move(
        _ state: inout AppState, _ direction: Direction, by count: Int,
        _ environment: AppEnvironment
    ) -> Effect? {
        guard state.ui.marks.count > 0 || state.chosenItem() != nil else { return nil }
        if let refusal = state.moveRefusal {
            state.ui.refuse(refusal)
            return nil
        }
        let ids =
            state.ui.marks.isEmpty
            ? Set([state.ui.selectedItem].compactMap(\.self)) : state.subjects()
        if state.ui.marks.hiddenCount == ids.count {
            state.ui.refuse("Cannot move: no marked item is shown")
            return nil
        }
        return state.change(.move, count: ids.count, environment) { [rows = state.rows] items in
            rows.passing(count, direction, by: ids, in: items)
        }
    }

    private func place(
        _ state: inout AppState, _ id: Item.ID, at other: Item.ID, _ environment: AppEnvironment
    ) -> Effect? {
        guard let row = state.rows.row(of: id), let place = state.rows.row(of: other) else {
            return nil
        }
        if let refusal = state.moveRefusal {
            state.ui.refuse(refusal)
            return nil
        }
        let ids = state.group(with: id)
        guard ids.count > 1 else {
            if place > row {
                state.items.move(id, after: other)
            } else {
                state.items.move(id, before: other)
            }
            return nil
        }
        return state.change(.drop, count: ids.count, environment) { items in
            .placing(items.inOrder(ids), place > row ? .after : .before, other, in: items)
        }
    }

    private func putTag(
        _ tag: Tag.ID, on id: Item.ID, _ state: inout AppState, _ environment: AppEnvironment
    ) -> Effect? {
        guard let item = state.items[id], let tag = state.tags[tag] else { return nil }
        let ids = state.group(with: id)
        // If there are many items, the bulk command finds those without the tag, on another
        // thread.
        if ids.count <= environment.maxChangedAtOnce,
            ids.allSatisfy({ state.items[$0]?.tags.contains(tag.id) ?? true })
        {
            state.ui.refuse(
                ids.count == 1
                    ? "Already has \(tag.label): “\(item.name)”"
                    : "\(ids.count.items) already have \(tag.label)")
            return nil
        }
        let effect = state.change(.tag(tag.id), count: ids.count, environment) { items in
            let lacking = items.inOrder(ids).filter { !$0.tags.contains(tag.id) }
            return .edited(lacking.map(\.id), .add(tag))
        }
        if ids.count == 1 {
            state.ui.show("\(tag.label) added: “\(item.name)”", hint: "u undo")
        }
        return effect
    }

    private func edit(_ item: Item, _ environment: AppEnvironment) -> Effect {
        { [terminal = environment.terminal] send in
            await terminal.edit(item.note) { result in
                switch result {
                case .success(item.note): break
                case .success(let text): send(.items(.noteEdited(item, to: text)))
                case .failure(let error): send(.items(.noteFailed(reason: "\(error)")))
                }
            }
        }
    }
}

extension AppState {
    /// The reason why rows cannot be moved by hand, or nil if they can.
    var moveRefusal: String? {
        shownSort.map {
            $0 == .manual
                ? "Cannot move: the manual order is reversed; sm restores it"
                : "Cannot move: sorted by \($0.title); sm restores the manual order"
        }
    }

    /// Returns the selected item. If there is none, shows a toast and returns nil.
    mutating func chosenItem() -> Item? {
        if let item = selectedItem { return item }
        ui.refuse("No item is selected")
        return nil
    }
}

extension AppState {
    /// Restores an item that another process has deleted, because an edit wins over a deletion, as
    /// in storage.
    mutating func bringBack(
        _ item: Item, because edit: String, _ environment: AppEnvironment
    ) {
        var item = item
        item.tags = item.tags.filter { tags.contains($0) }
        item.touch(at: environment.now())
        items[item.id] = item
        ui.selectedItem = item.id
        ui.show(
            "Deleted by another process, restored by your \(edit): “\(item.name)”", isAlert: true)
    }

    /// Applies an edit that began when the field had the value `original`, or unconditionally if
    /// `original` is nil. If another process has edited the item since, the two edits are merged by
    /// the rules of storage.
    mutating func merge(
        _ edit: ItemEdit, from original: ItemEdit?, into id: Item.ID, at now: Timestamp
    ) {
        guard let theirs = items[id] else { return }
        var (base, mine) = (theirs, theirs)
        original?.apply(to: &base)
        edit.apply(to: &mine)
        guard mine != base else { return }
        let outcome = StorageMerge.items(base: base, mine: mine, theirs: theirs)
        items.edit(id, at: now) { $0 = outcome.value }
        if outcome.isConflict { show(Conflict(outcome.value, before: theirs)) }
    }
}

extension ItemRows {
    /// Returns the changes that move the items of `ids` together past `count` rows, or to the end
    /// of the list if there are fewer. Hidden items move with the visible ones. Returns nil if the
    /// items are already there. O(ids × log n).
    fileprivate func passing(
        _ count: Int, _ direction: Direction, by ids: Set<Item.ID>, in items: EntityStore<Item>
    ) -> ItemChanges? {
        let places = ids.compactMap(row)
        guard let first = places.min(), let last = places.max() else { return nil }
        let isDown = direction == .down
        var passed = isDown ? min(last + count, self.count - 1) : max(first - count, 0)
        while let id = id(at: passed), ids.contains(id) { passed += isDown ? -1 : 1 }
        guard isDown ? passed > first : passed < last, let neighbour = id(at: passed) else {
            return nil
        }
        return .placing(items.inOrder(ids), isDown ? .after : .before, neighbour, in: items)
    }
}
