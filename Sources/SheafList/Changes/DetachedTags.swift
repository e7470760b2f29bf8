import FoundationEssentials
import Swidux

/// Items that a commit left without a tag, because one process deleted the tag while another put it
/// on them, and how that is told.
public struct DetachedTags: Sendable {
    /// Tags that were deleted here after another process had put them on items.
    private var taken = Group()
    /// Tags that were put on items here after another process had deleted them.
    private var lost = Group()

    private struct Group {
        var tags: Set<Tag.ID> = []
        var items: Set<Item.ID> = []

        mutating func add(_ tag: AnyID, of item: AnyID) {
            guard let tag = tag.value(as: Tag.ID.self), let item = item.value(as: Item.ID.self)
            else { return }
            tags.insert(tag)
            items.insert(item)
        }
    }

    public init(_ conflicts: [StorageConflict]) {
        for conflict in conflicts {
            switch conflict.outcome {
            case .tookReference(let tag): taken.add(tag, of: conflict.id)
            case .lostReference(let tag): lost.add(tag, of: conflict.id)
            case .kept, .merged, .notDeleted, .lostName: break
            }
        }
    }

    /// How many items there are.
    package var itemCount: Int { taken.items.union(lost.items).count }

    /// What happened, a sentence without its stop for each direction: `Tag “red” was deleted;
    /// another process had added it to “Milk”`. A name that is not known may be nil.
    package func sentences(
        tagName: (Tag.ID) -> String?, itemName: (Item.ID) -> String?
    ) -> [String] {
        func words(_ group: Group) -> (subject: String, pronoun: String, items: String)? {
            guard let tag = group.tags.first, let item = group.items.first else { return nil }
            let isOne = group.tags.count == 1
            let name = tagName(tag).map { "Tag “\($0)”" } ?? "A tag"
            let only = group.items.count == 1 ? itemName(item) : nil
            return (
                isOne ? "\(name) was" : "\(group.tags.count.tags) were", isOne ? "it" : "them",
                only.map { "“\($0)”" } ?? group.items.count.items
            )
        }
        let told = [
            words(taken).map {
                "\($0.subject) deleted; another process had added \($0.pronoun) to \($0.items)"
            },
            words(lost).map { "\($0.subject) deleted elsewhere and removed from \($0.items)" },
        ]
        return told.compactMap(\.self)
    }
}
