import FoundationEssentials

/// Undo and redo. The store applies the step; what is left for the reducer is to show it.
public enum HistoryAction: Sendable {
    case undoRequested
    case redoRequested
    case applied(UndoReport)
}

struct HistoryReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: HistoryAction, environment: AppEnvironment
    ) -> Effect? {
        guard case .applied(let report) = action else { return nil }
        guard let name = report.name else {
            state.ui.show(report.direction == .undo ? "Nothing to undo" : "Nothing to redo")
            return nil
        }
        let isUndo = report.direction == .undo
        let skipped = [
            (UndoTracks.tags, \Int.tags), (UndoTracks.views, \.views), (UndoTracks.items, \.items),
        ].compactMap { track, words in
            let count = report.skipped(on: track, as: UUID.self).count
            return count > 0 ? count[keyPath: words] : nil
        }.joined(separator: " and ")
        guard !report.touched.isEmpty || skipped.isEmpty else {
            let verb = isUndo ? "undo" : "redo"
            state.ui.show("Cannot \(verb) \(name): \(skipped) changed since", isAlert: true)
            return nil
        }
        let isHidden = select(report, &state, environment)
        var text = "\(isUndo ? "Undid" : "Redid") \(name)"
        if isHidden { text += " on a hidden item" }
        if !skipped.isEmpty { text += ", except \(skipped) changed since" }
        state.ui.show(text, hint: isUndo ? "U redo" : nil)
        return nil
    }

    /// Selects what the step touched, and says whether that is hidden instead.
    private func select(
        _ report: UndoReport, _ state: inout AppState, _ environment: AppEnvironment
    ) -> Bool {
        let items = report.touched(on: UndoTracks.items, as: Item.ID.self)
            .filter { state.items.contains($0) }
        if state.ui.pane == .tags, let row = row(touchedBy: report, in: state),
            row != state.chosenRow
        {
            state.choose(row, environment)
        }
        guard let first = items.first else { return false }
        var matcher = state.matcher
        let shown = items.first { id in state.items[id].map { matcher.includes($0) } ?? false }
        guard let shown else { return first != state.ui.selectedItem }
        state.ui.selectedItem = shown
        return false
    }

    /// The row of the tags pane that the step touched and that is there: a tag before the views
    /// that it was taken off.
    private func row(touchedBy report: UndoReport, in state: AppState) -> TagPaneRow? {
        let tag = report.touched(on: UndoTracks.tags, as: Tag.ID.self)
            .first(where: state.tags.contains)
        if let tag { return .choice(.tag(tag)) }
        return report.touched(on: UndoTracks.views, as: SavedView.ID.self)
            .first(where: state.views.contains).map(TagPaneRow.view)
    }
}

/// The order in which the stores are tracked: tags come back before what refers to them.
enum UndoTracks {
    static let tags = 0
    static let views = 1
    static let items = 2
}

extension AppAction {
    /// The part that the action has in undo, judged in the state before it: every command that may
    /// change the list is a step; what storage, the terminal or the filter does is not.
    static func undoRole(of action: AppAction, before state: AppState) -> UndoRole {
        // Undo is done before the reducer could refuse it.
        guard state.leaving.exit == nil else { return .ignored }
        return switch state.directed(action) {
        case .history(.undoRequested): .undo
        case .history(.redoRequested): .redo
        case .items(let action): action.undoRole
        case .clip(.putRequested):
            .command(name: (state.ui.clip?.command ?? .copy).name, coalesces: false)
        case .clip(.linesAdded): .command(name: "paste", coalesces: false)
        case .bulk(.partDone(let bulk, _)): .part(of: bulk.number, name: bulk.command.name)
        case .tags(let action): action.undoRole
        case .views(let action): action.undoRole
        case .line(.kept), .line(.keptForNext), .session(.suspendRequested), .leaving:
            state.ui.mode.draft.map { .command(name: $0.commandName, coalesces: false) } ?? .ignored
        // A tag that it makes belongs to what puts it on many items.
        case .tagPicker: .part(of: state.ui.bulks + 1, name: "tag")
        case .mouse(.released(let target)):
            state.drop(on: target).map { undoRole(of: $0, before: state) } ?? .ignored
        case .confirmation(.accepted):
            if case .confirmation(let confirmation) = state.ui.mode {
                undoRole(of: confirmation.confirmed, before: state)
            } else {
                .ignored
            }
        default: .ignored
        }
    }

    /// Whether the action can only be meant to change the list, and so is refused on one that is
    /// read-only.
    var changesList: Bool {
        switch self {
        case .items(let action):
            switch action {
            // The editor was opened when the list could still be changed: what comes back is kept.
            case .noteEdited, .noteFailed, .typedTagsTaken: false
            default: true
            }
        case .views(.choose), .views(.chooseNumber): false
        case .clip(.moveRequested), .clip(.putRequested), .clip(.linesPasted): true
        case .tags, .views, .tagPicker(.opened), .history(.undoRequested), .history(.redoRequested):
            true
        default: false
        }
    }
}

extension ItemAction {
    fileprivate var undoRole: UndoRole {
        switch self {
        case .rename: .command(name: "rename", coalesces: false)
        case .doneToggled: .command(name: "done", coalesces: false)
        case .delete, .deleteConfirmed: .command(name: "delete", coalesces: false)
        case .moveRequested, .moveToEndRequested: .command(name: "move", coalesces: true)
        case .placed: .command(name: "move", coalesces: false)
        case .tagged: .command(name: "tag", coalesces: false)
        case .typedTagsTaken: .command(name: "typed tags", coalesces: false)
        case .noteEdited: .command(name: "note", coalesces: false)
        case .addRequested, .renameRequested, .noteRequested, .noteFailed: .ignored
        }
    }
}

extension TagAction {
    fileprivate var undoRole: UndoRole {
        switch self {
        case .rename: .command(name: "rename tag", coalesces: false)
        case .recolored: .command(name: "recolour tag", coalesces: true)
        case .deleteRequested, .delete, .deleteConfirmed:
            .command(name: "delete tag", coalesces: false)
        case .moveRequested: .command(name: "move tag", coalesces: true)
        case .addRequested, .renameRequested: .ignored
        }
    }
}

extension ViewAction {
    fileprivate var undoRole: UndoRole {
        switch self {
        case .add: .command(name: "add view", coalesces: false)
        case .rename: .command(name: "rename view", coalesces: false)
        case .move: .command(name: "move view", coalesces: true)
        case .delete: .command(name: "delete view", coalesces: false)
        case .addRequested, .renameRequested, .recolored, .choose, .chooseNumber: .ignored
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
