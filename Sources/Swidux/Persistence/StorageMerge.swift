/// A three-way merge of an edit of this process with an edit of another process.
@usableFromInline package struct StorageMerge<Entity: Sendable>: Sendable {
    /// The value to store. `isConflict` is true if one edit has overridden the other, so that the
    /// user should learn it.
    @usableFromInline package typealias Outcome = (value: Entity, isConflict: Bool)

    @usableFromInline let body:
        @Sendable (_ base: Entity?, _ mine: Entity, _ theirs: Entity) -> Outcome

    /// Creates a merge from `body`, which receives the common base, or `nil` if it is not known,
    /// the value of this process, and the value of the other one. It must not fail, and must return
    /// equal values unchanged.
    @inlinable package init(
        _ body: @escaping @Sendable (_ base: Entity?, _ mine: Entity, _ theirs: Entity) -> Outcome
    ) {
        self.body = body
    }

    /// The value of this process replaces the other, for entities that no other process edits.
    @inlinable package static var mine: StorageMerge {
        StorageMerge { _, mine, _ in (mine, false) }
    }

    /// Merges an edit of this process with an edit of another one.
    @inlinable package func callAsFunction(base: Entity?, mine: Entity, theirs: Entity) -> Outcome {
        body(base, mine, theirs)
    }
}
