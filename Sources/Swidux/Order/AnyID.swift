/// The id of an entity of any type, for reports that span several stores.
public struct AnyID: Hashable, Sendable, CustomStringConvertible {
    private let base: any Hashable & Sendable

    /// The id, with its type erased.
    public init(_ id: some Hashable & Sendable) { base = id }

    /// The id, if it is of this type.
    public func value<ID: Hashable & Sendable>(as type: ID.Type = ID.self) -> ID? { base as? ID }

    public static func == (lhs: AnyID, rhs: AnyID) -> Bool {
        AnyHashable(lhs.base) == AnyHashable(rhs.base)
    }

    public func hash(into hasher: inout Hasher) { AnyHashable(base).hash(into: &hasher) }

    public var description: String { "\(base)" }
}
