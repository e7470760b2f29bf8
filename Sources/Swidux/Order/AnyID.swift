/// The id of an entity of any type, for reports that span several stores.
public struct AnyID: Hashable, Sendable, CustomStringConvertible {
    private let base: any Hashable & Sendable

    /// The id, with its type erased; one whose type is erased already, as it is.
    public init<ID: Hashable & Sendable>(_ id: ID) {
        if ID.self == AnyID.self, let id = id as? AnyID { self = id } else { base = id }
    }

    /// The id, if it is of this type.
    public func value<ID: Hashable & Sendable>(as type: ID.Type = ID.self) -> ID? { base as? ID }

    public static func == (lhs: AnyID, rhs: AnyID) -> Bool {
        AnyHashable(lhs.base) == AnyHashable(rhs.base)
    }

    public func hash(into hasher: inout Hasher) { AnyHashable(base).hash(into: &hasher) }

    public var description: String { "\(base)" }
}
