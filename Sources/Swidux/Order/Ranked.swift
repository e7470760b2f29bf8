/// An entity whose rank, then its id, determines its place in its store.
///
/// An ``EntityStore`` of ranked entities is always in (rank, id) order, however a value arrived.
/// Its `move`, `insert` and `sort` only assign ranks. Equal ranks are legal.
public protocol Ranked: Identifiable, Sendable where ID: Comparable {
    /// The place among the other entities.
    var rank: Rank { get set }
}

/// Reads and writes the rank of an entity whose type is found at run time to be ``Ranked``.
@usableFromInline final class RankAccess<Entity>: Sendable {
    @usableFromInline let get: @Sendable (Entity) -> Rank
    @usableFromInline let set: @Sendable (inout Entity, Rank) -> Void

    @inlinable init(
        get: @escaping @Sendable (Entity) -> Rank,
        set: @escaping @Sendable (inout Entity, Rank) -> Void
    ) {
        self.get = get
        self.set = set
    }

    /// The access to `Entity`'s ranks, or nil if it has none.
    @inlinable static func make() -> RankAccess<Entity>? {
        guard let type = Entity.self as? any Ranked.Type else { return nil }
        return make(type)
    }

    /// `R` is `Entity`, as only a check at run time can tell; hence the pointers, which cost less
    /// than a cast of the value and cannot fail.
    @inlinable static func make<R: Ranked>(_ type: R.Type) -> RankAccess<Entity> {
        RankAccess(
            get: { entity in
                withUnsafePointer(to: entity) { pointer in
                    UnsafeRawPointer(pointer).assumingMemoryBound(to: R.self).pointee.rank
                }
            },
            set: { entity, rank in
                withUnsafeMutablePointer(to: &entity) { pointer in
                    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: R.self).pointee.rank =
                        rank
                }
            })
    }
}
