/// Reverting applied steps that shared storage has refused in part.
extension UndoHistory {
    /// Remembers the state before an arrival, which may show that storage has refused part of a
    /// step that was applied. Stops watching the steps that the flush `settled` or an earlier one
    /// has stored: if storage had refused part of them, an earlier arrival would have shown it.
    func arrivalBegins(_ state: State, settled: Int) {
        while let first = unsettled.first, first.flush <= settled {
            endWatch(of: first)
        }
        if !unsettled.isEmpty {
            for track in tracks { track.changes.begin(state) }
        }
    }

    /// Reverts the applied steps that storage has refused in part. The changes of the state since
    /// ``arrivalBegins(_:settled:)`` show which ones. Returns a report for each, the last step
    /// first. O(changes of the unsettled steps).
    func revertRefused(in state: inout State) -> [UndoReport] {
        unsettled.reversed().compactMap { step in
            let groups = UndoGroups()
            for track in tracks { track.changes.checkArrival(step, state, groups) }
            groups.settle()
            guard groups.refusesAny else { return nil }
            var report = UndoReport(isRedo: step.isRedo, name: step.name)
            (report.isLate, report.isTied) = (true, true)
            var first = 0
            var hasReverted = false
            for track in tracks {
                let result = track.changes.revert(step, &state, groups, first: first)
                if result.hasReverted { hasReverted = true }
                first += track.changes.count(of: step.number)
                report.add(result.outcome)
            }
            guard hasReverted else { return nil }
            if report.touchedCount == 0 { refuse(step) }
            endWatch(of: step)
            return report
        }
    }

    /// Marks a step as refused, because nothing of it remains applied.
    private func refuse(_ step: UnsettledStep) {
        let steps = step.isRedo ? \UndoHistory.done : \.undone
        guard let index = self[keyPath: steps].lastIndex(where: { $0.number == step.number })
        else { return }
        self[keyPath: steps][index].isRefused = true
    }

    private func endWatch(of step: UnsettledStep) {
        unsettled.removeAll { $0.number == step.number }
        guard step.isDropped else { return }
        for track in tracks { track.changes.forget(step.number) }
    }
}
