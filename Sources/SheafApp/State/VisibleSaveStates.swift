import SheafList

/// The save state of the visible items. ``AppState/saving`` only counts uncommitted changes, so the
/// store asks the pipeline about each visible item after every action. The cost does not grow with
/// the list.
package struct VisibleSaveStates: Hashable, Sendable {
    /// The visible items with uncommitted changes. Empty while ``UIState/marksUnsaved`` is false.
    package var unsaved: Set<Item.ID> = []
    /// The save state of the selected item, while the inspector shows it.
    package var inspected = EntitySaveState.committed
}

extension AppState {
    /// Returns the new value of ``visibleSaveStates``, from the given lookup. O(rows on the
    /// screen).
    @MainActor
    func lookUpSaveStates(_ saveState: @MainActor (Item.ID) -> EntitySaveState) -> VisibleSaveStates
    {
        var shown = VisibleSaveStates()
        if ui.inspector.isShown, let id = ui.selectedItem { shown.inspected = saveState(id) }
        guard ui.marksUnsaved else { return shown }
        let top = ui.itemScroll.top
        for id in (top..<top + Layout(self).paneRows).lazy.compactMap(rows.id(at:)) {
            switch saveState(id) {
            case .pending, .inFlight: shown.unsaved.insert(id)
            // A refused change has its own sign.
            case .committed, .refused: break
            }
        }
        return shown
    }

    /// True if there are pending changes and no flush is scheduled or running, or if flushes fail.
    fileprivate var isStuck: Bool {
        switch saving.phase {
        case .saved, .saving: false
        // A bulk command is saved when it is complete.
        case .unsaved: saving.flushDue == nil && ui.bulk == nil
        case .failing: true
        }
    }

    /// Updates the flag for marking uncommitted rows. Rows are marked from the time when saving
    /// fails, cannot start, or takes long (``SavingAction/commitDelayed``), until everything is
    /// saved. They are not marked during a normal save, where the mark would flicker at every edit.
    mutating func updateUnsavedMarks() {
        if isStuck { ui.marksUnsaved = true }
        if saving.phase == .saved { ui.marksUnsaved = false }
    }
}
