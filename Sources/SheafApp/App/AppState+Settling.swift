import SheafList
import Swidux

extension AppState {
    /// Updates all derived state after an action. Each step reads the results of the steps before
    /// it. Settling twice changes nothing.
    ///
    /// 1. The user's choices follow changes of the list by other processes and undo.
    /// 2. The query and the sort become a definition of rows.
    /// 3. The rows become those of the definition, or a search for them begins.
    /// 4. The selection, the marks and the open line or box follow the rows.
    /// 5. Both panes scroll to the selection.
    ///
    /// O(changes × log n), or O(n) if the rows were redefined and the list is short. For a long
    /// list, the returned effect searches for the rows.
    ///
    /// - Parameter place: the selection before an edit of sorted rows, or nil.
    mutating func settle(
        _ environment: AppEnvironment, keeping place: SelectionPlace? = nil
    ) -> Effect? {
        followLists(environment)
        let definition = settleQueries(environment)
        let replacements = replacements(under: definition)
        let search = settleRows(definition, replacement: replacements.selection, environment)
        let counts = settleSelection(keeping: place, above: replacements.anchor, environment)
        settleScroll()
        return Effects.merge(search, counts)
    }

    // MARK: The lists

    /// Updates the totals, the names of tags and the chosen row of the tags pane.
    private mutating func followLists(_ environment: AppEnvironment) {
        totals.update(from: items, today: today)
        followTags()
        followChosenView(environment)
        followTagChoice()
    }

    /// Records the names of deleted tags, and replaces the names of renamed ones in the current and
    /// earlier queries. A query that is being typed stays as it is. O(changes), or O(tags) if a tag
    /// was renamed.
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
            ui.viewSettings.filter = renaming.query(ui.viewSettings.filter)
        }
        if let former = ui.chosenView?.former.filter {
            ui.chosenView?.former.filter = renaming.query(former)
        }
        ui.queries = ui.queries.map(renaming.query)
    }

    private var unseenTagDeltas: [EntityDelta<Tag>] {
        seenTags.flatMap { tags.deltas(since: $0) } ?? []
    }

    /// The new names of tags that ``settle(_:keeping:)`` has yet to apply, or nil if there are
    /// none.
    var newTagNames: TagRenaming? {
        let deltas = unseenTagDeltas
        guard deltas.contains(where: \.isRename) else { return nil }
        let changed = Set(deltas.map(\.id))
        return TagRenaming(
            from: tags.filter { !changed.contains($0.id) } + deltas.compactMap(\.before),
            to: tags.values)
    }

    /// Chooses the row that has taken the place of a deleted tag's row.
    private mutating func followTagChoice() {
        if case .tag(let id) = ui.viewSettings.tagChoice, !tags.contains(id),
            id != ui.deletedTag?.id
        {
            // The views that had chosen a deleted tag no longer refer to it.
            ui.viewSettings.tagChoice = selectedView == nil ? tagChoice(at: ui.tagPlace) : .all
        }
        ui.tagPlace = place(of: ui.viewSettings.tagChoice)
    }

    // MARK: Queries and rows

    /// Evaluates the query, the query that returns when the user leaves the chosen view, and the
    /// sort. Returns the resulting definition of the rows. O(query + tags) if these may have
    /// changed.
    private mutating func settleQueries(_ environment: AppEnvironment) -> RowsDefinition {
        settleQuery(environment)
        formerQuery.settle(
            ui.chosenView?.former.filter ?? "", tags: tags, today: today, environment)
        let shownView = showsChosenView ? selectedView : nil
        ui.chosenView?.shown = shownView
        if ui.viewSettings.sort == .tag { query.updateTagPlaces(tags) }
        if ui.viewSettings.sort.isTime { query.updateTimeZone(environment.calendar, today: today) }
        return rowsDefinition
    }

    /// Returns the items that take the place of deleted ones, looked up among the rows before they
    /// change. `selection` is the item to select: the next item, or else the previous one. `anchor`
    /// is the item below which a new one will be placed: the previous one. Nil if no item was
    /// deleted. O(deleted and changed items × log n).
    private func replacements(
        under definition: RowsDefinition
    ) -> (selection: Item.ID?, anchor: Item.ID?) {
        func replacements(of id: Item.ID?) -> (next: Item.ID?, previous: Item.ID?) {
            guard let id, !items.contains(id), let row = rows.row(of: id) else { return (nil, nil) }
            // If the rows have another definition, they do not show which items will be visible.
            let search = definition == rows.definition ? includedSearch : nil
            func remains(_ row: Int) -> Bool {
                guard let item = rows.id(at: row).flatMap({ items[$0] }) else { return false }
                return search?.finds(item) ?? true
            }
            let next = (row + 1..<max(rows.count, row + 1)).first(where: remains)
            let previous = (0..<row).last(where: remains)
            return (next.flatMap(rows.id), previous.flatMap(rows.id))
        }
        let selection = replacements(of: ui.selectedItem)
        return (selection.next ?? selection.previous, replacements(of: ui.mode.anchor).previous)
    }

    // MARK: The selection

    /// Updates the selection, the marks, the open line or box and the inspector after the rows have
    /// changed.
    ///
    /// - Parameter other: the new anchor for new items if theirs was deleted.
    private mutating func settleSelection(
        keeping place: SelectionPlace?, above other: Item.ID?, _ environment: AppEnvironment
    ) -> Effect? {
        findSelection(keeping: place)
        let hidden = settleMarks()
        let uses = settleMode(above: other, environment)
        ui.inspector.settle(on: ui.selectedItem)
        return Effects.merge(hidden, uses)
    }

    /// Keeps the selection on its item, or at `place`. If its row is gone, selects the nearest one.
    private mutating func findSelection(keeping place: SelectionPlace?) {
        if let id = ui.selectedItem, let row = rows.row(of: id) {
            ui.selectedRow = row
        } else if searching != nil, let id = ui.selectedItem, items.contains(id) {
            // The search may find it.
            return
        } else if rows.count > 0 {
            select(row: ui.selectedRow)
        } else {
            ui.selectedRow = 0
            ui.selectedItem = nil
        }
        if let place { keepSelection(at: place) }
        rows.pinned = ui.selectedItem
        // A row above that was visible only while it was selected may now be hidden.
        ui.selectedRow = ui.selectedItem.flatMap { rows.row(of: $0) } ?? 0
    }

    /// Updates the open line or box after the lists have changed.
    private mutating func settleMode(
        above other: Item.ID?, _ environment: AppEnvironment
    ) -> Effect? {
        switch ui.mode {
        case .draft(let draft):
            settle(draft, above: other)
        case .confirmation(let question):
            settle(question, above: other)
        case .tagPicker(let picker):
            return settle(picker, environment)
        case .prompt(var prompt):
            prompt.settle(in: items)
            ui.mode = .prompt(prompt)
        case .palette(var palette):
            palette.settleHighlight(in: self)
            ui.mode = .palette(palette)
        case .normal, .filter, .sortMenu, .help:
            break
        }
        return nil
    }

    /// Updates the open line after a deletion by another process. If the entity that is being
    /// renamed is gone, the line becomes one for a new entity. If the item above a new one is gone,
    /// the new item gets another place.
    private mutating func settle(_ draft: Draft, above other: Item.ID?) {
        var draft = draft
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

    private mutating func settle(
        _ picker: TagPicker, _ environment: AppEnvironment
    ) -> Effect? {
        var picker = picker
        // During a bulk command, waits for its end.
        let uses =
            ui.bulk == nil
            ? picker.count(in: items, most: environment.maxChangedAtOnce) : nil
        picker.settleHighlight(in: self)
        ui.mode = .tagPicker(picker)
        return uses
    }

    // MARK: Scroll positions

    /// Scrolls both panes as little as necessary to show the chosen rows.
    private mutating func settleScroll() {
        let layout = Layout(self)
        revealItem(layout)
        let draftTagRow = self.draftTagRow
        ui.tagScroll.reveal(
            draftTagRow ?? row(of: chosenRow), height: layout.paneRows,
            count: tagRowCount + (draftTagRow == nil ? 0 : 1))
    }

    private mutating func revealItem(_ layout: Layout) {
        let draftRow = self.draftItemRow
        let row = draftRow ?? (rows.count > 0 && !ui.itemScroll.isAway ? ui.selectedRow : nil)
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
