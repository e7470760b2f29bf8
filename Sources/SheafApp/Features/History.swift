import FoundationEssentials
import SheafList

/// Undo and redo. The store applies the step; what is left for the reducer is to show it.
public enum HistoryAction: Sendable {
    case undoRequested
    case redoRequested
    /// The next part of a large step.
    case partRequested
    case applied(UndoReport)
}

extension HistoryAction: FeatureAction {
    static let reducer = HistoryReducer()

    var traits: ActionTraits {
        var traits = ActionTraits.user(under: .history, ends: [.count, .range])
        switch self {
        case .undoRequested:
            traits.changesList = true
            traits.undo = { _ in .undo }
        case .redoRequested:
            traits.changesList = true
            traits.undo = { _ in .redo }
        case .partRequested: traits.undo = { _ in .rest }
        case .applied(let report): return report.isLate ? .program : traits
        }
        return traits
    }
}

struct HistoryReducer: SwiduxReducer {
    /// Sends `action` after the keys that have come meanwhile.
    private func goOn(with action: HistoryAction) -> Effect {
        { send in
            await Task.yield()
            await send(.history(action))
        }
    }

    func reduce(
        state: inout AppState, action: HistoryAction, environment: AppEnvironment
    ) -> Effect? {
        guard case .applied(let report) = action else { return nil }
        // Other processes may have made views that name the tag since the step.
        if let renaming = state.newTagNames {
            state.renameTags(by: renaming, except: Set(report.touched(\AppState.views)))
        }
        if report.isLate {
            state.takeBack(report)
            return nil
        }
        var run = state.ui.bulk?.undo ?? UndoRun(report.direction, wanted: state.ui.count ?? 1)
        run.take(report, state)
        if run.finding < .shown {
            run.finding = max(run.finding, select(report, &state, environment))
        }
        if report.remaining > 0 {
            state.goOn(run, after: report)
            return goOn(with: .partRequested)
        }
        if report.name != nil, run.steps < run.wanted {
            run.finding = .nothing
            state.goOn(run, after: report)
            let isUndo = run.direction == .undo
            return goOn(with: isUndo ? .undoRequested : .redoRequested)
        }
        let (message, isAlert) = run.message
        let canRedo = run.direction == .undo
        if run.steps == 0 || isAlert {
            state.ui.refuse(message, isAlert: isAlert)
        } else {
            state.ui.show(message, hint: canRedo ? "U redo" : nil)
        }
        return state.ui.bulk == nil ? nil : state.endBulk(environment)
    }

    /// Selects what the step touched, unless that is hidden.
    private func select(
        _ report: UndoReport, _ state: inout AppState, _ environment: AppEnvironment
    ) -> UndoRun.Finding {
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

    /// The row of the tags pane that the step touched and that is there: a tag before the views
    /// that it was taken off.
    private func row(touchedBy report: UndoReport, in state: AppState) -> TagPaneRow? {
        let tag = report.touched(\AppState.tags)
            .first(where: state.tags.contains)
        if let tag { return .choice(.tag(tag)) }
        return report.touched(\AppState.views)
            .first(where: state.views.contains).map(TagPaneRow.view)
    }
}

extension AppState {
    /// Tells of an undo or redo that was reverted, and puts tags that are there again on the items
    /// from which storage had taken them with it.
    fileprivate mutating func takeBack(_ report: UndoReport) {
        for (tag, taken) in takenTags where tags.contains(tag) {
            for id in taken { items.modify(id) { $0.tags.insert(tag) } }
            othersTags[tag, default: []].formUnion(taken)
        }
        var run = UndoRun(report.direction, wanted: 1)
        run.take(report, self)
        // Its toast takes the place of the one about the same commit.
        let told = Set(
            report.touched(\AppState.items) + report.skipped(\AppState.items)
                + report.touched(\AppState.tags) + report.skipped(\AppState.tags)
                + report.touched(\AppState.views) + report.skipped(\AppState.views))
        let others = Self.words(for: arrivedConflicts.filter { !told.contains($0.id) })
        let message = run.message.text
        ui.show(others.map { "\($0). \(message)" } ?? message, isAlert: true)
    }

    /// More of `run` is to come: what changes the list waits, and it is shown how far it is.
    fileprivate mutating func goOn(_ run: UndoRun, after report: UndoReport) {
        if ui.bulk == nil {
            ui.bulks += 1
            let name = run.wanted > 1 ? "steps" : run.name
            ui.bulk = Bulk(
                number: ui.bulks, command: run.direction == .undo ? .undo(name) : .redo(name),
                total: run.wanted > 1 ? run.wanted : report.count + report.remaining,
                uncommittedBefore: saving.uncommitted)
        }
        ui.bulk?.undo = run
        if run.wanted > 1 { ui.bulk?.done = run.steps } else { ui.bulk?.done += report.count }
    }
}

extension UndoReport {
    /// How many entities it is about.
    fileprivate var count: Int { touchedCount + skippedCount }
}

extension Mode {
    /// What keeping the open line does, or nil where none is kept.
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
