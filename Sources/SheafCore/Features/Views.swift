/// What can be done with saved views.
public enum ViewAction: Hashable, Sendable {
    /// Saves what is shown under a name, as the last view.
    case add(name: String)
    /// Shows what the view says.
    case choose(SavedView.ID)
    /// The same of the first, second, ... view, from 1 on.
    case chooseNumber(Int)
    /// `from` is what the typing began with; nil stands for the name that the view has.
    case rename(SavedView.ID, from: String? = nil, newName: String)
    case move(SavedView.ID, Direction)
    case delete(SavedView.ID)
}

struct ViewReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: ViewAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .add(let text):
            guard let name = state.freeViewName(text, for: nil) else { return nil }
            let view = state.shownView(
                id: environment.makeID(), name: name,
                rank: Rank.between(state.views.last?.rank, nil))
            state.views[view.id] = view
            state.ui.show("Saved view “\(name)”", hint: "u undo")
        case .choose(let id):
            guard let view = state.views[id] else { return nil }
            state.show(view)
        case .chooseNumber(let number):
            guard number <= state.views.count else {
                state.ui.show(
                    state.views.isEmpty
                        ? "No saved views; sheaf view add makes one"
                        : "There is no view \(number)")
                return nil
            }
            let view = state.views[state.views.id(at: number - 1)]
            if let view {
                state.show(view)
                state.ui.show("View “\(view.name)”")
            }
        case .rename(let id, let original, let newName):
            rename(&state, id, from: original, newName)
        case .move(let id, let direction):
            move(&state, id, direction)
        case .delete(let id):
            guard let view = state.views[id] else { return nil }
            state.views[id] = nil
            state.ui.show("Deleted view “\(view.name)”", hint: "u undo")
        }
        return nil
    }

    private func rename(
        _ state: inout AppState, _ id: SavedView.ID, from original: String?, _ newName: String
    ) {
        guard let theirs = state.views[id] else { return }
        var (base, mine) = (theirs, theirs)
        if let original { base.name = original }
        guard !newName.utf8.elementsEqual(base.name.utf8),
            let name = state.freeViewName(newName, for: id)
        else { return }
        mine.name = name
        let outcome = StorageMerge.views(base: base, mine: mine, theirs: theirs)
        state.views.modify(id) { $0 = outcome.value }
        if outcome.isConflict { state.show(Conflict(name, .kept)) }
    }

    private func move(_ state: inout AppState, _ id: SavedView.ID, _ direction: Direction) {
        guard let position = state.views.position(of: id) else { return }
        switch direction {
        case .down where position + 1 < state.views.count:
            state.views.move(id, after: state.views.id(at: position + 1))
        case .up where position > 0:
            state.views.move(id, before: state.views.id(at: position - 1))
        default: break
        }
    }
}

/// Between what is shown and a view of it.
extension AppState {
    /// What is shown now, as a view.
    func shownView(id: SavedView.ID, name: String, rank: Rank) -> SavedView {
        SavedView(
            id: id, name: name, query: ui.filter, choice: ui.tagChoice, hidesDone: ui.hidesDone,
            sort: showsBestFirst ? .match : ui.sort, isReversed: ui.isSortReversed, rank: rank)
    }

    /// Shows what `view` says.
    mutating func show(_ view: SavedView) {
        ui.filter = view.query
        ui.tagChoice = view.choice
        ui.hidesDone = view.hidesDone
        ui.showsBestFirst = view.sort == .match
        ui.sort = view.sort == .match ? .manual : view.sort
        ui.isSortReversed = view.isReversed
    }

    /// The name that `text` gives the view `id`, or a new one; nil, and a toast, if it gives none
    /// or another view has it. O(views).
    fileprivate mutating func freeViewName(_ text: String, for id: SavedView.ID?) -> String? {
        guard let name = SavedView.name(from: text) else {
            let rest = id == nil ? "" : "; the old one was kept"
            ui.show("A name cannot be empty\(rest)", isAlert: true)
            return nil
        }
        let folded = Tag.fold(name)
        if let other = views.first(where: { $0.foldedName == folded && $0.id != id }) {
            ui.show("A view “\(other.name)” already exists", isAlert: true)
            return nil
        }
        return name
    }
}
