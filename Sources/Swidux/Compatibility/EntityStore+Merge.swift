extension EntityStore {
    /// Adds what `other` has and this store lacks, as ``merge(from:takingTheirsWhere:)`` does. The
    /// entity of `other` replaces an existing one where `preferExisting` returns true. A call with a
    /// trailing closure means the other function, which does the same.
    @_disfavoredOverload
    @inlinable public mutating func merge(
        from other: EntityStore, preferExisting: (_ theirs: Entity, _ own: Entity) -> Bool
    ) {
        merge(from: other, takingTheirsWhere: preferExisting)
    }
}
