import SheafList

extension Palette.Row {
    init(_ view: SavedView) {
        self.init(id: .view(view.id), name: view.name, action: .views(.choose(view.id)))
    }
}

extension Palette.Row {
    /// True if the action may end the program.
    var quits: Bool {
        switch action {
        case .leaving(.quitRequested), .browse(.closed): true
        default: false
        }
    }
}

extension AppAction {
    /// The action whose obstacles apply. For a command that asks for a priority, it is the action
    /// that then sets one, with a placeholder; for all others, it is this action.
    fileprivate var withPlaceholderArgument: AppAction {
        if case .palette(.argumentRequested(.priority)) = self {
            .dates(.prioritized(nil))
        } else {
            self
        }
    }
}

extension AppState {
    /// The highlighted row of the palette, or nil if there is none.
    var highlightedChoice: Palette.Row? {
        guard case .palette(let palette) = ui.mode else { return nil }
        let rows = palette.rows(in: self)
        return rows.indices.contains(palette.highlightedRow) ? rows[palette.highlightedRow] : nil
    }

    /// The action that Enter in the palette runs next, with its requirement, or nil if there is
    /// none.
    package var chosenCommand: (action: AppAction, requirement: Requirement)? {
        guard let row = highlightedChoice, row.obstacle == nil, let action = row.action else {
            return nil
        }
        guard case .palette(let palette) = ui.mode else { return nil }
        switch palette.choices {
        case .actions(let entries):
            let entry = entries.first { row.id == .action($0.name) }
            return (action, entry?.requirement ?? .nothing)
        case .argument(let argument): return (action, argument.requirement)
        }
    }

    /// Returns the reason why the action of `entry` cannot run now, in a few words, or nil if it
    /// can.
    func obstacle(to entry: Palette.Entry) -> String? {
        if let pane = entry.pane { return "only in the \(pane.title.lowercased()) pane" }
        if let obstacle = entry.obstacle { return obstacle }
        if awaits(entry.requirement) { return "the list is still loading" }
        switch obstacle(to: entry.action.withPlaceholderArgument, requiring: entry.requirement) {
        case .nothing(let verb): return "nothing to \(verb)"
        case .refused(let reason): return reason
        case .cancelled, .tooMany, nil: break
        }
        return switch entry.action {
        case .items(.moveRequested), .items(.moveToEndRequested):
            shownSort.map { "sorted by \($0.title), sm restores order" }
        case .clip(.putRequested): ui.clip == nil ? "nothing to paste" : nil
        case .inspector(.scrolled): ui.inspector.isShown ? nil : "the inspector is closed"
        case .palette(.argumentRequested(.savedView)): views.isEmpty ? "no saved views yet" : nil
        case .sort(.chosen(.match)):
            query.search.looksForText ? nil : "the query has no word"
        default: nil
        }
    }

    /// Returns the palette row for a typed row number.
    func rowNumberRow(typed: String) -> Palette.Row {
        let count = ui.pane.isAboutTags ? tagRowCount : rows.count
        var row = Palette.Row(id: .number, name: "type a row number, 1 to \(count.grouped)")
        let text = typed.trimmed
        guard !text.isEmpty else { return row }
        guard let number = Int(text), number >= 1, number <= count else {
            row.name = "go to row \(text)"
            row.obstacle = count == 0 ? "there are no rows" : "the rows are 1 to \(count.grouped)"
            return row
        }
        row.name = "go to row \(number.grouped) of \(count.grouped)"
        let current = ui.pane.isAboutTags ? self.row(of: chosenRow) : ui.selectedRow
        row.action = .browse(.moved(.rows(number - 1 - current)))
        return row
    }
}
