import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// Databases that an older or newer version of Sheaf has set up, each of its own.
@Suite("Versions of a server's tables")
struct SchemaVersionTests {
    private let server: PostgresServer
    private let database = "db_\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
        server = try SharedLists.server()
        try server.sql("CREATE DATABASE \(database)")
    }

    private var owner: PostgresSharing {
        get throws {
            try PostgresSharing(
                PostgresURL(server.url("owner", in: database), environment: [:]))
        }
    }

    @Test("a database without tables has no lists, and says who sets them up")
    func none() throws {
        let url = try PostgresURL(server.url("anna", list: "home", in: database), environment: [:])
        let error = #expect(throws: StorageError.self) {
            try PostgresStorage(url, mode: .readWrite)
        }
        #expect(error?.code == .notFound)
        #expect(error?.advice?.contains("sheaf share init") == true)
    }

    @Test("setting up twice, or with SQL by hand, is setting up once")
    func twice() async throws {
        #expect(try owner.setUp() == nil)
        let list = try OneList(in: database)
        _ = try await list.open("anna").commit(StorageChanges(items: [Fixtures.item(1)]))
        #expect(try owner.setUp() == PostgresSharing.version)
        try server.sql(PostgresSharing.script, in: database)
        #expect(try await list.open("anna").itemCount() == 1)
    }

    @Test("who owns nothing sets nothing up, and nothing is left of it")
    func stranger() throws {
        let anna = try PostgresSharing(
            PostgresURL(server.url("anna", in: database), environment: [:]))
        #expect(throws: StorageError.self) { try anna.setUp() }
        #expect(try server.sql("SELECT to_regnamespace('sheaf') IS NULL", in: database) == "t")
    }

    @Test("an older version's list can be read, is not written, and is upgraded")
    func older() async throws {
        _ = try owner.setUp()
        let list = try OneList(in: database)
        let storage = try list.open("anna")
        var item = Fixtures.item(1)
        item.priority = Priority("A")
        _ = try await storage.commit(StorageChanges(tags: [Fixtures.tag(1, "x")], items: [item]))
        try list.sql(
            """
            UPDATE sheaf.about SET version = 0;
            ALTER TABLE sheaf.items DROP COLUMN priority;
            ALTER TABLE sheaf.tags DROP COLUMN color
            """)
        let older = try list.open("anna")
        #expect(older.readOnlyReason?.contains("sheaf share init") == true)
        item.priority = nil
        #expect(try await older.allItems() == [item])
        #expect(try await older.loadTags().map(\.name) == ["x"])
        #expect(try await older.loadViews().isEmpty)
        #expect(try await older.externalChanges { StorageChanges() }.changes.isEmpty)
        let new = StorageChanges(items: [Fixtures.item(2)])
        for storage in [older, storage] {
            let error = await #expect(throws: StorageError.self) {
                try await storage.commit(new)
            }
            #expect(error?.code == .readOnly)
            #expect("\(error.map(\.description) ?? "")".contains("older version"))
        }
        #expect(try owner.setUp() == 0)
        await older.recheckAccess()
        #expect(older.readOnlyReason == nil)
        for (number, storage) in [older, storage].enumerated() {
            var next = Fixtures.item(number + 3)
            next.priority = Priority("B")
            _ = try await storage.commit(StorageChanges(items: [next]))
        }
        #expect(try await older.allItems().map(\.priority) == [nil, Priority("B"), Priority("B")])
    }

    @Test("names get their tags back from imported lines once, and open screens are told")
    func names() async throws {
        _ = try owner.setUp()
        let list = try OneList(in: database)
        let storage = try list.open("anna")
        _ = try await storage.commit(FormerNames.rows)
        // With SQL by hand, the names wait for the next `sheaf share init`.
        try list.sql("UPDATE sheaf.about SET version = 3, names_hold_tags = false")
        try server.sql(PostgresSharing.script, in: database)
        #expect(try await storage.allItems() == FormerNames.rows.items.upserts)
        #expect(try owner.setUp() == PostgresSharing.version)
        #expect(try await storage.allItems() == FormerNames.restored)
        let told = try await storage.externalChanges { StorageChanges() }
        #expect(told.changes.items.upserts == [FormerNames.restored[0]])
        var shorter = FormerNames.restored[0]
        shorter.name = FormerNames.rows.items.upserts[0].name
        _ = try await storage.commit(StorageChanges(items: [shorter]))
        _ = try owner.setUp()
        #expect(try await storage.allItems()[0] == shorter)
    }

    @Test("a newer version's list is refused, also by who has it open")
    func newer() async throws {
        _ = try owner.setUp()
        let list = try OneList(in: database)
        let storage = try list.open("anna")
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        try list.sql("UPDATE sheaf.about SET version = 1000000")
        let opening = #expect(throws: StorageError.self) { try list.open("anna") }
        #expect(opening?.code == .newer)
        let committing = await #expect(throws: StorageError.self) {
            try await storage.commit(StorageChanges(items: [Fixtures.item(2)]))
        }
        #expect(committing?.code == .newer)
        let upgrading = #expect(throws: StorageError.self) { try owner.setUp() }
        #expect(upgrading?.code == .newer)
        #expect(try list.sql("SELECT version FROM sheaf.about") == "1000000")
    }

    @Test("a database of another encoding is refused before anything is made")
    func encoding() throws {
        let latin = "\(database)_latin"
        try server.sql(
            "CREATE DATABASE \(latin) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        )
        let sharing = try PostgresSharing(
            PostgresURL(server.url("owner", in: latin), environment: [:]))
        let error = #expect(throws: StorageError.self) { try sharing.setUp() }
        #expect(error?.reason.contains("UTF8") == true)
        #expect(try server.sql("SELECT to_regnamespace('sheaf') IS NULL", in: latin) == "t")
    }
}
