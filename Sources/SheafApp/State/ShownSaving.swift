import SheafList

/// How what is shown stands with storage, item by item: ``AppState/saving`` says only how many
/// changes are not committed. The pipeline is asked for it after every action, so that nothing
/// grows with the list.
public struct ShownSaving: Hashable, Sendable {
    /// The items among the rows whose changes are not committed, while rows are marked for that.
    public var unsaved: Set<Item.ID> = []
    /// How the selected item stands, while the inspector shows it.
    package var inspected = EntitySaveState.committed
}

extension AppState {
    /// What ``shownSaving`` is to be, as `saveState` says. O(rows on the screen).
    @MainActor
    func lookedUp(_ saveState: @MainActor (Item.ID) -> EntitySaveState) -> ShownSaving {
        var shown = ShownSaving()
        if ui.inspector.isShown, let id = ui.selectedItem { shown.inspected = saveState(id) }
        guard ui.marksUnsaved else { return shown }
        let top = ui.itemScroll.top
        for id in (top..<top + Layout(self).paneRows).lazy.compactMap(rows.id(at:)) {
            switch saveState(id) {
            case .pending, .inFlight: shown.unsaved.insert(id)
            // What was refused has a sign of its own.
            case .committed, .refused: break
            }
        }
        return shown
    }

    /// Whether changes wait that nothing is about to write.
    fileprivate var isStuck: Bool {
        switch saving.phase {
        case .saved, .saving: false
        // A bulk command is written when it is complete.
        case .unsaved: saving.flushDue == nil && ui.bulk == nil
        case .failing: true
        }
    }

    /// Decides whether rows that are not committed are marked: not in the moment that it takes to
    /// save an edit, where the mark would flicker at each; but from when saving fails, cannot begin
    /// or takes long, until everything is saved.
    mutating func updateUnsavedMarks() {
        if isStuck { ui.marksUnsaved = true }
        if saving.phase == .saved { ui.marksUnsaved = false }
    }
}
