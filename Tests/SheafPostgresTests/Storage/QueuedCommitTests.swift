import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// Commits that wait for the server behind one of another client.
@Suite("Commits behind others")
struct QueuedCommitTests {
    @Test("who deletes a tag gets the rows that another client put it on just before")
    func carriers() async throws {
        let list = try OneList()
        let (mine, theirs) = (try list.open("anna"), try list.open("anna"))
        let tag = Fixtures.tags(["red"])[0]
        let items = Fixtures.items(2)
        _ = try await mine.commit(StorageChanges(tags: [tag], items: items))
        _ = try await theirs.externalChanges { StorageChanges() }
        _ = try await mine.externalChanges { StorageChanges() }

        let holder = try OpenTransaction(
            list, as: "owner", "BEGIN; SELECT FROM sheaf.lists WHERE id = LIST FOR UPDATE")
        var tagged = items[1]
        tagged.tags = [tag.id]
        tagged.note = "theirs"
        var edit = StorageChanges()
        edit.items.replace(items[1], with: tagged)
        let first = Task { [edit] in try await theirs.commit(edit) }
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND datname = current_database()"
        try await list.wait(until: waiting)
        var deletion = StorageChanges()
        deletion.tags.delete(tag)
        let second = Task { [deletion] in try await mine.commit(deletion) }
        try await list.wait(until: "SELECT greatest((\(waiting)) - 1, 0)")
        holder.end()
        _ = try await first.value
        let result = try await second.value
        let news = try await mine.externalChanges { StorageChanges() }
        let told = (result.stored?.items.upserts ?? []) + news.changes.items.upserts
        #expect(told.last { $0.id == tagged.id }?.note == "theirs")
        #expect(told.last { $0.id == tagged.id }?.tags == [])
        #expect(
            result.conflicts.contains(
                StorageConflict(id: tagged.id, outcome: .tookReference(to: AnyID(tag.id)))),
            "\(result.conflicts)")
    }
}
