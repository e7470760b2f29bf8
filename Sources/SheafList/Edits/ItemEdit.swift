import Swidux

/// An edit that a key or a command makes to any number of items.
package enum ItemEdit: Hashable, Sendable {
    case name(String)
    case note(String)
    /// Marks items done at that time, or not done. Items that are already done keep their time.
    case done(since: Timestamp?)
    case add(Tag)
    /// Words of the name that stand for the tag lose their sigils.
    case remove(Tag)
    /// Replaces a tag with another one, or with itself under another name, also in the name.
    case replace(Tag, with: Tag)
    case set(ItemSetting)

    /// Makes the edit. Does not set ``Item/updatedAt``.
    package func apply(to item: inout Item) {
        switch self {
        case .name(let name): item.name = name
        case .note(let note): item.note = note
        case .done(let time): if item.isDone != (time != nil) { item.doneAt = time }
        case .add(let tag): item.tags.insert(tag.id)
        case .remove(let tag): item.remove(tag)
        case .replace(let tag, let other): item.replace(tag, with: other)
        case .set(let setting): setting.apply(to: &item)
        }
    }
}

extension Item {
    /// Makes an edit, and sets ``updatedAt`` if it changes the item.
    package mutating func edit(at now: Timestamp, _ change: (inout Item) -> Void) {
        let before = self
        change(&self)
        if self != before { touch(at: now) }
    }
}

extension EntityStore<Item> {
    /// Edits an item: see ``Item/edit(at:_:)``.
    package mutating func edit(_ id: Item.ID, at now: Timestamp, _ change: (inout Item) -> Void) {
        modify(id) { $0.edit(at: now, change) }
    }
}

extension EntityChanges<Item> {
    /// Creates the changes that `change` makes in `items`: see ``Item/edit(at:_:)``.
    package init(
        editing items: some Sequence<Item>, at now: Timestamp, _ change: (inout Item) -> Void
    ) {
        self.init()
        for old in items {
            var item = old
            item.edit(at: now, change)
            if item != old { replace(old, with: item) }
        }
    }
}
