extension EntityStore {
    /// Adds the entities of `other` that this store lacks, as
    /// ``merge(from:takingTheirsWhere:)`` does. Where both have one and `preferExisting` returns
    /// true, that of `other` replaces it. A call with a trailing closure means the other function,
    /// which does the same.
    @_disfavoredOverload
    @inlinable public mutating func merge(
        from other: EntityStore, preferExisting: (_ theirs: Entity, _ own: Entity) -> Bool
    ) {
        merge(from: other, takingTheirsWhere: preferExisting)
    }
}
