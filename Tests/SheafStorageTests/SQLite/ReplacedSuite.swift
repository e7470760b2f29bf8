import Foundation
import Glibc
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Tests of a list whose file a sync tool replaces while it is open.
protocol ReplacedSuite: SQLiteSuite {}

extension ReplacedSuite {
    // MARK: The sync tool

    /// Has another machine change a copy of the list as it is now.
    func change(
        _ copy: String = "theirs", _ body: (SQLiteStorage) async throws -> Void
    ) async throws {
        try FileManager.default.copyItem(atPath: path, toPath: folder.file(copy))
        let theirs = try open(copy, mode: .readWrite)
        try await body(theirs)
        await theirs.close()
    }

    /// Renames the file `name` over the list.
    func replace(by name: String = "theirs") throws {
        #expect(rename(folder.file(name), path) == 0)
    }

    /// All that a fetch tells, where `known` is on the screen.
    func fetch(
        _ storage: any ListStorage, known: [Item]
    ) async throws -> StorageChanges {
        var all = StorageChanges()
        while true {
            let fetched = try await storage.externalChanges {
                StorageChanges(tags: [Fixtures.tag(1, "one")], items: known)
            }
            all.tags.upsert(fetched.changes.tags.upserts)
            all.items.upsert(fetched.changes.items.upserts)
            all.items.delete(fetched.changes.items.deletions)
            if fetched.isComplete { return all }
        }
    }

    /// The items of the file at the list's path.
    func stored() async throws -> [Item] {
        let reader = try open(mode: .readOnly)
        let items = try await reader.allItems()
        await reader.close()
        return items
    }

    func renamed(_ item: Item, _ name: String, after milliseconds: Int64 = 1) -> Item {
        var item = item
        item.name = name
        item.updatedAt = Timestamp(milliseconds: item.updatedAt.milliseconds + milliseconds)
        return item
    }

    var items: [Item] { Fixtures.items(3) }

    /// A list that an earlier process has made.
    func openWithItems(busyTimeout: Duration = .zero) async throws -> SQLiteStorage {
        let maker = try open()
        _ = try await maker.commit(
            StorageChanges(tags: [Fixtures.tag(1, "one")], items: items))
        await maker.close()
        return try open(busyTimeout: busyTimeout)
    }

    /// An edit, an item, a tag and a deletion, in commits of their own.
    func commitEdits(to storage: SQLiteStorage) async throws {
        _ = try await storage.commit(edit(items[0]) { $0 = renamed($0, "mine") })
        _ = try await storage.commit(
            StorageChanges(
                tags: [Fixtures.tag(2, "new")],
                items: [Fixtures.item(4, tags: [Fixtures.tagID(2)])]))
        var deletion = StorageChanges(deletingItems: [items[1].id])
        deletion.items[items[1].id]?.before = items[1]
        _ = try await storage.commit(deletion)
    }
}
