/// A place in a user's order: opaque, comparable, and always with room between two unequal ranks.
///
/// The text is base 62 (`0-9A-Za-z`) and compares bytewise, so that a text column sorts as the ranks do.
public struct Rank: Hashable, Comparable, Sendable {
    /// The digits, as storage keeps them.
    public let text: String

    /// The rank that `text` spells, or nil if `text` is empty or holds anything but base-62 digits.
    public init?(text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    public static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.text < rhs.text }

    /// A rank above `lower` and below `upper`; nil for either means the open end.
    public static func between(_ lower: Rank?, _ upper: Rank?) -> Rank { lower ?? upper ?? Rank(text: "a0")! }

    /// `count` ascending ranks above `lower` and below `upper`, as short as they can be.
    public static func spread(_ count: Int, between lower: Rank?, and upper: Rank?) -> [Rank] { [] }
}

/// An entity whose place in its store is decided by its rank, then by its id.
public protocol Ranked: Identifiable where ID: Comparable {
    var rank: Rank { get set }
}

/// What one flush does to the entities of one store.
public struct EntityChanges<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Sendable {
    /// Values to insert or replace, in the order in which they first became pending.
    public var upserts: [Entity] = []
    /// Ids to delete, in the order in which they first became pending.
    public var deletions: [Entity.ID] = []
    public var isEmpty: Bool { upserts.isEmpty && deletions.isEmpty }
    public var count: Int { upserts.count + deletions.count }
    public init() {}
}

extension EntityChanges: Equatable where Entity: Equatable {}

/// What storage answers when a batch is committed.
public struct CommitResult: Sendable {
    /// One change that storage refused for itself (a constraint), while the rest was committed.
    public struct Refusal: Sendable {
        public var id: any Hashable & Sendable
        /// A sentence for the user.
        public var reason: String
        public init(id: any Hashable & Sendable, reason: String) {
            self.id = id
            self.reason = reason
        }
    }
    public var refused: [Refusal]
    public init(refused: [Refusal] = []) { self.refused = refused }
}
