import FoundationEssentials
import Swidux

extension EntityChanges<SavedView> {
    /// The changes where each view has a name of its own.
    package func withFreeNames() -> EntityChanges {
        var result = Reconciled()
        return withFreeNames(among: [], &result)
    }

    /// The changes where each view that is new or renamed has a name that no other view has. Where
    /// `stored` or an earlier view has it, a number is added. O(views + changes).
    ///
    /// Views that have one name already, as older versions stored them, keep it.
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
        // A name that is free goes to the view that asks for it.
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
            result.lostName(of: view.id, to: owner)
        }
        return changes
    }
}
