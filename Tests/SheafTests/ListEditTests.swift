import ArgumentParser
import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

@testable import sheaf

/// A command between whose reading and writing another process edits the list.
@Suite("Commands beside another process")
struct ListEditTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("list.sqlite") }
    private let item = Fixtures.items(["milk"])[0]

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs the edit `plan` on a list of one item, and lets another process commit `theirs` once it
    /// is planned. The command ends with `status`.
    private func race(
        theirs: StorageChanges, status: ExitCode = .success,
        _ plan: @escaping @Sendable (Item, inout StorageChanges) -> Void
    ) async throws -> [Item] {
        let other = try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
        var start = StorageChanges()
        start.items.upsert([item])
        _ = try await other.commit(start)
        let options = try StoreOptions.parse(["--store", path])
        let id = item.id
        let ended = try await withCheckedThrowingContinuation {
            (end: CheckedContinuation<ExitCode, any Error>) in
            // It blocks its thread.
            DispatchQueue.global().async {
                end.resume(
                    with: Result {
                        do {
                            try ListEdit.perform(on: options) { edit in
                                var changes = ListEdit.Plan(report: "")
                                let found = try await edit.storage.loadItems(ids: [id])
                                for item in found { plan(item, &changes.changes) }
                                _ = try await other.commit(theirs)
                                return changes
                            }
                            return .success
                        } catch let status as ExitCode {
                            return status
                        }
                    })
            }
        }
        #expect(ended == status)
        let items = try await other.loadItems(ids: [id])
        await other.close()
        return items
    }

    @Test("edits of two fields are both kept")
    func fields() async throws {
        var theirs = item
        theirs.note = "two litres"
        var changes = StorageChanges()
        changes.items.replace(item, with: theirs)
        let items = try await race(theirs: changes) { item, changes in
            var renamed = item
            renamed.name = "oat milk"
            changes.items.replace(item, with: renamed)
        }
        #expect(items.map(\.name) == ["oat milk"])
        #expect(items.map(\.note) == ["two litres"])
    }

    @Test("an edit beats a deletion")
    func deletion() async throws {
        var theirs = item
        theirs.name = "oat milk"
        var changes = StorageChanges()
        changes.items.replace(item, with: theirs)
        let items = try await race(theirs: changes, status: .failure) { item, changes in
            changes.items.delete(item)
        }
        #expect(items.map(\.name) == ["oat milk"])
    }

    /// Merges tag `a` into tag `b` while another process makes changes, in a list of four items of
    /// which two have each tag, and one that has both. Returns the tags of each item, by name.
    private func merge(
        _ theirs: @escaping @Sendable (ListEdit) async throws -> StorageChanges
    ) async throws -> [String: Set<String>] {
        let other = try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
        let tags = Fixtures.tags(["a", "b"])
        var items = Fixtures.items(["a1", "a2", "b1", "b2", "ab"])
        for place in 0..<4 { items[place].tags = [tags[place / 2].id] }
        items[4].tags = Set(tags.map(\.id))
        _ = try await other.commit(StorageChanges(tags: tags, items: items))
        let options = try StoreOptions.parse(["--store", path])
        try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                end.resume(
                    with: Result {
                        try ListEdit.perform(on: options) { edit in
                            let plan = try await TagMergeCommand.plan(["a", "b"], edit)
                            let changes = try await theirs(ListEdit(storage: other, now: .now))
                            _ = try await other.commit(changes)
                            return plan
                        }
                    })
            }
        }
        let names = Dictionary(
            uniqueKeysWithValues: try await other.loadTags().map { ($0.id, $0.name) })
        let stored = try await other.loadItems(ids: items.map(\.id))
        await other.close()
        return Dictionary(
            uniqueKeysWithValues: stored.map { ($0.name, Set($0.tags.compactMap { names[$0] })) })
    }

    @Test("a merged tag reaches items that get it meanwhile")
    func mergeBesideTagging() async throws {
        let tags = try await merge { edit in
            let tag = try await edit.tags().tag("a")
            var changes = StorageChanges()
            let items = try await edit.storage.loadItems(after: nil, limit: 9)
            changes.items = EntityChanges(
                editing: items.filter { $0.name == "b1" }, at: .now
            ) { $0.tags = [tag.id] }
            return changes
        }
        #expect(tags == ["a1": ["b"], "a2": ["b"], "b1": ["b"], "b2": ["b"], "ab": ["b"]])
    }

    @Test("a merged tag reaches a view that gets it meanwhile")
    func mergeBesideView() async throws {
        let view = Fixtures.view(1, "w", choice: .tag(Fixtures.tags(["a", "b"])[0].id))
        _ = try await merge { _ in StorageChanges(views: [view]) }
        let list = try StoreURL(.sqlite, path: path).location.openStorage(.readOnly)
        #expect(try await list.loadViews().first?.tag == Fixtures.tags(["a", "b"])[1].id)
        await list.close()
    }

    @Test("a tag that is taken off meanwhile is put on by the merge", arguments: ["a", "b"])
    func mergeBesideTakingOff(name: String) async throws {
        let tags = try await merge { edit in
            let tag = try await edit.tags().tag(name)
            var changes = StorageChanges()
            changes.items = try await edit.changedItems { item in
                if item.name == "ab" { item.tags.remove(tag.id) }
            }
            return changes
        }
        #expect(tags["ab"] == ["b"])
    }

    @Test("the tag into which others are merged comes back if it is deleted meanwhile")
    func mergeBesideDeletion() async throws {
        let tags = try await merge { edit in
            var changes = StorageChanges()
            let tag = try await edit.tags().tag("b")
            changes.items = try await edit.changedItems { $0.tags.remove(tag.id) }
            changes.tags.delete(tag)
            return changes
        }
        #expect(tags == ["a1": ["b"], "a2": ["b"], "b1": [], "b2": [], "ab": ["b"]])
    }

    @Test("two tags that are merged into each other do not both vanish")
    func crossedMerges() async throws {
        let tags = try await merge { try await TagMergeCommand.plan(["b", "a"], $0).changes }
        #expect(tags == ["a1": ["b"], "a2": ["b"], "b1": ["b"], "b2": ["b"], "ab": ["b"]])
    }

    @Test("what another process changed too is called what it is")
    func sentences() {
        let items = Fixtures.items(["milk", "bread"])
        let tags = Fixtures.tags(["shop", "home"])
        let view = SavedView(id: Fixtures.id(90))
        var changes = StorageChanges()
        changes.items.upsert(items)
        changes.tags.upsert([tags[0]])
        changes.tags.delete([tags[1].id])
        changes.views.upsert([view])
        func sentence(_ conflicts: (UUID, StorageConflict.Outcome)...) -> String? {
            changes.sentence(
                on: SheafList.CommitResult(
                    stored: stored,
                    conflicts: conflicts.map { StorageConflict(id: $0.0, outcome: $0.1) }))
        }
        var stored: StorageChanges?
        let start = "Another process also changed"
        let notes = "replaced texts are in the notes"
        #expect(sentence() == nil)
        #expect(sentence((items[0].id, .lostReference(to: AnyID(tags[0].id)))) == nil)
        #expect(sentence((items[0].id, .merged)) == "\(start) 1 item: your changes were kept.")
        stored = StorageChanges()
        stored?.items.upsert([items[0]])
        stored?.items[items[0].id]?.after?.note = "with bread"
        #expect(sentence((items[0].id, .merged)) == "\(start) 1 item: your changes were kept.")
        stored?.items[items[0].id]?.after?.note = "with bread\nwas: oat milk"
        #expect(sentence((items[0].id, .merged)) == "\(start) 1 item: \(notes).")
        #expect(sentence((items[0].id, .kept)) == "\(start) 1 item: your changes were kept.")
        #expect(
            sentence((items[0].id, .restored))
                == "\(start) 1 item: 1 item that it deleted came back.")
        #expect(
            sentence((items[0].id, .kept), (items[1].id, .restored), (view.id, .restored))
                == "\(start) 2 items and 1 view: 1 item and 1 view that it deleted came back.")
        #expect(
            sentence((items[0].id, .merged), (items[1].id, .kept)) == "\(start) 2 items: \(notes).")
        #expect(sentence((tags[0].id, .merged)) == "\(start) 1 tag: your changes were kept.")
        #expect(
            sentence((tags[1].id, .notDeleted))
                == "\(start) 1 tag: what it edited was not deleted.")
        let all = sentence(
            (items[0].id, .merged), (tags[0].id, .kept), (tags[1].id, .notDeleted),
            (view.id, .kept))
        #expect(
            all
                == "\(start) 1 item, 2 tags and 1 view: \(notes), and what it edited was not deleted."
        )
    }
}
