/// How an edit here and one that another process made are brought together: three values in, one
/// out.
@usableFromInline package struct StorageMerge<Entity: Sendable>: Sendable {
    /// Both edits in one value, and whether they changed the same part of it differently.
    @usableFromInline package struct Outcome: Sendable {
        /// The value that is to be stored.
        @usableFromInline package var value: Entity
        /// Whether one edit had to yield, so that the user should be told.
        @usableFromInline package var isConflict: Bool

        /// An outcome of a merge.
        @inlinable package init(_ value: Entity, isConflict: Bool = false) {
            self.value = value
            self.isConflict = isConflict
        }
    }

    @usableFromInline let body:
        @Sendable (_ base: Entity?, _ mine: Entity, _ theirs: Entity) -> Outcome

    /// Creates a merge from `body`, which receives the common base, or `nil` if it is not known,
    /// the value of this process, and the other one. It must not fail, and must return equal values
    /// unchanged.
    @inlinable package init(
        _ body: @escaping @Sendable (_ base: Entity?, _ mine: Entity, _ theirs: Entity) -> Outcome
    ) {
        self.body = body
    }

    /// The value of this process replaces the other, for entities that no other process edits.
    @inlinable package static var mine: StorageMerge {
        StorageMerge { _, mine, _ in Outcome(mine) }
    }

    /// Brings an edit here and another process's together.
    @inlinable package func callAsFunction(base: Entity?, mine: Entity, theirs: Entity) -> Outcome {
        body(base, mine, theirs)
    }
}
