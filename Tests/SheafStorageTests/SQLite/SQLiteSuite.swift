import Foundation
import SheafList
import SheafTestSupport

@testable import SheafStorage

/// Tests of SQLite stores in a folder of their own, `list.sqlite` above all.
protocol SQLiteSuite {
    var folder: TemporaryFolder { get }
}

extension SQLiteSuite {
    var path: String { folder.file("list.sqlite") }

    func open(
        _ name: String = "list.sqlite", mode: OpenMode = .readWriteCreate,
        busyTimeout: Duration = .zero
    ) throws -> SQLiteStorage {
        try SQLiteStorage(path: folder.file(name), mode: mode, busyTimeout: busyTimeout)
    }

    /// A closed store with one item.
    func makeStore() async throws {
        let storage = try open()
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        await storage.close()
    }

    /// Runs `sql` as another process would, without foreign keys, and gives the first column of the
    /// first row.
    @discardableResult
    func shell(_ sql: String) throws -> String? {
        try Shell.run(sql, on: path)
    }
}
