/// What storage answers when a batch is committed.
public struct CommitResult: Sendable {
    /// One change that storage refused for itself (a constraint), while the rest was committed.
    public struct Refusal: Sendable {
        /// The id of the entity whose change was refused.
        public var id: any Hashable & Sendable
        /// A sentence for the user.
        public var reason: String

        /// A refusal of the change of one entity.
        public init(id: any Hashable & Sendable, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// The changes that were left out; everything else is durable.
    public var refused: [Refusal]

    /// The ids of entities that another process had changed too, in the same field: both are kept,
    /// as ``StorageMerge`` says.
    public var conflicts: [any Hashable & Sendable]
    /// Whether storage has something that was not fetched yet: another process has committed, or
    /// what was written is not exactly what was asked for.
    public var isBehind: Bool

    /// A result with what was left out, nothing by default.
    public init(
        refused: [Refusal] = [], conflicts: [any Hashable & Sendable] = [], isBehind: Bool = false
    ) {
        self.refused = refused
        self.conflicts = conflicts
        self.isBehind = isBehind
    }
}
