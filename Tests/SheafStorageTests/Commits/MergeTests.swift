import Foundation
import SheafList
import SheafTestSupport
import Swidux
import Testing

@testable import SheafStorage

/// Two processes on one list: neither overwrites the other silently.
@Suite("Edits of two processes")
struct MergeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    private func deletion(of base: Item) -> StorageChanges {
        var changes = StorageChanges()
        changes.items.delete([base.id])
        changes.items[base.id]?.before = base
        return changes
    }

    @Test(
        "an insertion that is replayed does not take back what others made of it since",
        arguments: StorageBackend.all(with: .durability))
    func replayedInsertion(_ backend: StorageBackend) async throws {
        let (mine, theirs, next) = (try open(backend), try open(backend), try open(backend))
        let inserted = StorageChanges(items: [Fixtures.item(1, "inserted")])
        _ = try await mine.commit(inserted)
        let renaming = edit(Fixtures.item(1, "inserted")) {
            $0.name = "theirs"
            $0.updatedAt = Timestamp(milliseconds: $0.updatedAt.milliseconds + 1)
        }
        _ = try await theirs.commit(renaming)
        for _ in 1...2 {
            _ = try await next.commit(abandoned: [inserted])
            let item = try #require(try await next.allItems().first)
            #expect(item.name == "theirs")
            #expect(item.note == "was: inserted")
        }
        // Edits older than the left-over ones yield.
        let old = edit(renaming.items.upserts[0]) {
            $0.name = "left behind"
            $0.updatedAt = Timestamp(milliseconds: $0.updatedAt.milliseconds + 1)
        }
        _ = try await next.commit(abandoned: [old])
        #expect(try await next.allItems().map(\.name) == ["left behind"])
    }

    @Test(
        "an item that is there although its edit began with none loses nothing",
        arguments: StorageBackend.all(with: .durability))
    func noBase(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(1, "theirs")]))
        let result = try await mine.commit(StorageChanges(items: [Fixtures.item(1, "mine")]))
        #expect(result.conflicts.count == 1)
        let item = try #require(try await mine.allItems().first)
        #expect([item.name, item.note] == ["mine", "was: theirs"])
    }

    @Test(
        "edits of different fields are both kept", arguments: StorageBackend.all(with: .durability))
    func fields(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "two"), Fixtures.tag(3, "three")]
        let base = Fixtures.item(1, "base", tags: [tags[0].id])
        _ = try await mine.commit(StorageChanges(tags: tags, items: [base]))
        _ = try await theirs.commit(
            edit(base) {
                $0.name = "theirs"
                $0.tags = [tags[0].id, tags[1].id]
            })
        let result = try await mine.commit(
            edit(base) {
                $0.doneAt = Fixtures.now
                $0.tags = [tags[2].id]
            })
        #expect(result.isBehind)
        #expect(result.conflicts.isEmpty)
        #expect(result.stored?.items.upserts.map(\.name) == ["theirs"])
        var expected = base
        expected.name = "theirs"
        expected.doneAt = Fixtures.now
        expected.tags = [tags[1].id, tags[2].id]
        #expect(try await theirs.allItems() == [expected])
        let fetched = try await mine.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts == [expected])
        #expect(try await mine.externalChanges { StorageChanges() }.changes.isEmpty)
    }

    @Test(
        "what others take back after a commit that told of it is fetched",
        arguments: StorageBackend.all(with: .durability))
    func takenBack(_ backend: StorageBackend) async throws {
        let mine = try open(backend)
        let items = Fixtures.items(2)
        _ = try await mine.commit(StorageChanges(items: items))
        let theirs = try open(backend)
        let renaming = edit(items[0]) { $0.name = "theirs" }
        _ = try await theirs.commit(renaming)
        var changes = deletion(of: items[0])
        changes.items.replace(items[1], with: edit(items[1]) { $0.name = "mine" }.items.upserts[0])
        changes.items.upsert(Fixtures.item(3))
        let result = try await mine.commit(changes)
        #expect(result.stored?.items.upserts.map(\.name) == ["theirs"])
        var back = StorageChanges(items: items)
        back.items[items[0].id]?.before = renaming.items.upserts[0]
        back.items[items[1].id]?.before = changes.items[items[1].id]?.after
        back.items.delete(Fixtures.item(3))
        _ = try await theirs.externalChanges { StorageChanges() }
        _ = try await theirs.commit(back)
        #expect(try await theirs.allItems() == items)
        let fetched = try await mine.externalChanges { StorageChanges() }.changes
        #expect(fetched.items.upserts.sorted { $0.rank < $1.rank } == items)
        #expect(fetched.items.deletions == [Fixtures.itemID(3)])
        #expect(try await mine.externalChanges { StorageChanges() }.changes.isEmpty)
    }

    @Test(
        "the name here wins, and the other is kept in the note",
        arguments: StorageBackend.all(with: .durability))
    func conflict(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let base = Fixtures.item(1, "base")
        _ = try await mine.commit(StorageChanges(items: [base]))
        _ = try await theirs.commit(edit(base) { $0.name = "theirs" })
        let result = try await mine.commit(edit(base) { $0.name = "mine" })
        #expect(result.conflicts == [StorageConflict(id: base.id, outcome: .merged)])
        let item = try #require(try await theirs.allItems().first)
        #expect(item.name == "mine")
        #expect(item.note == "was: theirs")
        #expect(result.stored?.items.upserts == [item])
    }

    @Test(
        "what was left and meets a deleted tag is recovered with a sentence about it",
        arguments: StorageBackend.all(with: .durability))
    func leftTags(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let (tag, item) = (
            Fixtures.tag(1, "red"), Fixtures.item(1, "Milk", tags: [Fixtures.tagID(1)])
        )
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        let deleted = try await storage.commit(abandoned: [StorageChanges(deletingTags: [tag.id])])
        #expect(
            deleted.sentences
                == ["Tag “red” was deleted; another process had added it to “Milk”"])
        let tagged = try await storage.commit(abandoned: [
            edit(Fixtures.item(1, "Milk")) { $0 = item }
        ])
        #expect(
            tagged.sentences == ["A tag was deleted by another process and removed from “Milk”"])
        #expect((deleted.conflicts, tagged.conflicts) == (0, 0))
    }

    @Test(
        "a view that meets a deleted tag is stored without it, and a sentence says so",
        arguments: StorageBackend.all(with: .durability))
    func viewTags(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let tag = Fixtures.tag(1, "red")
        let base = StorageChanges(tags: [tag])
        let view = Fixtures.view(1, "V", choice: .tag(tag.id))
        _ = try await mine.commit(base)
        let deletion = StorageChanges(deletingTags: [tag.id])
        // The tag is deleted before the view is saved, and then after it.
        _ = try await theirs.commit(deletion)
        var saved = StorageChanges(views: [view])
        var result = try await mine.commit(saved)
        #expect(
            result.sentences(on: saved) == [
                "A tag was deleted by another process and removed from the view “V”"
            ])
        #expect(try await theirs.loadViews().map(\.tag) == [nil])
        _ = try await mine.commit(base)
        saved = StorageChanges(views: [view])
        _ = try await mine.commit(saved)
        result = try await theirs.commit(deletion)
        #expect(
            result.sentences(on: deletion) == [
                "A tag was deleted; another process had added it to the view “V”"
            ])
        #expect(try await mine.loadViews().map(\.tag) == [nil])

        // A view that another process deletes does not come back because its tag is deleted.
        _ = try await mine.commit(base)
        _ = try await mine.commit(saved)
        _ = try await theirs.commit(StorageChanges(deletingViews: [view.id]))
        var both = deletion
        both.views.replace(view, with: view.withoutTag { $0 == tag.id })
        result = try await mine.commit(both)
        #expect(result.conflicts.isEmpty)
        #expect(try await theirs.loadViews().isEmpty)
    }

    @Test(
        "an edit beats a deletion, on either side", arguments: StorageBackend.all(with: .durability)
    )
    func deletions(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let bases = [Fixtures.item(1), Fixtures.item(2), Fixtures.item(3)]
        _ = try await mine.commit(StorageChanges(items: bases))
        _ = try await theirs.externalChanges { StorageChanges() }
        _ = try await theirs.commit(deletion(of: bases[0]))
        _ = try await theirs.commit(edit(bases[1]) { $0.name = "edited" })
        let kept = try await mine.commit(edit(bases[0]) { $0.name = "kept" })
        #expect(kept.conflicts == [StorageConflict(id: bases[0].id, outcome: .restored)])
        #expect(kept.stored == nil)
        let back = try await mine.commit(deletion(of: bases[1]))
        #expect(back.conflicts == [StorageConflict(id: bases[1].id, outcome: .notDeleted)])
        #expect(back.stored?.items.upserts.map(\.name) == ["edited"])
        #expect(try await mine.commit(deletion(of: bases[2])).conflicts.isEmpty)
        #expect(try await theirs.allItems().map(\.name) == ["kept", "edited"])
    }

    @Test("deletions are told, also those that are remembered no more")
    func tombstones() async throws {
        let (mine, theirs) = (try open(StorageBackend.all[0]), try open(StorageBackend.all[0]))
        let limit = CommitLedger.tombstoneLimit
        let items = (0..<limit + 5).map { number in
            Item(
                id: Fixtures.itemID(number + 1), name: "", rank: Fixtures.rank(number % 3000),
                createdAt: Fixtures.now)
        }
        _ = try await theirs.commit(StorageChanges(items: items))
        while try await !mine.externalChanges(known: { StorageChanges() }).isComplete {}
        var few = StorageChanges()
        few.items.delete([items[0].id, items[1].id])
        _ = try await theirs.commit(few)
        #expect(
            Set(try await mine.externalChanges { StorageChanges() }.changes.items.deletions)
                == Set(few.items.deletions))
        var all = StorageChanges()
        all.items.delete(items.map(\.id))
        _ = try await theirs.commit(all)
        let known = StorageChanges(items: items)
        #expect(try await mine.externalChanges { known }.changes.items.deletions == items.map(\.id))
    }
}
