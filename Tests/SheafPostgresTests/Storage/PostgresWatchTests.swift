import Dispatch
import SheafList
import SheafTestSupport
import Synchronization
import Testing

@testable import SheafPostgres

@Suite("The watch over a list on a server")
struct PostgresWatchTests {
    @Test("a list that is let go is closed on the queue on which its watch works")
    func letGo() async throws {
        let key = DispatchSpecificKey<Bool>()
        let isOnQueue = Mutex<Bool?>(nil)
        var storage: PostgresStorage? = try OneList().open("anna")
        let queue = try #require(storage?.queue)
        queue.setSpecific(key: key, value: true)
        queue.sync {
            storage?.session.onConnection = { connection in
                guard connection == nil else { return }
                isOnQueue.withLock { $0 = DispatchQueue.getSpecific(key: key) ?? false }
            }
        }
        storage = nil
        queue.sync {}
        #expect(isOnQueue.withLock(\.self) == true)
    }

    @Test("a standby in recovery is asked again and again, and listened to once it is promoted")
    func standby() async throws {
        let primary = try PostgresServer()
        defer { primary.remove() }
        try SharedLists.setUp("lists", on: primary)
        let writing = try PostgresURL(primary.url("anna", list: "home"), environment: [:])
        try PostgresSharing(PostgresURL(primary.url("anna"), environment: [:])).create("home")
        let standby = try primary.standby()
        defer { standby.remove() }
        let reading = try PostgresURL(standby.url("anna", list: "home"), environment: [:])
        let storage = try PostgresStorage(reading, mode: .readWrite)
        _ = try await storage.loadTags()
        let calls = Mutex(0)
        let watch = storage.watch { calls.withLock { $0 += 1 } }
        func wait(_ isDone: () async throws -> Bool) async throws -> Bool {
            let end = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < end {
                if try await isDone() { return true }
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        }
        let process = storage.queue.sync { storage.session.connection?.process }
        #expect(try await wait { calls.withLock(\.self) > 0 })
        _ = try await storage.externalChanges { StorageChanges() }
        calls.withLock { $0 = 0 }
        _ = try await PostgresStorage(writing, mode: .readWrite)
            .commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try await wait { calls.withLock(\.self) > 0 })
        let fetched = try await storage.externalChanges { StorageChanges() }
        #expect(fetched.changes.items.upserts.map(\.id) == [Fixtures.item(1).id])
        try standby.sql("SELECT pg_promote()")
        #expect(try await wait { storage.queue.sync { storage.session.isNotified } })
        #expect(storage.queue.sync { storage.session.connection?.process } == process)
        withExtendedLifetime(watch) {}
    }
}
