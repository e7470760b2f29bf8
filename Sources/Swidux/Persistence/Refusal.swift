/// A change that storage refused for itself, because of a constraint, while the rest was committed.
///
/// It is set aside, and the next change of the entity replaces it. If storage tells what it has
/// instead (``CommitResult/stored``), the state gets that.
public struct Refusal: Sendable, Hashable {
    /// The id of the entity whose change was refused.
    public var id: AnyID
    /// A sentence for the user.
    public var reason: String

    /// A refusal of the change of one entity.
    public init(id: some Hashable & Sendable, reason: String) {
        self.id = AnyID(id)
        self.reason = reason
    }
}
