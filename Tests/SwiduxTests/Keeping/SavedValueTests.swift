import Foundation
import Swidux
import SwiduxJSON
import Testing

private struct DeskSettings: Codable, Equatable {
    var theme = "light"
    var size = 12
}

private struct Letter: Identifiable, Equatable, Codable {
    var id: Int
    var text: String
}

private struct Desk: Equatable {
    @Saved var settings = DeskSettings()
    var drafts: EntityStore<Letter>?
}

private enum DeskAction {
    case theme(String)
    case draft(Letter)
    case closeDrafts
    case undo, redo
}

private struct DeskChanges {
    var settings = EntityChanges<SavedValue<DeskSettings>>()
    var drafts = EntityChanges<Letter>()
}

@MainActor private let desk = Reduce<Desk, DeskAction, DeskAction, Void> { state, action in
    switch action {
    case .theme(let theme): state.settings.theme = theme
    case .draft(let draft):
        if state.drafts == nil { state.drafts = EntityStore() }
        state.drafts?[draft.id] = draft
    case .closeDrafts: state.drafts = nil
    case .undo, .redo: break
    }
}

private func role(of action: DeskAction) -> UndoRole {
    switch action {
    case .undo: .undo
    case .redo: .redo
    default: .command()
    }
}

/// Plain values and optional stores are saved and undone as the entities of a store are.
@MainActor
@Suite("Saved values and optional stores") struct SavedValueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ initial: Desk = Desk()
    ) async throws -> Store<Desk, DeskAction, Void> {
        try await openedAgain {
            try Store(
                initialState: initial, reducer: desk, environment: (),
                keeping: [Kept("settings", \.$settings), Kept("drafts", \.drafts.orEmpty)],
                in: JSONFile(folder.file("desk.json"), format: "desk"),
                undo: { action, _ in role(of: action) })
        }
    }

    @Test("a value is kept in a file, and undone")
    func kept() async throws {
        var store: Store? = try await open()
        #expect(try folder.text(of: "desk.json").contains(#"{"size":12,"theme":"light"}"#))
        store?.send(.theme("dark"))
        store?.send(.theme("blue"))
        store?.send(.undo)
        await store?.persistence?.flush()
        #expect(store?.state.settings.theme == "dark")
        store = nil
        var initial = Desk()
        initial.settings.theme = "another default"
        store = try await open(initial)
        #expect(store?.state.settings == DeskSettings(theme: "dark"))
        #expect(store?.state.drafts == nil)
        #expect(store?.persistence?.status.phase == .saved)
    }

    @Test("setting an equal value is no change")
    func equal() async throws {
        let store = try await open()
        store.send(.theme("light"))
        #expect(store.persistence?.status.phase == .saved)
        #expect(store.persistence?.status.counters.changes == 0)
    }

    @Test("an optional store is kept; nil deletes its entities, undo brings them back")
    func optional() async throws {
        var store: Store? = try await open()
        store?.send(.draft(Letter(id: 1, text: "Dear")))
        await store?.persistence?.flush()
        store = nil
        store = try await open()
        #expect(store?.state.drafts?.values == [Letter(id: 1, text: "Dear")])
        store?.send(.closeDrafts)
        await store?.persistence?.flush()
        #expect(try !folder.text(of: "desk.json").contains("Dear"))
        store?.send(.undo)
        #expect(store?.state.drafts?.values == [Letter(id: 1, text: "Dear")])
        store?.send(.redo)
        store?.send(.undo)
        await store?.persistence?.flush()
        #expect(try folder.text(of: "desk.json").contains("Dear"))
    }

    @Test("storage of the application's own gets values and optional stores in one commit")
    func pipeline() async {
        let committed = Committed()
        let store = Store(
            initialState: Desk(), reducer: desk, environment: (),
            persistence: PersistencePipeline(
                writers: [
                    BatchWriter(keyPath: \.$settings, into: \DeskChanges.settings),
                    BatchWriter(keyPath: \.drafts.orEmpty, into: \DeskChanges.drafts),
                ],
                empty: { DeskChanges() },
                options: PersistenceOptions(waitsForHydration: false),
                commit: {
                    committed.add($0)
                    return CommitResult()
                }),
            undo: UndoHistory(tracks: [UndoTrack(\.$settings), UndoTrack(\.drafts.orEmpty)]) {
                action, _ in role(of: action)
            })
        store.send(.theme("dark"))
        store.send(.draft(Letter(id: 7, text: "Sir")))
        await store.persistence?.flush()
        store.send(.closeDrafts)
        store.send(.undo)
        store.send(.undo)
        store.send(.undo)
        await store.persistence?.flush()
        let themes = committed.all.map { $0.settings.upserts.map(\.value.theme) }
        #expect(themes == [["dark"], ["light"]])
        #expect(committed.all.map { $0.drafts.upserts.map(\.id) } == [[7], []])
        #expect(committed.all.map(\.drafts.deletions) == [[], [7]])
        #expect(store.state == Desk(drafts: EntityStore()))
    }

    @Test("a pipeline that waits for the end of loading does not wait for a store that is nil")
    func loading() async {
        let store = Store(
            initialState: Desk(), reducer: desk, environment: (),
            persistence: PersistencePipeline(
                writers: [BatchWriter(keyPath: \.drafts.orEmpty, into: \DeskChanges.drafts)],
                empty: { DeskChanges() }, options: PersistenceOptions(waitsForHydration: true),
                commit: { _ in CommitResult() }))
        store.send(.draft(Letter(id: 7, text: "Sir")))
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
    }
}

private final class Committed: @unchecked Sendable {
    private let lock = NSLock()
    private var commits: [DeskChanges] = []

    var all: [DeskChanges] { lock.withLock { commits } }

    func add(_ changes: DeskChanges) { lock.withLock { commits.append(changes) } }
}
