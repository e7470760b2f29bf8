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

/// An undo or redo, or a number of them, that goes on: a large step goes in parts, as the command
/// did, and the steps of `12u` one after the other.
struct UndoRun: Sendable {
    let direction: UndoReport.Direction
    /// How many steps are wanted, and how many have been applied.
    let wanted: Int
    var steps = 0
    /// What the command of the last step was called.
    var name = ""
    /// The tags, views and items that have been left alone because they, or others that they depend
    /// on, have changed since.
    private var skipped = EntityCounts()
    /// Those of them that have changed themselves.
    private var changed = Changed()
    /// Those of them that are already as they were to become. They are a reason only if nothing has
    /// changed otherwise.
    private var reached = Changed()
    /// The reason why a tag or view that has not changed was left alone.
    private var obstacle: String?
    /// True if a step left something alone whose parts depend on each other.
    private var isTied = false
    /// True if there are no more steps because older ones were dropped.
    private var reachesDroppedSteps = false
    /// What the present step touched.
    var finding = Finding.nothing
    private var hasTouched = false

    /// Whether an item was found that can be selected.
    enum Finding: Comparable {
        case nothing, hidden, shown
    }

    init(_ direction: UndoReport.Direction, wanted: Int) {
        self.direction = direction
        self.wanted = wanted
    }

    mutating func take(_ report: UndoReport, _ state: AppState) {
        name = report.name ?? name
        if report.isTied, report.skippedCount > 0 { isTied = true }
        var obstacles: [String] = []
        func take<Entity: StateEntity>(_ kind: Entity.Type) {
            skipped.add(report.skipped(Entity.shown).count, of: kind)
            obstacles += report.blocked(Entity.shown).map { $0.obstacle(in: state) }
            changed.add(report.changed(Entity.shown), in: state)
            reached.add(report.reached(Entity.shown), in: state)
        }
        for kind in AppState.kinds { take(kind) }
        obstacle = obstacles.first ?? obstacle
        if report.touchedCount > 0 { hasTouched = true }
        if report.reachesDroppedSteps { reachesDroppedSteps = true }
        if report.remaining == 0, report.name != nil { steps += 1 }
    }

    /// Why something was left alone, or nil if single parts were that have changed.
    private var reason: String? {
        if let obstacle { return obstacle }
        return isTied ? changed.reason ?? reached.reason : nil
    }

    /// What to say when it is over, and whether it is no good news.
    var message: (text: String, isAlert: Bool) {
        let isUndo = direction == .undo
        guard steps > 0 else {
            if reachesDroppedSteps {
                return ("Earlier steps were dropped: undo keeps 64 MB", false)
            }
            return (isUndo ? "Nothing to undo" : "Nothing to redo", false)
        }
        let skipped = skipped.words
        let what = steps == 1 ? name : "\(steps.grouped) steps"
        guard hasTouched || skipped.isEmpty else {
            let reason = reason ?? "\(skipped) \(changed.participle) since"
            return ("Cannot \(isUndo ? "undo" : "redo") \(what): \(reason)", true)
        }
        var text = "\(isUndo ? "Undid" : "Redid"): \(what)"
        if finding == .hidden { text += " (hidden item)" }
        if !skipped.isEmpty {
            text +=
                ", except \(skipped)\(reason.map { ": \($0)" } ?? " \(changed.participle) since")"
        }
        if steps < wanted {
            text += reachesDroppedSteps ? "; earlier ones were dropped" : "; there were no more"
        }
        return (text, false)
    }
}

/// Numbers of entities, by kind.
private struct EntityCounts {
    private var counts: [String: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ count: Int, of kind: (some StateEntity).Type) {
        counts[kind.noun, default: 0] += count
    }

    /// “1 tag and 2 items”; empty if there are none.
    var words: String {
        AppState.kinds.compactMap { kind in
            let count = counts[kind.noun, default: 0]
            return count > 0 ? count.counted(kind.noun) : nil
        }.joined(separator: " and ")
    }
}

/// Tags, views and items that have been changed or deleted since the step.
private struct Changed {
    private var counts = EntityCounts()
    private var names: Set<String> = []
    private var deletedCount = 0

    /// Adds entities as they were before they changed.
    mutating func add<Entity: StateEntity>(_ entities: [Entity], in state: AppState) {
        counts.add(entities.count, of: Entity.self)
        for entity in entities { note(state[Entity.self][entity.id]?.name, before: entity.name) }
    }

    /// Notes the name of one; nil if it was deleted.
    private mutating func note(_ name: String?, before: String) {
        if name == nil { deletedCount += 1 }
        // Two are enough to tell that there is no one name.
        if names.count < 2 { names.insert(name ?? before) }
    }

    /// A participle for messages: changed, deleted, or both.
    var participle: String {
        switch deletedCount {
        case 0: "changed"
        case counts.total: "deleted"
        default: "changed or deleted"
        }
    }

    /// A clause about them, or nil if there are none. An item and its next one mostly have one
    /// name.
    var reason: String? {
        guard let name = names.first else { return nil }
        return names.count == 1
            ? "“\(name)” was \(participle) since"
            : "\(counts.words) were \(participle) since"
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
