import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// How often a storage looks at a file that changes.
@Suite("Watching a file", .timeLimit(.minutes(1)))
struct FileWatchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "looks that fail and change the file themselves come more and more seldom",
        arguments: StoreURL.Backend.allCases)
    func failingLooks(_ backend: StoreURL.Backend) async throws {
        let path = folder.file("list.\(backend.rawValue)")
        let storage = try StoreURL(backend, path: path).location.openStorage(.readWriteCreate)
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = storage.watch { continuation.yield() }
        let start = ContinuousClock.now
        try FileManager.default.removeItem(atPath: path)
        var looks = 0
        for await _ in calls {
            looks += 1
            if looks == 5 { break }
            await #expect(throws: StorageError.self) {
                try await storage.externalChanges { StorageChanges() }
            }
            try Data("no list".utf8).write(to: URL(filePath: path))
        }
        #expect(start.duration(to: .now) >= .milliseconds(30 + 60 + 120 + 240 + 480))
        withExtendedLifetime(watch) {}
    }

    @Test("the pause grows to a second, and ends with a look that succeeds")
    func backoff() async throws {
        let backoff = PollBackoff()
        var lengths: [Int] = []
        for _ in 0..<8 {
            lengths.append(backoff.delay)
            backoff.recordEnd(false)
        }
        #expect(lengths == [30, 60, 120, 240, 480, 960, 960, 960])
        try await backoff.run {}
        #expect(backoff.delay == PollBackoff.shortest)
    }
}
