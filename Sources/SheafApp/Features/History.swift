import FoundationEssentials
import SheafList

/// Undo and redo. The store applies the step, and the reducer shows the result.
package enum HistoryAction: Sendable {
    case undoRequested
    case redoRequested
    /// The next part of a large step.
    case partRequested
    case applied(UndoReport)
}

extension HistoryAction: FeatureAction {
    var traits: ActionTraits {
        var traits = ActionTraits.user(under: .history, ends: [.count, .range])
        switch self {
        case .undoRequested:
            traits.changesList = true
            traits.undo = { _ in .undo }
        case .redoRequested:
            traits.changesList = true
            traits.undo = { _ in .redo }
        case .partRequested: traits.undo = { _ in .continuation }
        case .applied(let report): return report.isLate ? .program : traits
        }
        return traits
    }

    /// Returns an effect that sends `action` after the keys that have arrived in the meantime.
    private func sendAfterKeys(_ action: HistoryAction) -> Effect {
        { send in
            await Task.yield()
            await send(.history(action))
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard case .applied(let report) = self else { return nil }
        // Since the step, other processes may have created views whose queries contain the name of
        // a renamed tag.
        if let renaming = state.newTagNames {
            state.renameTags(by: renaming, except: Set(report.touched(\AppState.views)))
        }
        if report.isLate {
            state.showReversal(report)
            return nil
        }
        var run =
            state.ui.bulk?.undo
            ?? UndoRun(isRedo: report.isRedo, requested: state.ui.count ?? 1)
        run.add(report, state)
        if run.selectionResult < .shown {
            run.selectionResult = max(run.selectionResult, select(report, &state, environment))
        }
        if report.remaining > 0 {
            state.prepareNextPart(of: run, after: report)
            return sendAfterKeys(.partRequested)
        }
        if report.name != nil, run.steps < run.requested {
            run.selectionResult = .nothing
            state.prepareNextPart(of: run, after: report)
            return sendAfterKeys(run.isRedo ? .redoRequested : .undoRequested)
        }
        let (message, isAlert) = run.message
        if run.steps == 0 || isAlert {
            state.ui.refuse(message, isAlert: isAlert)
        } else {
            state.ui.show(message, hint: run.isRedo ? nil : "U redo")
        }
        return state.ui.bulk == nil ? nil : state.endBulk(environment)
    }

    /// Selects the first visible item that the step changed, and in the tags pane a changed tag or
    /// view. Returns the result for the items.
    private func select(
        _ report: UndoReport, _ state: inout AppState, _ environment: AppEnvironment
    ) -> UndoRun.SelectionResult {
        let items = report.touched(\AppState.items)
            .filter { state.items.contains($0) }
        if state.ui.pane == .tags, let row = row(touchedBy: report, in: state),
            row != state.chosenRow
        {
            state.choose(row, environment)
        }
        guard let first = items.first else { return .nothing }
        let search = state.includedSearch
        let shown = items.first { id in state.items[id].map(search.finds) ?? false }
        guard let shown else { return first == state.ui.selectedItem ? .shown : .hidden }
        state.ui.selectedItem = shown
        return .shown
    }

    /// Returns the row of a tag or view that the step changed and that still exists. A tag takes
    /// precedence over the views that lost it.
    private func row(touchedBy report: UndoReport, in state: AppState) -> TagPaneRow? {
        let tag = report.touched(\AppState.tags)
            .first(where: state.tags.contains)
        if let tag { return .choice(.tag(tag)) }
        return report.touched(\AppState.views)
            .first(where: state.views.contains).map(TagPaneRow.view)
    }
}

extension AppState {
    /// Shows that storage reverted an undo or redo. Adds tags that exist again to the items from
    /// which storage had removed them.
    fileprivate mutating func showReversal(_ report: UndoReport) {
        for (tag, ids) in tagsRemovedByStorage where tags.contains(tag) {
            for id in ids { items.modify(id) { $0.tags.insert(tag) } }
            othersTags[tag, default: []].formUnion(ids)
        }
        var run = UndoRun(isRedo: report.isRedo, requested: 1)
        run.add(report, self)
        // This toast replaces the one about the same commit, so it repeats the other conflicts.
        let reported = Set(
            report.touched(\AppState.items) + report.skipped(\AppState.items)
                + report.touched(\AppState.tags) + report.skipped(\AppState.tags)
                + report.touched(\AppState.views) + report.skipped(\AppState.views))
        let others = Self.message(for: arrivedConflicts.filter { !reported.contains($0.id) })
        let message = run.message.text
        ui.show(others.map { "\($0). \(message)" } ?? message, isAlert: true)
    }

    /// Prepares the next part of `run`: blocks commands that change the list, and shows the
    /// progress.
    fileprivate mutating func prepareNextPart(of run: UndoRun, after report: UndoReport) {
        if ui.bulk == nil {
            ui.bulks += 1
            let name = run.requested > 1 ? "steps" : run.name
            ui.bulk = Bulk(
                number: ui.bulks, command: run.isRedo ? .redo(name) : .undo(name),
                total: run.requested > 1 ? run.requested : report.count + report.remaining,
                uncommittedBefore: saving.uncommitted)
        }
        ui.bulk?.undo = run
        if run.requested > 1 { ui.bulk?.done = run.steps } else { ui.bulk?.done += report.count }
    }
}

extension UndoReport {
    /// The number of entities that the step is about.
    fileprivate var count: Int { touchedCount + skippedCount }
}

extension Mode {
    /// The command name for accepting the open line, or nil if Enter would not change the list.
    var commandName: String? {
        switch self {
        case .draft(let draft): draft.commandName
        case .prompt(let prompt): prompt.field.name
        case .filter(let filter) where filter.view != nil: "view query"
        default: nil
        }
    }
}

extension Draft {
    fileprivate var commandName: String {
        switch target {
        case .renamedItem: "rename"
        case .newItem, .newItemAtEnd: "add"
        case .renamedTag: "rename tag"
        case .newTag: "add tag"
        case .renamedView: "rename view"
        case .newView: "add view"
        }
    }
}
