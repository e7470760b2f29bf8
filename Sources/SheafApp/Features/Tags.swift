import Glibc
import SheafList

/// Actions on tags. Those without an id apply to the tag or view that is chosen in the tags pane:
/// ``AppState/retargetedToView(_:)``.
package enum TagAction: Hashable, Sendable {
    case addRequested
    case renameRequested
    /// `from` is the name when the user began to type, or nil for the current name.
    case rename(Tag.ID, from: String? = nil, newName: String)
    /// Changes to the next or previous color.
    case recolored(by: Int)
    case deleteRequested
    case delete(Tag.ID)
    /// The user confirmed the deletion of the tag, as named and counted in the question.
    case deleteConfirmed(Tag, uses: Int)
    case moveRequested(Direction)
}

extension TagAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .addRequested, .renameRequested: .request(under: .tags)
        case .rename: .edit("rename tag", under: .tags)
        case .recolored: .edit("tag color", under: .tags, coalesces: true)
        case .deleteRequested, .delete, .deleteConfirmed: .edit("delete tag", under: .tags)
        case .moveRequested: .edit("move tag", under: .tags, coalesces: true)
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .addRequested:
            state.ui.pane = .tags
            state.ui.mode = .draft(
                Draft(target: .newTag(below: state.selectedTag?.id), line: LineEditor()))
        case .renameRequested:
            guard let tag = chosenTag(&state) else { return nil }
            state.ui.mode = .draft(Draft(target: .renamedTag(tag.id), line: LineEditor(tag.name)))
        case .rename(let id, let original, let newName):
            return rename(&state, id, from: original, newName, environment)
        case .recolored(let step):
            guard let tag = chosenTag(&state) else { return nil }
            state.tags.modify(tag.id) { $0.color = $0.color.advanced(by: step) }
        case .deleteRequested:
            guard let tag = chosenTag(&state) else { return nil }
            guard state.totals.tags[tag.id] == 0 else {
                ask(&state, about: tag)
                return nil
            }
            return delete(&state, tag.id, environment)
        case .delete(let id):
            return delete(&state, id, environment)
        case .deleteConfirmed(let asked, let uses):
            guard let tag = state.tags[asked.id] else {
                state.ui.show("Already deleted by another process: tag “\(asked.name)”")
                return nil
            }
            // The question had a different name or fewer items, so it is asked again.
            if tag.name != asked.name || state.totals.tags[tag.id] > uses {
                ask(&state, about: tag)
            } else {
                return delete(&state, tag.id, environment)
            }
        case .moveRequested(let direction):
            guard let tag = chosenTag(&state) else { return nil }
            state.move(Tag.self, tag.id, direction)
        }
        return nil
    }

    /// Returns the selected tag. If a fixed row is selected, shows a toast and returns nil.
    private func chosenTag(_ state: inout AppState) -> Tag? {
        if let tag = state.selectedTag { return tag }
        state.ui.refuse("This row is not a tag or view")
        return nil
    }

    private func rename(
        _ state: inout AppState, _ id: Tag.ID, from original: String?, _ newName: String,
        _ environment: AppEnvironment
    ) -> Effect? {
        guard let theirs = state.tags[id] else { return nil }
        var (base, mine) = (theirs, theirs)
        if let original { base.name = original }
        guard !newName.utf8.elementsEqual(base.name.utf8) else { return nil }
        guard let name = Tag.name(from: newName) else {
            state.ui.refuse("A name cannot be empty; kept: “\(theirs.name)”", isAlert: true)
            return nil
        }
        let uses = state.totals.tags[id]
        guard state.list.loading == nil || uses == 0 else {
            state.ui.refuse("Cannot rename tag “\(theirs.name)” yet: the list is still loading")
            return nil
        }
        mine.name = name
        let outcome = Tag.merge(base: base, mine: mine, theirs: theirs)
        var changes = StorageChanges()
        do throws(TagEditError) {
            try changes.rename(
                theirs, to: outcome.value, among: state.tags.values, in: state.views.values)
        } catch {
            state.ui.show(error.reason, isAlert: true)
            return nil
        }
        if outcome.isConflict { state.show(Conflict(id, name, .kept)) }
        return state.change(.renameTag, count: uses, environment) { items in
            let named =
                uses == 0
                ? [] : items.filter { $0.isRewritten(byRenaming: theirs, to: outcome.value) }
            return .renamed(named.map(\.id), from: theirs, to: outcome.value, isFirst: true)
        }
    }

    private func ask(_ state: inout AppState, about tag: Tag) {
        state.ui.mode = .confirmation(
            state.question(ofDeleting: tag, asked: state.totals.tags[tag.id]))
    }

    /// Deletes a tag, and removes it from its items and views in the same step, so that one undo
    /// restores all of it.
    private func delete(
        _ state: inout AppState, _ id: Tag.ID, _ environment: AppEnvironment
    ) -> Effect? {
        guard let tag = state.tags[id] else { return nil }
        guard state.list.loading == nil else {
            state.ui.refuse("Cannot delete tag “\(tag.name)” yet: the list is still loading")
            return nil
        }
        let uses = state.totals.tags[id]
        let words = state.message(ofDeleting: tag)
        let effect = state.change(.deleteTag, count: uses, environment) { items in
            let tagged = uses > 0 ? items.filter { $0.tags.contains(id) }.map(\.id) : []
            return .untagged(tagged, tag, isLast: true)
        }
        if effect == nil { state.ui.show(words, hint: "u undo") }
        return effect
    }
}

extension AppState {
    /// Returns the question whether to delete `tag`, with its current counts. The answer yes is
    /// valid while at most `asked` items have the tag.
    func question(ofDeleting tag: Tag, asked: Int) -> Confirmation {
        let views = views.count { $0.tag == tag.id }
        let others = views == 0 ? "" : " and \(views.views)"
        let uses = totals.tags[tag.id].items
        let name = Confirmation.shown(tag.name)
        return Confirmation(
            question: "Delete tag “\(name)”, used by \(uses)\(others)?",
            shorterForms: ["Delete tag of \(uses)?", "Delete tag?"], name: name,
            verb: "delete", confirmed: .tags(.deleteConfirmed(tag, uses: asked)))
    }

    /// Renames a tag and updates the queries of views. The caller updates the items whose names
    /// contain the tag as a word.
    mutating func rename(_ tag: Tag, to renamed: Tag) {
        var changes = StorageChanges()
        do throws(TagEditError) {
            try changes.rename(tag, to: renamed, among: tags.values, in: views.values)
            apply(changes)
        } catch {
            ui.show(error.reason, isAlert: true)
        }
    }

    /// Returns the message that `tag` is deleted, including the views that had chosen it and now
    /// show more items.
    func message(ofDeleting tag: Tag) -> String {
        let views = SavedView.sentence(onTagless: views.filter { $0.tag == tag.id })
        return "Tag deleted: “\(tag.name)”" + (views.map { ". \($0)" } ?? "")
    }

    /// Moves a row of the tags pane by the typed count, among the rows of its kind. O(log n).
    mutating func move<Entity: StateEntity>(
        _ kind: Entity.Type, _ id: Entity.ID, _ direction: Direction
    ) {
        guard let row = self[kind].position(of: id) else { return }
        let step = (direction == .down ? 1 : -1) * (ui.count ?? 1)
        let place = max(0, min(row + step, self[kind].count - 1))
        guard let passed = self[kind].id(at: place) else { return }
        if place > row {
            self[kind].move(id, after: passed)
        } else {
            self[kind].move(id, before: passed)
        }
    }
}

extension AppState {
    /// Replaces a tag with one of the same name that another process created, on all items and
    /// views. O(items).
    mutating func replaceTag(_ id: Tag.ID, by other: Tag) {
        // If the tag was renamed during the commit, it is kept as a separate tag.
        guard tags[id]?.foldedName == other.foldedName else { return }
        for item in items where item.tags.contains(id) {
            items.modify(item.id) { $0 = $0.replacingTags([id: other.id]) }
        }
        for view in views where view.tag == id {
            views.modify(view.id) { $0.tag = other.id }
        }
        tags[id] = nil
        if ui.viewSettings.tagChoice == .tag(id) { ui.viewSettings.tagChoice = .tag(other.id) }
        if ui.chosenView?.former.tagChoice == .tag(id) {
            ui.chosenView?.former.tagChoice = .tag(other.id)
        }
        ui.show("Tag also created by another process, now one tag: “\(other.name)”")
    }

    /// Updates the queries of views with the new names of tags. O(views).
    ///
    /// - Parameter restored: the views whose queries already contain the new names.
    mutating func renameTags(
        by renaming: TagRenaming, except restored: Set<SavedView.ID> = []
    ) {
        for (id, change) in renaming.changes(in: views).elements where !restored.contains(id) {
            views[id] = change.after
        }
    }

    /// Removes the deleted tags `gone` from views, which then show items with any tag. O(views).
    mutating func removeFromViews(_ gone: Set<Tag.ID>) {
        for view in views where view.tag.map(gone.contains) ?? false {
            views.modify(view.id) { $0.tag = nil }
        }
    }

    /// Adds a tag below another one, or at the end, with the least used color.
    mutating func addTag(
        named name: String, below other: Tag.ID? = nil, _ environment: AppEnvironment
    ) -> Tag.ID {
        let tag = Tag(
            id: environment.makeID(), name: name, color: .minUsed(among: tags), rank: .middle)
        if let other {
            tags.insert(tag, after: other)
        } else {
            tags.append(tag)
        }
        return tag.id
    }
}

extension TagColor {
    /// Returns the color for a new tag: the one that the fewest of `tags` have. The first of
    /// several wins. O(tags).
    package static func minUsed(among tags: some Sequence<Tag>) -> TagColor {
        var uses: [TagColor: Int] = [:]
        for tag in tags { uses[tag.color, default: 0] += 1 }
        return allCases.min { uses[$0, default: 0] < uses[$1, default: 0] } ?? .blue
    }

    /// Returns the color `step` places further in the cycle of colors.
    func advanced(by step: Int) -> TagColor {
        let all = TagColor.allCases
        let index = (all.firstIndex(of: self) ?? 0) + step
        return all[((index % all.count) + all.count) % all.count]
    }
}
