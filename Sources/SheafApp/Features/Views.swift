import SheafList

/// Actions on saved views.
package enum ViewAction: Hashable, Sendable {
    /// `gv`: opens a row in which the user names a view of the current choices.
    case addRequested
    /// Saves the current choices under a name, as the last view, and chooses that view.
    case add(name: String)
    /// The user confirmed that the current query and sort replace those of an existing view. `name`
    /// is the view's name in the question.
    case replaceConfirmed(SavedView.ID, name: String)
    /// `e`: opens the query of the chosen view in the filter line, where Enter saves it.
    case queryRequested
    case renameRequested(SavedView.ID)
    /// A key that recolors tags was pressed on a view.
    case recolored
    /// Chooses the view and shows its items.
    case choose(SavedView.ID)
    /// Chooses a view by its number, counted from 1.
    case chooseNumber(Int)
    /// `from` is the name when the user began to type, or nil for the current name.
    case rename(SavedView.ID, from: String? = nil, newName: String)
    case move(SavedView.ID, Direction)
    case delete(SavedView.ID)
}

extension ViewAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .addRequested, .renameRequested, .queryRequested, .recolored: .request(under: .views)
        case .add: .edit("add view", under: .views)
        case .replaceConfirmed: .edit("replace view", under: .views)
        case .choose, .chooseNumber: .user(under: .views)
        case .rename: .edit("rename view", under: .views)
        case .move: .edit("move view", under: .views, coalesces: true)
        case .delete: .edit("delete view", under: .views)
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .addRequested:
            var draft = Draft(target: .newView, line: LineEditor())
            draft.formerPane = state.ui.pane
            state.ui.pane = .tags
            state.ui.mode = .draft(draft)
        case .add(let text):
            add(&state, named: text, environment)
        case .replaceConfirmed(let id, let name):
            replace(&state, id, called: name)
        case .queryRequested:
            editQuery(&state, environment)
        case .renameRequested(let id):
            guard let view = state.views[id] else { return nil }
            state.ui.mode = .draft(Draft(target: .renamedView(id), line: LineEditor(view.name)))
        case .recolored:
            state.ui.refuse("Views have no color")
        case .choose(let id):
            state.acceptRows()
            state.choose(.view(id), environment)
        case .chooseNumber(let number):
            choose(&state, number, environment)
        case .rename(let id, let original, let newName):
            rename(&state, id, from: original, newName)
        case .move(let id, let direction):
            state.move(SavedView.self, id, direction)
        case .delete(let id):
            delete(&state, id, environment)
        }
        return nil
    }

    private func add(
        _ state: inout AppState, named text: String, _ environment: AppEnvironment
    ) {
        guard let name = state.freeViewName(text, for: nil) else { return }
        if let obstacle = state.obstacleToView {
            state.ui.show("Cannot save the view: \(obstacle)", isAlert: true)
            return
        }
        let view = state.shownView(
            id: environment.makeID(), name: name, rank: .middle)
        state.views.append(view)
        state.selectRow(ofView: view.id)
        state.ui.show("View saved: “\(name)”", hint: "u undo")
    }

    private func replace(_ state: inout AppState, _ id: SavedView.ID, called name: String) {
        guard let view = state.views[id], view.name == name else {
            let what = state.views.contains(id) ? "renamed" : "deleted"
            state.ui.show(
                "The view was \(what) by another process; gv saves a new one", isAlert: true)
            return
        }
        let shown = state.shownView(id: id, name: view.name, rank: view.rank)
        state.views.modify(id) { $0 = shown }
        state.selectRow(ofView: id)
        state.ui.show("View replaced: “\(view.name)”", hint: "u undo")
    }

    private func editQuery(_ state: inout AppState, _ environment: AppEnvironment) {
        guard let view = state.selectedView else {
            state.ui.refuse("Only a saved view has a query; gv saves a view")
            state.ui.choiceFailed()
            return
        }
        if !state.showsChosenView { state.choose(.view(view.id), environment) }
        state.ui.mode = .filter(
            FilterDraft(
                line: LineEditor(view.query), previous: state.ui.viewSettings.filter,
                previousSelection: state.ui.selectedItem, view: view.id))
        state.ui.viewSettings.filter = view.query
        state.ui.pane = .items
    }

    private func choose(
        _ state: inout AppState, _ number: Int, _ environment: AppEnvironment
    ) {
        // The user typed the number that the view had on the screen.
        let ids = state.ui.numberedViews ?? Array(state.views.ids.prefix(number))
        state.ui.numberedViews = nil
        guard number <= ids.count else {
            state.ui.refuse(
                ids.isEmpty
                    ? "No saved views; gv saves what is shown"
                    : "There is no view \(number); the last is \(ids.count)")
            state.ui.choiceFailed()
            return
        }
        guard let view = state.views[ids[number - 1]] else {
            state.ui.refuse("View \(number) was deleted by another process", isAlert: true)
            state.ui.choiceFailed()
            return
        }
        state.acceptRows()
        state.ui.show("View: “\(view.name)”")
        state.choose(.view(view.id), environment)
    }

    /// Deletes a view, and chooses the next one, or else the previous one.
    private func delete(
        _ state: inout AppState, _ id: SavedView.ID, _ environment: AppEnvironment
    ) {
        guard let view = state.views[id], let position = state.views.position(of: id) else {
            return
        }
        state.views[id] = nil
        if state.ui.chosenView?.id == id {
            if state.views.isEmpty {
                state.leaveViews()
            } else {
                let next = state.views.ids[min(position, state.views.count - 1)]
                state.choose(.view(next), environment)
            }
        }
        state.ui.show("View deleted: “\(view.name)”", hint: "u undo")
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
        let outcome = SavedView.merge(base: base, mine: mine, theirs: theirs)
        state.views.modify(id) { $0 = outcome.value }
        if outcome.isConflict { state.show(Conflict(id, name, .kept)) }
    }
}

extension AppState {
    /// Returns `action`, or its counterpart for views if a view is chosen in the tags pane.
    func retargetedToView(_ action: AppAction) -> AppAction {
        guard case .tags(let wish) = action, let id = selectedView?.id else { return action }
        return switch wish {
        case .addRequested: .views(.addRequested)
        case .renameRequested: .views(.renameRequested(id))
        case .recolored: .views(.recolored)
        case .deleteRequested: .views(.delete(id))
        case .moveRequested(let direction): .views(.move(id, direction))
        case .rename, .delete, .deleteConfirmed: action
        }
    }

    /// Returns the current choices as a view.
    func shownView(id: SavedView.ID, name: String, rank: Rank) -> SavedView {
        let settings = ui.viewSettings
        return SavedView(
            id: id, name: name, query: settings.filter, choice: settings.tagChoice,
            hidesDone: settings.hidesDone, sort: showsBestFirst ? .match : settings.sort,
            isReversed: settings.isSortReversed && !showsBestFirst, rank: rank)
    }

    /// If an existing view has the typed name, asks whether to replace it, and returns true.
    /// O(views).
    mutating func asksToReplaceView() -> Bool {
        guard let draft = ui.mode.draft, draft.target == .newView,
            let name = SavedView.name(from: draft.line.text),
            let view = views.first(named: name)
        else { return false }
        let shown = Confirmation.shown(view.name)
        ui.pane = draft.formerPane ?? ui.pane
        ui.mode = .confirmation(
            Confirmation(
                question: "Replace view “\(shown)” with what is shown?",
                shorterForms: ["Replace “\(shown)”?", "Replace?"], name: shown, verb: "replace",
                confirmed: .views(.replaceConfirmed(view.id, name: view.name))))
        return true
    }

    /// Returns true, and shows a toast, if another view has the name that the user types for a
    /// view. The line then stays open. O(views).
    mutating func refusesDraftedName() -> Bool {
        let id: SavedView.ID?
        switch ui.mode.draft?.target {
        case .newView: id = nil
        case .renamedView(let renamed): id = renamed
        default: return false
        }
        let text = ui.mode.draft?.line.text ?? ""
        return SavedView.name(from: text) != nil && freeViewName(text, for: id) == nil
    }

    /// Returns the view name in `text`, for the view `id` or a new one. If the name is empty, or
    /// another view has it, shows a toast and returns nil. O(views).
    fileprivate mutating func freeViewName(_ text: String, for id: SavedView.ID?) -> String? {
        guard let name = SavedView.name(from: text) else {
            let kept = id.flatMap { views[$0] }.map { "; kept: “\($0.name)”" } ?? ""
            ui.refuse("A name cannot be empty\(kept)", isAlert: true)
            return nil
        }
        if let other = views.first(named: name, except: id) {
            ui.show("A view “\(other.name)” already exists", isAlert: true)
            return nil
        }
        return name
    }
}
