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
}
