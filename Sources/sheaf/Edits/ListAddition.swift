import Glibc
import SheafFormats
import SheafList
import SheafStorage

/// Additions of items to a list, for `import` and `add`.
enum ListAddition {
    /// Adds `list` to the list in `storage`, in one transaction, closes it, and returns the
    /// changes. Advice of the storage goes to standard error.
    ///
    /// - Parameter format: the format of a text whose items are left out if the list already has an
    ///   equal item. Nil adds all items.
    /// - Throws: `StorageError`, or ``CommandFailure`` for items that the store refused.
    static func add(
        _ list: ImportedList, to storage: any ListStorage, excludingKnown format: ListFormat? = nil
    ) async throws -> Importer.Plan {
        let plan = try await storage.snapshot {
            try await Importer(now: .now).plan(list, into: storage, excludingKnown: format)
        }
        if !plan.changes.isEmpty { try await ListEdit.commit(plan.changes, to: storage) }
        if let advice = try await storage.advice() { Diagnostics.report("\(advice).") }
        await storage.close()
        return plan
    }
}
