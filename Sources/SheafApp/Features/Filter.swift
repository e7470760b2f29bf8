import SheafList

/// `/`: the query, applied as the user types.
package enum FilterAction: Hashable, Sendable {
    case opened
    /// Enter: keeps the query and returns the focus to the list.
    case accepted
    /// Esc: restores the state from before `/`.
    case cancelled
    /// Up and Down: move through the rows that match while the user types.
    case moved(rows: Int)
    /// Tab: completes the tag or keyword before the caret. Further presses cycle through the
    /// candidates.
    case completed
    /// Alt-↑ and Alt-↓: show earlier and later queries.
    case recalled(earlier: Bool)
}

extension FilterAction: FeatureAction {
    var traits: ActionTraits {
        let traits = ActionTraits.user(under: .finding)
        return switch self {
        case .opened, .cancelled, .moved, .completed, .recalled: traits
        case .accepted: traits.acceptingLine
        }
    }

    /// The maximum number of remembered queries.
    static let maxQueries = 50

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .opened:
            if state.ui.viewSettings.filter.isEmpty { state.ui.viewSettings.showsBestFirst = true }
            state.ui.pane = .items
            state.ui.mode = .filter(
                FilterDraft(
                    line: LineEditor(state.ui.viewSettings.filter),
                    previous: state.ui.viewSettings.filter,
                    previousSelection: state.ui.selectedItem))
        case .accepted:
            accept(&state)
        case .cancelled:
            guard case .filter(let filter) = state.ui.mode else { return nil }
            state.acceptRows()
            state.ui.mode = .normal
            state.ui.viewSettings.filter = filter.previous
            state.ui.selectedItem = filter.previousSelection
            if filter.view != nil { state.ui.pane = .tags }
            state.ui.discard(filter.line, original: filter.previous)
        case .moved(let rows):
            if let steps = state.searching?.stepsFromBest {
                state.searching?.stepsFromBest = max(steps + rows, 0)
                return nil
            }
            return BrowseAction.moved(.rows(rows)).reduce(&state, environment)
        case .completed:
            complete(&state)
        case .recalled(let isEarlier):
            recall(&state, by: isEarlier ? 1 : -1)
        }
        return nil
    }

    private func accept(_ state: inout AppState) {
        // The line shows the error and stays open.
        guard state.query.error == nil, case .filter(let draft) = state.ui.mode else { return }
        state.acceptRows()
        state.ui.mode = .normal
        if state.ui.viewSettings.filter.isBlank { state.ui.viewSettings.filter = "" }
        let query = state.ui.viewSettings.filter
        if let id = draft.view { save(query, in: id, &state) }
        guard !query.isEmpty else { return }
        state.ui.queries.removeAll { $0 == query }
        state.ui.queries = Array(([query] + state.ui.queries).prefix(Self.maxQueries))
    }

    private func save(_ query: String, in id: SavedView.ID, _ state: inout AppState) {
        state.ui.pane = .tags
        guard let view = state.views[id] else {
            state.ui.show(
                "The view was deleted by another process; gv saves a new one", isAlert: true)
            return
        }
        guard view.query != query else { return }
        state.views.modify(id) { $0.query = query }
        state.ui.show("Query saved in view: “\(view.name)”", hint: "u undo")
    }

    private func recall(_ state: inout AppState, by step: Int) {
        guard case .filter(var filter) = state.ui.mode else { return }
        let typed = filter.recalled?.typed ?? filter.line.text
        var query = (filter.recalled?.query ?? -1) + step
        // Skips earlier queries that equal the typed text.
        while state.ui.queries.indices.contains(query), state.ui.queries[query] == typed {
            query += step
        }
        guard query < state.ui.queries.count, query >= -1 else { return }
        filter.recalled = query < 0 ? nil : (query, typed)
        filter.line = LineEditor(query < 0 ? typed : state.ui.queries[query])
        filter.completions = nil
        state.ui.viewSettings.filter = filter.line.text
        state.ui.mode = .filter(filter)
    }

    private func complete(_ state: inout AppState) {
        guard case .filter(var filter) = state.ui.mode else { return }
        defer {
            state.ui.viewSettings.filter = filter.line.text
            state.ui.mode = .filter(filter)
        }
        if filter.completions != nil { return filter.chooseNextCompletion() }
        let completion = QueryCompletion(
            of: String(filter.line.beforeCaret), tags: state.tags.values)
        if completion.apply(to: &filter.line) { filter.recalled = nil }
        if completion.candidates.count > 1 {
            filter.completions = FilterDraft.Completions(
                words: completion.candidates, listed: completion.listed,
                typed: completion.text?.count ?? completion.replaced)
        }
        if completion.candidates.isEmpty { state.ui.refuse("Nothing to complete here") }
    }
}

extension FilterDraft {
    /// Replaces the word before the caret with the next completion.
    fileprivate mutating func chooseNextCompletion() {
        guard var completions else { return }
        let next = completions.chosen.map { ($0 + 1) % completions.words.count } ?? 0
        let word = completions.words[next]
        for _ in 0..<completions.typed { line.apply(.backwardDeleteChar) }
        line.apply(.insert(word))
        (completions.chosen, completions.typed) = (next, word.count)
        self.completions = completions
        recalled = nil
    }
}
