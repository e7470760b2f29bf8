import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Swidux
import Testing

/// The promises of every storage about saved views.
@Suite("Storage contract: views", .timeLimit(.minutes(1)))
struct StorageContractViewTests {
    private let folder: TemporaryFolder
    private let tag = Fixtures.tag(1, "red")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ backend: StorageBackend) throws -> any ListStorage {
        try backend.open(folder.file(backend.fileName))
    }

    private func edit(
        _ base: SavedView, _ change: (inout SavedView) -> Void
    ) -> StorageChanges {
        var view = base
        change(&view)
        var changes = StorageChanges()
        changes.views.replace(base, with: view)
        return changes
    }

    @Test(
        "views come back byte for byte, in their order, after the store was closed too",
        arguments: StorageBackend.all)
    func roundTrip(_ backend: StorageBackend) async throws {
        var names: Set<String> = []
        let views = Fixtures.nastyTexts.enumerated().map { index, text in
            let isNew = names.insert(Fixtures.view(index, text).foldedName).inserted
            let name = isNew ? text : "\(index)\(text)"
            return Fixtures.view(index, name, query: String(text.reversed()))
        }
        let storage = try open(backend)
        #expect(try await storage.loadViews().isEmpty)
        _ = try await storage.commit(StorageChanges(views: views.reversed()))
        var reopened = storage
        if backend.has(.durability) {
            await storage.close()
            reopened = try open(backend)
        }
        let loaded = try await reopened.loadViews()
        #expect(loaded == views)
        for (view, other) in zip(loaded, views) {
            #expect(SavedView.fields.allSatisfy { $0.isSame(in: view, as: other) })
        }
        #expect(try await reopened.itemCount() == 0)
    }

    @Test("a view is changed, moved and deleted", arguments: StorageBackend.all)
    func edits(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        var views = (1...3).map { Fixtures.view($0) }
        _ = try await storage.commit(StorageChanges(views: views))
        views[0].query = "is:done"
        views[0].rank = Fixtures.rank(9)
        let result = try await storage.commit(
            StorageChanges(views: [views[0]], deletingViews: [views[1].id]))
        #expect(result.stored == nil)
        #expect(try await storage.loadViews() == [views[2], views[0]])
    }

    @Test(
        "of views that get one name the later ones get a free one, which the commit tells",
        arguments: StorageBackend.all)
    func names(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let first = Fixtures.view(1, "Café")
        _ = try await storage.commit(StorageChanges(views: [first, Fixtures.view(2, "other")]))
        // A name that is free goes to who asks for it.
        let result = try await storage.commit(
            StorageChanges(
                views: [
                    Fixtures.view(3, "cafe\u{301}"), Fixtures.view(4, "CAFÉ 2"),
                    Fixtures.view(2, "café"), Fixtures.view(5, "Other"),
                ]))
        let stored = [
            first, Fixtures.view(2, "café 4"), Fixtures.view(3, "cafe\u{301} 3"),
            Fixtures.view(4, "CAFÉ 2"), Fixtures.view(5, "Other"),
        ]
        #expect(try await storage.loadViews() == stored)
        #expect(result.refused.isEmpty)
        #expect(Set(result.stored?.views.upserts ?? []) == Set(stored.prefix(3)))
        #expect(
            Set(result.conflicts)
                == Set(
                    stored[1...2].map {
                        StorageConflict(id: $0.id, outcome: .lostName(to: AnyID(first.id)))
                    }))
    }

    @Test("names of views can be handed on in one commit", arguments: StorageBackend.all)
    func handedOnNames(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let names = ["a", "b", "c"]
        _ = try await storage.commit(
            StorageChanges(views: names.enumerated().map { Fixtures.view($0.offset, $0.element) }))
        let result = try await storage.commit(
            StorageChanges(
                views: [Fixtures.view(0, "b"), Fixtures.view(1, "C")],
                deletingViews: [Fixtures.view(2).id]))
        #expect(result.conflicts.isEmpty)
        #expect(try await storage.loadViews().map(\.name) == ["b", "C"])
    }

    /// How a screen gets a view of the name “c1”.
    enum Naming: CaseIterable {
        case adding, renaming, undoing
    }

    @Test(
        "two screens that give one name to two views at once have both, under two names",
        arguments: StorageBackend.all(with: .watch), Naming.allCases)
    @MainActor
    func oneNameTwice(_ backend: StorageBackend, by naming: Naming) async throws {
        let views = [Fixtures.view(1, naming == .undoing ? "c1" : "mine"), Fixtures.view(2)]
        let (one, two) = try await SharedScreen.two(
            on: backend, at: folder.file(backend.fileName), StorageChanges(views: views))
        if naming == .undoing {
            two.send(.views(.delete(views[0].id)))
            try await two.agrees(with: one)
        }
        one.send(.views(.add(name: "C1")))
        switch naming {
        case .adding: two.send(.views(.add(name: "c1")))
        case .renaming: two.send(.views(.rename(views[0].id, newName: "c1")))
        case .undoing: two.send(.history(.undoRequested))
        }
        try await one.saves(before: two)
        let names = two.state.views.map(\.foldedName)
        #expect(Set(names).count == names.count)
        let isReverted = !names.contains("c1 2")
        // Undo is told of the other view before it is stored, or by storage.
        #expect(!isReverted || naming == .undoing)
        #expect(
            two.toast
                == (isReverted
                    ? "Cannot undo delete view: a view “C1” already exists"
                    : "A view “C1” already exists; this one is now “c1 2”"))
        #expect(two.state.saving.phase == .saved)
    }

    @Test(
        "a view loses a tag that is deleted, and the commit says so",
        arguments: StorageBackend.all)
    func deletedTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        var view = Fixtures.view(1, query: "words", choice: .tag(tag.id))
        let other = Fixtures.view(2, choice: .untagged)
        _ = try await storage.commit(StorageChanges(tags: [tag], views: [view, other]))
        let result = try await storage.commit(StorageChanges(deletingTags: [tag.id]))
        view.tag = nil
        #expect(result.stored?.views.upserts == [view])
        #expect(
            result.conflicts == [
                StorageConflict(id: view.id, outcome: .tookReference(to: AnyID(tag.id)))
            ])
        #expect(try await storage.loadViews() == [view, other])
    }

    @Test(
        "a view whose tag is not there is stored without it, one whose tag comes with it is whole",
        arguments: StorageBackend.all)
    func missingTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let whole = Fixtures.view(1, choice: .tag(tag.id))
        var view = Fixtures.view(2, choice: .tag(Fixtures.tagID(9)))
        let result = try await storage.commit(StorageChanges(tags: [tag], views: [whole, view]))
        view.tag = nil
        #expect(result.stored?.views.upserts == [view])
        #expect(try await storage.loadViews() == [whole, view])
    }

    @Test(
        "a view of a new tag whose name another tag has chooses that one",
        arguments: StorageBackend.all)
    func substitutedTag(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        _ = try await storage.commit(StorageChanges(tags: [tag]))
        let twin = Fixtures.tag(2, "RED")
        var view = Fixtures.view(1, choice: .tag(twin.id))
        let result = try await storage.commit(StorageChanges(tags: [twin], views: [view]))
        view.tag = tag.id
        #expect(result.stored?.views.upserts == [view])
        #expect(try await storage.loadViews() == [view])
    }

    @Test(
        "two processes' edits of one view are merged, and each is told of the other's",
        arguments: StorageBackend.all(with: .file))
    func merged(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let base = Fixtures.view(1, "base", query: "base")
        _ = try await mine.commit(StorageChanges(views: [base]))
        _ = try await theirs.externalChanges { StorageChanges() }
        _ = try await theirs.commit(
            edit(base) {
                $0.name = "theirs"
                $0.query = "theirs"
            })
        let result = try await mine.commit(
            edit(base) {
                $0.query = "mine"
                $0.hidesDone = true
            })
        var merged = Fixtures.view(1, "theirs", query: "mine")
        merged.hidesDone = true
        #expect(result.stored?.views.upserts == [merged])
        #expect(result.conflicts == [StorageConflict(id: base.id, outcome: .merged)])
        #expect(
            try await theirs.externalChanges { StorageChanges() }.changes.views.upserts == [merged])
    }

    @Test(
        "an edit of a view beats its deletion, and a deletion is fetched",
        arguments: StorageBackend.all(with: .file))
    func deletion(_ backend: StorageBackend) async throws {
        let (mine, theirs) = (try open(backend), try open(backend))
        let (first, second) = (Fixtures.view(1), Fixtures.view(2))
        _ = try await mine.commit(StorageChanges(views: [first, second]))
        _ = try await theirs.externalChanges { StorageChanges() }
        let edited = edit(first) { $0.query = "theirs" }
        _ = try await theirs.commit(edited)
        var deletion = StorageChanges()
        deletion.views.delete(first)
        deletion.views.delete(second)
        let result = try await mine.commit(deletion)
        #expect(result.conflicts == [StorageConflict(id: first.id, outcome: .notDeleted)])
        #expect(try await theirs.loadViews() == edited.views.upserts)
        #expect(
            try await theirs.externalChanges { StorageChanges(views: [first, second]) }
                .changes.views.deletions == [second.id])
    }

    @Test(
        "what an interrupted session left of a view is merged with it",
        arguments: StorageBackend.all)
    func left(_ backend: StorageBackend) async throws {
        let storage = try open(backend)
        let base = Fixtures.view(1, "base", query: "base")
        _ = try await storage.commit(edit(base) { $0.name = "theirs" })
        var left = edit(base) { $0.query = "left" }
        left.views.upsert(Fixtures.view(2, choice: .tag(Fixtures.tagID(2))))
        left.tags.upsert([Fixtures.tag(2, "Red")])
        _ = try await storage.commit(StorageChanges(tags: [tag]))
        for _ in 1...2 { _ = try await storage.commit(abandoned: [left]) }
        #expect(
            try await storage.loadViews() == [
                Fixtures.view(1, "theirs", query: "left"),
                Fixtures.view(2, choice: .tag(tag.id)),
            ])
    }
}
