import FoundationEssentials
import Swidux

/// An item in pasted text.
package struct PastedItem: Hashable, Sendable {
    /// The item. Its id, tags and rank have no meaning.
    package var item: Item
    /// The names of its tags.
    package var tags: [String]

    package init(_ item: Item, tags: [String] = []) {
        self.item = item
        self.tags = tags
    }

    /// Creates an item that has only a name.
    package init(name: String, now: Timestamp) {
        let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        self.init(Item(id: noID, name: name, rank: .middle, createdAt: now))
    }
}
