import FoundationEssentials
import SheafList
import Swidux

extension ListEdit {
    /// Adds the next occurrences of items that `changes` mark done, and removes those of items that
    /// `changes` mark not done. Returns the recurrences. Skips next occurrences that `changes`
    /// already contain.
    ///
    /// - Throws: `StorageError`.
    func followRepeats(of changes: inout EntityChanges<Item>) async throws -> [Recurrence] {
        let items = changes.upserts
        let ids = items.filter { !$0.isDone || $0.repeat != nil }.map(\.nextID)
        guard !ids.isEmpty else { return [] }
        let stored = Dictionary(try await storage.loadItems(ids: ids).map { ($0.id, $0) }) { $1 }
        let today = LocalCalendar.system.day(now)
        var recurrences: [Recurrence] = []
        for item in items {
            guard
                let recurrence = Recurrence(
                    of: item, stored: stored[item.nextID], at: now, today: today)
            else { continue }
            switch recurrence {
            case .added(let next): try await place(next, below: item, in: &changes)
            case .removed(let next): changes.delete(next)
            case .known(let next):
                if changes[next.id] != nil { continue }
            case .ended: break
            }
            recurrences.append(recurrence)
        }
        return recurrences
    }

    /// Adds `next` and the items that make room for it to `changes`.
    private func place(
        _ next: Item, below item: Item, in changes: inout EntityChanges<Item>
    ) async throws {
        let found = try await storage.positions(of: [next.id], around: item) { [changes] items in
            // The items after the command, including the next occurrences that it has added.
            for id in items.values.flatMap({ [$0.id, $0.nextID] }) {
                if let change = changes[id] { items[id] = change.after }
            }
            return items.positions(placing: [next.id], .after, item.id)
        }
        if let found {
            changes.upsert(next)
            changes.replace(found.around + [next], at: found.positions)
        }
    }
}
