import FoundationEssentials
import Swidux

/// An item in pasted text.
public struct PastedItem: Hashable, Sendable {
    /// The item. Its id, tags and rank have no meaning.
    public var item: Item
    /// The names of its tags.
    public var tags: [String]

    public init(_ item: Item, tags: [String] = []) {
        self.item = item
        self.tags = tags
    }

    /// Creates an item that has only a name.
    public init(name: String, now: Timestamp) {
        let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        self.init(Item(id: noID, name: name, rank: .middle, createdAt: now))
    }
}
