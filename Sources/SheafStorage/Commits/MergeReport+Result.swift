import FoundationEssentials
import SheafList

extension MergeReport {
    /// The result of the commit, of which `admission` has let tags in, once all is written: the
    /// rows are read then.
    ///
    /// - Parameter read: the rows of `ids` as they are stored.
    func result(
        _ admission: TagAdmission, refused: [Refusal] = [],
        read: (_ ids: Set<UUID>) throws -> StorageChanges
    ) rethrows -> CommitResult {
        let ids = self.ids.union(admission.substitutes.values)
        return CommitResult(
            refused: admission.refusals + refused, stored: ids.isEmpty ? nil : try read(ids),
            conflicts: conflicts,
            substitutes: Dictionary(
                uniqueKeysWithValues: admission.substitutes.map { (AnyID($0), AnyID($1)) }))
    }
}
