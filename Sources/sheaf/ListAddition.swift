import Foundation
import SheafCore
import SheafStorage

/// Brings items into a list: what `import`, `add` and `tag add` share.
enum ListAddition {
    /// Adds `list` to what `storage` holds, in one transaction, closes it, and returns what was done. Advice of the
    /// storage goes to standard error.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` for items that the store refused.
    static func add(
        _ list: ImportedList, to storage: any ListStorage
    ) async throws -> Importer.Plan {
        let plan = try await Importer(now: .now).plan(list, into: storage)
        try await commit(plan.changes, to: storage)
        if let advice = try await storage.advice() { Diagnostics.report("\(advice).") }
        await storage.close()
        return plan
    }

    /// Commits `changes`. A tag whose name another process has taken since the plan was made is refused; its items
    /// then get that process's tag, because one name is one tag.
    static func commit(
        _ changes: StorageChanges, to storage: any ListStorage
    ) async throws {
        let result = try await storage.commit(changes)
        let refused = Set(result.refused.compactMap { $0.id as? UUID })
        let lost = changes.tags.upserts.filter { refused.contains($0.id) }
        let taken = Dictionary(
            lost.isEmpty ? [] : try await storage.loadTags().map { ($0.foldedName, $0.id) },
            uniquingKeysWith: { first, _ in first })
        let substitutes = Dictionary(
            lost.compactMap { tag in taken[tag.foldedName].map { (tag.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        let others = result.refused.filter { refusal in
            (refusal.id as? UUID).map { substitutes[$0] == nil } ?? true
        }
        if let other = others.first {
            throw CommandFailure(
                .failure, "\(counted(others.count, "change")) refused: \(other.reason)")
        }
        guard !substitutes.isEmpty else { return }
        var correction = StorageChanges()
        correction.items.upserts = changes.items.upserts.compactMap { item in
            guard item.tags.contains(where: { substitutes[$0] != nil }) else { return nil }
            var item = item
            item.tags = Set(item.tags.map { substitutes[$0] ?? $0 })
            return item
        }
        _ = try await storage.commit(correction)
    }
}
