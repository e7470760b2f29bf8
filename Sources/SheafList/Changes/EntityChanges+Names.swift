import FoundationEssentials
import Swidux

extension EntityChanges<SavedView> {
    /// Returns the changes with a unique name for each of their views.
    package func withFreeNames() -> EntityChanges {
        var result = Reconciled()
        return withFreeNames(among: [], &result)
    }

    /// Returns the changes with a unique name for each new or renamed view. If `stored` or an
    /// earlier view has the name, a number is added. O(views + changes).
    ///
    /// Stored views that share a name, which older versions allowed, keep it.
    func withFreeNames(
        among stored: some Sequence<SavedView>, _ result: inout Reconciled
    ) -> EntityChanges {
        let upserts = upserts
        guard !upserts.isEmpty else { return self }
        var names = Dictionary(stored.map { ($0.id, $0.foldedName) }) { $1 }
        for id in deletions { names[id] = nil }
        let naming = upserts.indices.filter { names[upserts[$0].id] != upserts[$0].foldedName }
        for index in naming { names[upserts[index].id] = nil }
        var owners = Dictionary(names.map { ($1, $0) }) { first, _ in first }
        var changes = self
        // A free name goes to the first view that requests it.
        let crowded = naming.filter { index in
            let view = upserts[index]
            guard owners[view.foldedName] == nil else { return true }
            owners[view.foldedName] = view.id
            return false
        }
        for index in crowded {
            var view = upserts[index]
            guard let owner = owners[view.foldedName] else { continue }
            var number = 2
            while owners[view.foldedName] != nil {
                view.name = "\(upserts[index].name) \(number)"
                number += 1
            }
            owners[view.foldedName] = view.id
            changes[view.id]?.after = view
            result.reportLostName(of: view.id, to: owner)
        }
        return changes
    }
}
