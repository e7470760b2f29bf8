import Foundation
import Swidux
import SwiduxJSON
import Testing

private struct Line: Identifiable, Equatable {
    var id: Int
    var text = ""
}

private struct LineChanges {
    var rows = EntityChanges<Line>()
}

private struct StorageError: Error {}

/// Storage that takes a moment for every commit, and fails those that it is told to.
private actor SlowStorage {
    private(set) var ids: Set<Int> = []
    private var failures: Int

    init(failures: Int = 0) { self.failures = failures }

    func commit(_ changes: LineChanges) async throws {
        try await Task.sleep(for: .milliseconds(5))
        if failures > 0 {
            failures -= 1
            throw StorageError()
        }
        ids.formUnion(changes.rows.upserts.map(\.id))
    }
}

/// Flushes that block the thread, for the end of a program.
@MainActor
@Suite("Blocking flush") struct FlushNowTests {
    private func store(
        _ commit: @escaping @Sendable (LineChanges) async throws -> Void
    ) -> Store<EntityStore<Line>, Int, Void> {
        Store(
            initialState: EntityStore(), reducer: Reduce { $0[$1] = Line(id: $1) }, environment: (),
            persistence: PersistencePipeline(
                writers: [BatchWriter(keyPath: \.self, into: \LineChanges.rows)],
                empty: { LineChanges() },
                commit: {
                    try await commit($0)
                    return CommitResult()
                }))
    }

    @Test("what is pending, and what is in flight, is written before it returns")
    func everything() async {
        let storage = SlowStorage()
        let store = store { try await storage.commit($0) }
        store.send(1)
        let flush = Task { await store.persistence?.flush() }
        while store.persistence?.status.phase != .saving { await Task.yield() }
        store.send(2)
        #expect(store.persistence?.flushNow() == true)
        #expect(store.persistence?.status.phase == .saved)
        // The task of the first commit finds that its result was taken in.
        await flush.value
        #expect(store.persistence?.status.counters.batches == 2)
        #expect(await storage.ids == [1, 2])
        #expect(store.persistence?.flushNow(within: .zero) == true)
    }

    @Test("a failed commit is reported, and one that failed before is tried once more")
    func failure() async {
        let storage = SlowStorage(failures: 2)
        let store = store { try await storage.commit($0) }
        store.send(1)
        #expect(store.persistence?.flushNow() == false)
        #expect(store.persistence?.status.phase == .failing)
        store.send(2)
        let flush = Task { await store.persistence?.flush() }
        while store.persistence?.status.phase != .saving { await Task.yield() }
        #expect(store.persistence?.flushNow() == true)
        await flush.value
        #expect(await storage.ids == [1, 2])
    }

    @Test("a commit that waits for the main actor ends the wait at its limit, and lands later")
    func mainActor() async {
        let store = store { _ in await MainActor.run {} }
        store.send(1)
        #expect(store.persistence?.flushNow(within: .milliseconds(20)) == false)
        #expect(store.persistence?.status.phase == .saving)
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
    }

    @Test("a program that exits has its changes in the file")
    func exits() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("list.json")
        await #expect(processExitsWith: .success) { [path = path as String] in
            await MainActor.run {
                let store = try? Store(
                    initialState: EntityStore<KeptLine>(),
                    reducer: Reduce { $0[$1] = KeptLine(id: $1) }, environment: (),
                    keeping: [Kept("lines", \.self)], in: JSONFile(path, format: "lines"))
                store?.send(7)
                exit(store?.persistence?.flushNow() == true ? 0 : 1)
            }
        }
        #expect(try folder.text(of: "list.json").contains(#"{"id":7}"#))
    }
}

private struct KeptLine: Identifiable, Equatable, Codable {
    var id: Int
}
