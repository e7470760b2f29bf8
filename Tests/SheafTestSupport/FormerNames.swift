import SheafList

/// Items as an earlier version imported them from a todo.txt, without the tags in their names.
package enum FormerNames {
    /// A tag, and three items: one whose line still describes it, one that was renamed since, and
    /// one whose name has its tag.
    package static let rows: StorageChanges = {
        let tag = Fixtures.tag(1, "@nas")
        let line = Item.Extra(key: "todo.txt", value: "host on @nas (x)")
        let items = ["host on (x)", "server (x)", "host on @nas (x)"].enumerated().map {
            var item = Fixtures.item($0 + 1, $1, tags: [tag.id])
            item.extras = [line]
            return item
        }
        return StorageChanges(tags: [tag], items: items)
    }()

    /// The items after the upgrade.
    package static var restored: [Item] {
        var items = rows.items.upserts
        items[0].name = "host on @nas (x)"
        return items
    }
}
