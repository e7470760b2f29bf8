extension EntityStore {
    /// Adds what `other` has and this store lacks, as ``merge(from:takingTheirsWhere:)`` does. The
    /// entity of `other` replaces an existing one where `preferExisting` returns true.
    @inlinable public mutating func merge(
        from other: EntityStore, preferExisting: (_ theirs: Entity, _ own: Entity) -> Bool
    ) {
        merge(from: other, takingTheirsWhere: preferExisting)
    }
}
