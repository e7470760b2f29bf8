extension EntityStore {
    /// Adds the entities of `other` that this store lacks, as ``merge(from:takingTheirsWhere:)``
    /// does. If both stores have an entity and `preferExisting` returns true, the value in `other`
    /// replaces this store's value. A call with a trailing closure resolves to the other function,
    /// which does the same.
    @_disfavoredOverload
    @inlinable public mutating func merge(
        from other: EntityStore, preferExisting: (_ theirs: Entity, _ own: Entity) -> Bool
    ) {
        merge(from: other, takingTheirsWhere: preferExisting)
    }
}
