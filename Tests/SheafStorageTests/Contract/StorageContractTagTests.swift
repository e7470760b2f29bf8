import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

/// The promises of every storage about tags and their names.
@Suite("Storage contract: tags", .timeLimit(.minutes(1)))
struct StorageContractTagTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    @Test("deleting a tag takes it off its items", arguments: StorageBackend.all)
    func deleteTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "one"), Fixtures.tag(2, "two")]
        var item = Fixtures.item(1, tags: Set(tags.map(\.id)))
        _ = try await storage.commit(StorageChanges(tags: tags, items: [item]))
        _ = try await storage.commit(StorageChanges(deletingTags: [tags[0].id]))
        item.tags = [tags[1].id]
        #expect(try await storage.allItems() == [item])
        #expect(try await storage.loadTags() == [tags[1]])
    }

    @Test(
        "an item that refers to a tag that is gone is saved without it",
        arguments: StorageBackend.all)
    func danglingTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "one")
        var item = Fixtures.item(1, tags: [tag.id, Fixtures.tagID(9)])
        let result = try await storage.commit(StorageChanges(tags: [tag], items: [item]))
        #expect(result.refused.isEmpty)
        item.tags = [tag.id]
        #expect(try await storage.allItems() == [item])
        #expect(result.stored?.items.upserts == [item])
        #expect(result.stored?.tags.upserts == [])
        #expect(try await storage.commit(StorageChanges(items: [item])).stored == nil)
    }

    @Test(
        "a commit that deletes a tag tells which items had got it without its knowledge",
        arguments: StorageBackend.all)
    func deletionTakesReference(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tag = Fixtures.tag(1, "red")
        let known = Fixtures.item(1, "known", tags: [tag.id])
        let tagged = Fixtures.item(2, "tagged elsewhere", tags: [tag.id])
        _ = try await storage.commit(StorageChanges(tags: [tag], items: [known, tagged]))
        var changes = edit(known) { $0.tags = [] }
        changes.tags.delete(tag)
        let result = try await storage.commit(changes)
        let untagged = edit(tagged) { $0.tags = [] }.items.upserts
        #expect(
            result.conflicts == [
                StorageConflict(id: tagged.id, outcome: .tookReference(to: AnyID(tag.id)))
            ])
        #expect(result.stored?.items.upserts == untagged)
        #expect(try await storage.loadItems(ids: [tagged.id]) == untagged)
    }

    @Test(
        "a tag that is not deleted, since it was renamed, stays on its items and views",
        arguments: StorageBackend.all(with: .file))
    func notDeleted(_ backend: StorageBackend) async throws {
        let (storage, other) = (try open(backend), try open(backend))
        let tag = Fixtures.tag(1, "red")
        let (item, view) = (
            Fixtures.item(1, tags: [tag.id]), Fixtures.view(1, choice: .tag(tag.id))
        )
        var made = StorageChanges(tags: [tag], items: [item])
        made.views.upsert([view])
        _ = try await storage.commit(made)
        var (renamed, changes) = (tag, edit(item) { $0.tags = [] })
        renamed.name = "scarlet"
        var rename = StorageChanges()
        rename.tags.replace(tag, with: renamed)
        _ = try await other.commit(rename)
        var bare = view
        bare.tag = nil
        changes.views.replace(view, with: bare)
        changes.tags.delete(tag)
        let result = try await storage.commit(changes)
        #expect(
            result.conflicts.contains(StorageConflict(id: tag.id, outcome: .notDeleted)))
        #expect(try await storage.loadTags() == [renamed])
        #expect(try await storage.allItems().map(\.tags) == [[tag.id]])
        #expect(try await storage.loadViews().map(\.tag) == [tag.id])
        #expect(result.stored?.items.upserts.map(\.tags) == [[tag.id]])
        let rows = StorageChanges(tags: [renamed], views: [view], items: [item])
        let left = AbandonedChanges([changes], rows: rows).changes
        #expect(left.tags.isEmpty && left.items.isEmpty && left.views.isEmpty)
    }

    @Test(
        "a commit that puts a deleted tag on an item tells that it could not",
        arguments: StorageBackend.all)
    func referenceIsLost(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "red"), Fixtures.tag(2, "blue")]
        let item = Fixtures.item(1)
        _ = try await storage.commit(StorageChanges(tags: tags, items: [item]))
        _ = try await storage.commit(StorageChanges(deletingTags: [tags[0].id]))
        let result = try await storage.commit(edit(item) { $0.tags = Set(tags.map(\.id)) })
        #expect(
            result.conflicts == [
                StorageConflict(id: item.id, outcome: .lostReference(to: AnyID(tags[0].id)))
            ])
        #expect(result.stored?.items.upserts.map(\.tags) == [[tags[1].id]])
    }

    @Test(
        "a tag that one process deletes and another puts on an item is told to the later one",
        arguments: StorageBackend.all(with: .file))
    func tagOfTwoProcesses(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let tags = [Fixtures.tag(1, "red"), Fixtures.tag(2, "blue")]
        let item = Fixtures.item(1)
        _ = try await mine.commit(StorageChanges(tags: tags, items: [item]))
        _ = try await theirs.externalChanges { StorageChanges() }
        // A fetch of the other process's change before the commit makes no difference.
        for (tag, fetches) in zip(tags, [false, true]) {
            _ = try await theirs.commit(edit(item) { $0.tags = [tag.id] })
            if fetches { _ = try await mine.externalChanges { StorageChanges() } }
            let took = try await mine.commit(StorageChanges(deletingTags: [tag.id]))
            #expect(
                took.conflicts == [
                    StorageConflict(id: item.id, outcome: .tookReference(to: AnyID(tag.id)))
                ])
            #expect(took.stored?.items.upserts == [item])
            if fetches { _ = try await theirs.externalChanges { StorageChanges() } }
            let lost = try await theirs.commit(edit(item) { $0.tags = [tag.id] })
            #expect(
                lost.conflicts == [
                    StorageConflict(id: item.id, outcome: .lostReference(to: AnyID(tag.id)))
                ])
            #expect(lost.stored?.items.upserts == [item])
        }
    }

    @Test(
        "a second tag of one name is refused by itself, and its items get the first",
        arguments: StorageBackend.all)
    func duplicateTagName(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "Café")]))
        let result = try await storage.commit(
            StorageChanges(
                tags: [
                    Fixtures.tag(2, " cafe\u{301} "), Fixtures.tag(3, "tea"),
                    Fixtures.tag(4, "TEA"),
                ],
                items: [Fixtures.item(1, tags: [Fixtures.tagID(2), Fixtures.tagID(3)])]))
        #expect(
            result.refused.compactMap { $0.id.value(as: UUID.self) } == [2, 4].map(Fixtures.tagID))
        #expect(result.refused.allSatisfy { $0.reason.contains("already") })
        #expect(try await storage.loadTags().map(\.name) == ["Café", "tea"])
        #expect(
            try await storage.allItems() == [
                Fixtures.item(1, tags: [Fixtures.tagID(1), Fixtures.tagID(3)])
            ])
        #expect(
            result.substitutes.mapValues { $0.value(as: UUID.self) } == [
                AnyID(Fixtures.tagID(2)): Fixtures.tagID(1),
                AnyID(Fixtures.tagID(4)): Fixtures.tagID(3),
            ])
        #expect(
            Set(result.stored?.tags.upserts ?? []) == [
                Fixtures.tag(1, "Café"), Fixtures.tag(3, "tea"),
            ])
        #expect(
            result.stored?.items.upserts == [
                Fixtures.item(1, tags: [Fixtures.tagID(1), Fixtures.tagID(3)])
            ])
        #expect(!result.isBehind)
        // The process that made the commit knows all of it.
        #expect(try await storage.externalChanges { StorageChanges() }.changes.isEmpty)
    }

    @Test("names of tags can be handed on in one commit", arguments: StorageBackend.all)
    func handedOnNames(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let names = ["a", "b", "c", "d"]
        _ = try await storage.commit(
            StorageChanges(tags: names.enumerated().map { Fixtures.tag($0.offset, $0.element) }))
        // a and b change places, c takes the name of d, which is deleted.
        let result = try await storage.commit(
            StorageChanges(
                tags: [Fixtures.tag(0, "b"), Fixtures.tag(1, "a"), Fixtures.tag(2, "D")],
                deletingTags: [Fixtures.tagID(3)]))
        #expect(result.refused.isEmpty)
        #expect(try await storage.loadTags().map(\.name) == ["b", "a", "D"])
        // A tag that was renamed back and forth is as before.
        let again = try await storage.commit(
            StorageChanges(tags: [Fixtures.tag(7, "b"), Fixtures.tag(8, "c")]))
        #expect(again.refused.compactMap { $0.id.value(as: UUID.self) } == [Fixtures.tagID(7)])
    }

    @Test("a refused tag keeps its old name, and others keep off it", arguments: StorageBackend.all)
    func refusalChain(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "x"), Fixtures.tag(2, "y"), Fixtures.tag(3, "z")]
        _ = try await storage.commit(StorageChanges(tags: tags))
        // 1 wants the name of 2, which stays; 3 wants the one that 1 now keeps.
        let result = try await storage.commit(
            StorageChanges(tags: [Fixtures.tag(3, "x"), Fixtures.tag(1, "y")]))
        #expect(
            Set(result.refused.compactMap { $0.id.value(as: UUID.self) }) == [
                Fixtures.tagID(1), Fixtures.tagID(3),
            ])
        #expect(try await storage.loadTags() == tags)
    }

    @Test(
        "of two tags that two screens rename to one name at once, the later one keeps its name",
        arguments: StorageBackend.all(with: .watch), [false, true])
    @MainActor
    func renamedToOneName(_ backend: StorageBackend, isKnown: Bool) async throws {
        let (red, green) = (Fixtures.tag(1, "red"), Fixtures.tag(2, "Green"))
        let queries = ["#red", "#Green", "milk #GREEN"]
        var changes = StorageChanges(tags: [red, green])
        for (index, query) in queries.enumerated() {
            changes.views.upsert(Fixtures.view(index, "view \(index)", query: query))
        }
        let (one, two) = try await SharedScreen.two(
            on: backend, at: folder.file(backend.fileName), changes)
        one.send(.tags(.rename(red.id, newName: "blue")))
        two.send(.tags(.rename(green.id, newName: "Blue")))
        #expect(two.state.views.map(\.query)[1] == "#Blue")
        if isKnown {
            await one.store.flush()
            await two.waits { $0.tags[red.id]?.name == "blue" }
        }
        try await one.saves(before: two)
        for state in [one.state, two.state] {
            #expect(state.tags.values.map(\.name) == ["blue", "Green"])
            #expect(state.views.map(\.query) == ["#blue", "#Green", "milk #GREEN"])
            #expect(state.saving.phase == .saved)
        }
        #expect(two.toast == "Cannot rename tag “Green”: a tag “blue” already exists")
        let stored = try backend.open(folder.file(backend.fileName))
        #expect(try await stored.loadViews() == two.state.views.values)

        // Neither of them affects later steps.
        two.send(.history(.undoRequested))
        one.send(.tags(.rename(red.id, newName: "red")))
        try await one.saves(before: two)
        two.send(.tags(.rename(green.id, newName: "blue")))
        try await one.agrees(with: two)
        #expect(one.state.tags.values.map(\.name) == ["red", "blue"])
        #expect(one.state.views.map(\.query) == ["#red", "#blue", "milk #blue"])
    }

    @Test(
        "what else a commit does to a tag whose new name is taken is done",
        arguments: StorageBackend.all)
    func refusedRename(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let tags = [Fixtures.tag(1, "blue"), Fixtures.tag(2, "green")]
        _ = try await storage.commit(StorageChanges(tags: tags))
        var renamed = tags[1]
        renamed.name = "BLUE"
        renamed.color = renamed.color == .red ? .cyan : .red
        var changes = StorageChanges()
        changes.tags.replace(tags[1], with: renamed)
        let result = try await storage.commit(changes)
        var stored = renamed
        stored.name = "green"
        #expect(result.refused.map(\.id) == [AnyID(stored.id)])
        #expect(
            result.conflicts == [
                StorageConflict(id: stored.id, outcome: .lostName(to: AnyID(tags[0].id)))
            ])
        #expect(Set(result.stored?.tags.upserts ?? []) == [tags[0], stored])
        #expect(result.lost(of: changes).count == 1)
        #expect(try await storage.loadTags() == [tags[0], stored])
    }
}
