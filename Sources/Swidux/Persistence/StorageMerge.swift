/// A three-way merge of an edit of this process with an edit of another process.
@usableFromInline package struct StorageMerge<Entity: Sendable>: Sendable {
    /// The merged value, and whether the edits conflict.
    @usableFromInline package struct Outcome: Sendable {
        /// The value to store.
        @usableFromInline package var value: Entity
        /// True if one edit has overridden the other, which the user should learn.
        @usableFromInline package var isConflict: Bool

        /// Creates an outcome of a merge.
        @inlinable package init(_ value: Entity, isConflict: Bool = false) {
            self.value = value
            self.isConflict = isConflict
        }
    }

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
        StorageMerge { _, mine, _ in Outcome(mine) }
    }

    /// Merges an edit of this process with an edit of another one.
    @inlinable package func callAsFunction(base: Entity?, mine: Entity, theirs: Entity) -> Outcome {
        body(base, mine, theirs)
    }
}
