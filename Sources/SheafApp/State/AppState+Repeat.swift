import SheafList
import Swidux

extension AppState {
    /// Marks an item done since `time`, or open if `time` is nil, and adds or removes its next
    /// occurrence. O(log n).
    mutating func setDone(_ id: Item.ID, since time: Timestamp?, at now: Timestamp) {
        let wasDone = items[id]?.isDone
        items.edit(id, at: now) { ItemEdit.done(since: time).apply(to: &$0) }
        guard let item = items[id], item.isDone != wasDone else { return }
        switch Recurrence(of: item, stored: items[item.nextID], at: now, today: today) {
        case .added(let next): items.insert(next, after: id)
        case .removed(let next): items[next.id] = nil
        case .known, .ended, nil: break
        }
    }

    /// Shows a message about the next occurrence of an item that a command has marked done. Does
    /// nothing if the item is open or does not repeat. Call it only if the command changed no other
    /// item.
    ///
    /// - Parameter stored: the next occurrence that the list had before the command, or nil.
    mutating func showNextOccurrence(of id: Item.ID, stored: Item?, at now: Timestamp) {
        guard let item = items[id], item.isDone,
            let recurrence = Recurrence(of: item, stored: stored, at: now, today: today),
            let message = recurrence.message(today: today)
        else { return }
        let isAlert = recurrence == .ended
        ui.show("\(message): “\(item.name)”", hint: isAlert ? nil : "u undo", isAlert: isAlert)
    }
}
