import Foundation
import SheafCore
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafStorage

/// A store that cannot be opened at once.
@Suite("A store that is opened late")
struct LateStorageTests {
    private let url = StoreURL(.json, path: "/nowhere/list.json")

    @Test("calls fail as opening does, and work once that has succeeded, which is done once")
    func opensOnce() async throws {
        let place = try url.place
        let attempts = Mutex(0)
        let late = LateStorage(for: place, mode: .readWrite) {
            let number = attempts.withLock { count in
                count += 1
                return count
            }
            guard number > 2 else { throw FileFailure.busy(at: "list.json") }
            return OpenList(
                place: .file(place), storage: FakeStorage(items: Fixtures.items(["one"])),
                recovery: "Recovered 1 change")
        }
        for _ in 1...2 {
            await #expect(throws: FileFailure.busy(at: "list.json")) { try await late.loadTags() }
        }
        async let first = late.itemCount()
        async let second = late.itemCount()
        #expect(try await [first, second] == [1, 1])
        #expect(try await late.advice() == "Recovered 1 change")
        #expect(attempts.withLock { $0 } == 3)
    }

    @Test("it has the name that the store will have, and knows that it may only be read")
    func beforeOpening() throws {
        let place = try url.place
        let late = LateStorage(for: place, mode: .readOnly) {
            throw FileFailure.closed(at: "")
        }
        #expect(late.displayName == "list.json")
        #expect(late.readOnlyReason == "It was opened read-only.")
    }
}
