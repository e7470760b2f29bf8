import FoundationEssentials
import Swidux

/// An item as a pasted text has it.
public struct PastedItem: Hashable, Sendable {
    /// The item. Its id, tags and rank mean nothing.
    public var item: Item
    /// The names of its tags.
    public var tags: [String]

    public init(_ item: Item, tags: [String] = []) {
        self.item = item
        self.tags = tags
    }

    /// An item with a name and nothing else.
    public init(name: String, now: Timestamp) {
        let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        self.init(Item(id: noID, name: name, rank: .middle, createdAt: now))
    }
}
