/// The id of an entity of any type, for reports that span several stores.
///
/// Unchecked because `AnyHashable` is not Sendable. Only ids that never change are stored in it.
package struct AnyID: Hashable, @unchecked Sendable, CustomStringConvertible {
    private let base: AnyHashable

    /// Erases the type of `id`. An id whose type is already erased stays as it is.
    package init<ID: Hashable & Sendable>(_ id: ID) {
        if ID.self == AnyID.self, let id = id as? AnyID {
            self = id
        } else {
            base = AnyHashable(id)
        }
    }

    /// Erases the type of an id that never changes, although its type does not say so.
    init(unchecked id: some Hashable) { base = AnyHashable(id) }

    /// Returns the id if it is of this type, or else nil.
    package func value<ID: Hashable & Sendable>(as type: ID.Type = ID.self) -> ID? {
        base.base as? ID
    }

    package var description: String { "\(base.base)" }
}
