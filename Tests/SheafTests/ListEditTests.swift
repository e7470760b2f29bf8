import ArgumentParser
import Foundation
import SheafCore
import SheafStorage
import SheafTestSupport
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
    /// is planned.
    private func race(
        theirs: StorageChanges, _ plan: @escaping @Sendable (Item, inout StorageChanges) -> Void
    ) async throws -> [Item] {
        let other = try openStorage(StoreURL(.sqlite, path: path).place, mode: .readWriteCreate)
        var start = StorageChanges()
        start.items.upserts = [item]
        _ = try await other.commit(start)
        let options = try StoreOptions.parse(["--store", path])
        let id = item.id
        try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
            // It blocks its thread.
            DispatchQueue.global().async {
                end.resume(
                    with: Result {
                        try ListEdit.perform(on: options) { edit in
                            var changes = ListEdit.Plan(report: "")
                            let found = try await edit.storage.loadItems(ids: [id])
                            for item in found { plan(item, &changes.changes) }
                            _ = try await other.commit(theirs)
                            return changes
                        }
                    })
            }
        }
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
        let items = try await race(theirs: changes) { item, changes in changes.items.delete(item) }
        #expect(items.map(\.name) == ["oat milk"])
    }
}
