import Foundation
import SheafCore
import SheafTestSupport
import Testing

@testable import SheafStorage

@Suite("Faulty storage")
struct FaultyStorageTests {
    private let folder: TemporaryFolder
    private let base: any ListStorage

    init() throws {
        folder = try TemporaryFolder()
        base = try openStorage(
            StoreURL(.sqlite, path: folder.file("list.sqlite")).place, mode: .readWriteCreate)
    }

    /// Which of 40 commits fail.
    private func failures(_ probability: Double, seed: UInt64) async throws -> [Int] {
        let storage = FaultyStorage(base, failureProbability: probability, seed: seed)
        var failed: [Int] = []
        for number in 0..<40 {
            let before = try await base.itemCount()
            let item = Fixtures.item(number + Int(seed) * 100)
            let error = await storageError {
                try await storage.commit(StorageChanges(items: [item]))
            }
            #expect(try await base.itemCount() == before + (error == nil ? 1 : 0))
            if let error {
                #expect(error.code == .injected)
                #expect(error.reason == "write failed on purpose")
                failed.append(number)
            }
        }
        return failed
    }

    @Test("a failed write has changed nothing, and the seed decides which ones fail")
    func seeded() async throws {
        let first = try await failures(0.5, seed: 1)
        #expect((5...35).contains(first.count))
        let second = try await failures(0.5, seed: 2)
        #expect(first != second)
        _ = try await base.commit(
            StorageChanges(deletingItems: try await base.allItems().map(\.id)))
        #expect(try await failures(0.5, seed: 1) == first)
    }

    @Test("never is never and always is always")
    func extremes() async throws {
        #expect(try await failures(0, seed: 3).isEmpty)
        #expect(try await failures(1, seed: 4).count == 40)
    }

    @Test("a slow write waits, even when its task is cancelled")
    func slow() async throws {
        let storage = FaultyStorage(base, delay: .milliseconds(50))
        let start = ContinuousClock.now
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        _ = try await task.value
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(try await storage.itemCount() == 1)
    }
}
