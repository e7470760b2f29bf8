import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The parts of an intent log that survive the loss of power.
@Suite("Intent logs that are synced")
@MainActor
struct SyncedLogTests {
    private let folder: TemporaryFolder
    private let url: StoreURL
    private let changes = StorageChanges(items: [Fixtures.item(1), Fixtures.item(2)])

    init() throws {
        folder = try TemporaryFolder()
        url = StoreURL(.sqlite, path: folder.file("list.sqlite"))
    }

    @Test("what was taken over survives the loss of power until it is committed")
    func powerLoss() async throws {
        let first = try url.location.newLog()
        try first.append(changes)
        first.close()
        let log = try url.location.newLog()
        let abandoned = await log.abandoned()
        log.adopt { #expect(throws: Never.self) { try log.append(abandoned.batches[0]) } }
        let name = try #require(try folder.names.first { !$0.hasSuffix("-wal") })
        let synced = Array(try folder.bytes(of: name))
        for number in 10..<60 { try log.append(StorageChanges(items: [Fixtures.item(number)])) }
        // The system has written the last bytes of this log, and no page of the database since the
        // sync.
        let copy = try TemporaryFolder()
        try copy.write(synced, to: name)
        try copy.write(Array(try folder.bytes(of: name + "-wal")), to: name + "-wal")
        for suffix in ["", "-wal"] { chmod(copy.file(name + suffix), 0o600) }
        let copied = try StoreURL(.sqlite, path: copy.file("list.sqlite")).location
        let ids = Set(AbandonedLogs(for: copied).content.batches.flatMap(\.items.upserts).map(\.id))
        #expect(ids.isSuperset(of: changes.items.upserts.map(\.id)))
        try log.handOver()
        try log.committed()
        for number in 0..<20 { try log.append(StorageChanges(items: [Fixtures.item(number)])) }
        #expect(try folder.bytes(of: name + "-wal").count < 100_000, "a small log again")
        log.close(givingUp: StorageChanges())
    }
}
