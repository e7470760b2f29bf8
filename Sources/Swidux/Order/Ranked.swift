/// An entity whose rank, then its id, determines its place in its store.
///
/// An ``EntityStore`` of ranked entities is always in (rank, id) order, however a value arrived.
/// Its `move`, `insert` and `sort` only assign ranks. Equal ranks are legal.
public protocol Ranked: Identifiable, Sendable where ID: Comparable {
    /// The place among the other entities.
    var rank: Rank { get set }
}

/// Read and write access to the rank of an entity whose type is found at run time to be ``Ranked``.
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

    /// Returns access to the ranks of `Entity`, or nil if the type has none.
    @inlinable static func make() -> RankAccess<Entity>? {
        guard let type = Entity.self as? any Ranked.Type else { return nil }
        return make(type)
    }

    /// Returns the access for `R`, which is `Entity` itself, as a check at run time has shown. The
    /// pointers cost less than a cast of the value, and cannot fail.
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
