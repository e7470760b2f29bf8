import Glibc
import SheafCore
import SheafFormats
import SheafStorage

/// Brings items into a list: what `import`, `add` and `tag add` share.
enum ListAddition {
    /// Adds `list` to what `storage` holds, in one transaction, closes it, and returns what was
    /// done. Advice of the storage goes to standard error.
    ///
    /// - Parameter format: the format of a text whose items are left out where the list has an
    ///   equal one.
    /// - Throws: `StorageError`, or ``CommandFailure`` for items that the store refused.
    static func add(
        _ list: ImportedList, to storage: any ListStorage, leavingOutKnown format: ListFormat? = nil
    ) async throws -> Importer.Plan {
        let plan = try await Importer(now: .now).plan(
            list, into: storage, leavingOutKnown: format)
        if !plan.changes.isEmpty { try await commit(plan.changes, to: storage) }
        if let advice = try await storage.advice() { Diagnostics.report("\(advice).") }
        await storage.close()
        return plan
    }

    /// Commits `changes`. A tag whose name another process has taken since the plan was made is no
    /// failure: its items get that process's tag, because one name is one tag.
    static func commit(
        _ changes: StorageChanges, to storage: any ListStorage
    ) async throws {
        let result = try await storage.commit(changes)
        let lost = try await storage.judged(result.refused, of: changes).lost
        if let first = lost.first {
            throw CommandFailure(
                .failure, "\(counted(lost.count, "change")) refused: \(first)")
        }
    }
}
