import Foundation
import SheafList
import SheafPostgres
import SheafTestSupport
import Testing

/// Schemas in which another role owns a part, or has rights of its own.
@Suite("Owners of the schema")
struct SchemaOwnerTests {
    private let server: PostgresServer
    private let database = "db_\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
        server = try SharedLists.server()
        try server.sql("CREATE DATABASE \(database)")
        try server.sql("GRANT CREATE ON DATABASE \(database) TO ben")
        try server.sql("ALTER DATABASE \(database) OWNER TO anna")
    }

    private func setUp(as role: String) throws -> Int? {
        try PostgresSharing(PostgresURL(server.url(role, in: database), environment: [:])).setUp()
    }

    private func refusal(as role: String) throws -> StorageError {
        try #require(throws: StorageError.self) { try setUp(as: role) }
    }

    @Test(
        "a schema of another role's is not set up, whoever sets it up",
        arguments: ["owner", "anna"])
    func schema(_ role: String) throws {
        try server.sql("CREATE SCHEMA sheaf", as: "ben", in: database)
        let refusal = try refusal(as: role)
        #expect(refusal.reason.contains("schema sheaf belongs to the role ben"), "\(refusal)")
        #expect(refusal.advice?.contains("as that role") == true)
        #expect(try server.sql("SELECT to_regclass('sheaf.about') IS NULL", in: database) == "t")
        #expect(throws: PostgresServer.Failure.self) {
            try server.sql(PostgresSharing.script, as: "owner", in: database)
        }
    }

    @Test("the printed script runs no function that another role has made in public")
    func planted() throws {
        try server.sql("GRANT CREATE ON SCHEMA public TO PUBLIC", in: database)
        for (name, types, result) in [
            ("has_database_privilege", "name, text", "boolean"),
            ("has_schema_privilege", "name, text, text", "boolean"),
            ("format", "text, name", "text"), ("pg_describe_object", "regclass, oid, int", "text"),
            ("gen_random_uuid", "", "uuid"),
        ] {
            try server.sql(
                """
                CREATE FUNCTION public.\(name)(\(types)) RETURNS \(result) LANGUAGE plpgsql STABLE
                AS $$ BEGIN RAISE 'planted'; END $$
                """, as: "carla", in: database)
        }
        try server.sql(PostgresSharing.script, as: "owner", in: database)
        try server.sql(PostgresSharing.script, as: "owner", in: database)
    }

    @Test(
        "nor is one in which another role made something, even if it is set up already",
        arguments: [
            (
                "function sheaf.may(uuid)",
                "CREATE FUNCTION sheaf.may(uuid) RETURNS text LANGUAGE sql AS 'SELECT ''own'''"
            ),
            ("table sheaf.extra", "CREATE TABLE sheaf.extra (id uuid)"),
            ("view sheaf.extra", "CREATE VIEW sheaf.extra AS SELECT 1 AS one"),
            ("sequence sheaf.extra", "CREATE SEQUENCE sheaf.extra"),
            ("type sheaf.extra", "CREATE TYPE sheaf.extra AS ENUM ('one')"),
        ])
    func part(_ part: String, _ statement: String) async throws {
        try server.sql("CREATE SCHEMA sheaf AUTHORIZATION anna", in: database)
        try server.sql("GRANT CREATE, USAGE ON SCHEMA sheaf TO ben", in: database)
        try server.sql(statement, as: "ben", in: database)
        let first = try refusal(as: "anna")
        #expect(first.reason.hasPrefix("\(part) belongs to the role ben"), "\(first)")
        try server.sql("DROP SCHEMA sheaf CASCADE", in: database)

        #expect(try setUp(as: "anna") == nil)
        try server.sql("GRANT CREATE ON SCHEMA sheaf TO ben", in: database)
        try server.sql(
            statement.replacing("may(uuid)", with: "may(text)"), as: "ben", in: database)
        let again = try refusal(as: "anna")
        #expect(again.reason.contains("belongs to the role ben"), "\(again)")
        let list = try OneList(in: database)
        let findings = try await PostgresLocation(list.url("anna").description, environment: [:])
            .examine().findings
        let warning = findings.first { $0.text.contains("several roles own parts") }
        #expect(warning?.text.contains(" to ben") == true, "\(findings.map(\.text))")
    }

    @Test("rights that single roles got in other ways are named, and taken away")
    func otherRights() async throws {
        for kind in ["SCHEMAS", "TABLES", "FUNCTIONS", "SEQUENCES"] {
            try server.sql(
                "ALTER DEFAULT PRIVILEGES FOR ROLE anna GRANT ALL ON \(kind) TO ben", in: database)
        }
        #expect(try setUp(as: "anna") == nil)
        func rights() throws -> String {
            try server.sql(
                """
                SELECT has_schema_privilege('ben', 'sheaf', 'CREATE'),
                  has_table_privilege('ben', 'sheaf.items', 'TRUNCATE'),
                  has_table_privilege('ben', 'sheaf.members', 'INSERT'),
                  has_function_privilege('ben', 'sheaf.renumber_members()', 'EXECUTE')
                """, in: database)
        }
        #expect(try rights() == "f|f|f|f")
        let list = try OneList(in: database)
        func warned() async throws -> Bool {
            try await PostgresLocation(list.url("anna").description, environment: [:])
                .examine().findings.contains { $0.text.contains("also belong to: ben") }
        }
        #expect(try await !warned())
        try server.sql(
            """
            GRANT CREATE ON SCHEMA sheaf TO ben; GRANT TRUNCATE ON sheaf.items TO ben;
            GRANT UPDATE (name) ON sheaf.lists TO ben; GRANT INSERT ON sheaf.members TO ben;
            CREATE POLICY all_read ON sheaf.items FOR SELECT TO ben USING (true);
            """, as: "anna", in: database)
        #expect(try await warned())
        #expect(try setUp(as: "anna") == PostgresSharing.version)
        #expect(try rights() == "f|f|f|f")
        #expect(try await !warned())
        let policies = "SELECT count(*) FROM pg_policies WHERE policyname = 'all_read'"
        #expect(try server.sql(policies, in: database) == "0")
    }

    @Test("of several superusers any sets it up again")
    func superusers() throws {
        let other = "admin_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql("CREATE ROLE \(other) LOGIN SUPERUSER")
        #expect(try setUp(as: other) == nil)
        #expect(try setUp(as: "owner") == PostgresSharing.version)
        try server.sql("DROP SCHEMA sheaf CASCADE", in: database)
    }

    @Test("one that an ordinary role set up is not upgraded by a superuser")
    func ordinary() throws {
        #expect(try setUp(as: "anna") == nil)
        #expect(try setUp(as: "anna") == PostgresSharing.version)
        #expect(try refusal(as: "owner").reason.contains("belongs to the role anna"))
    }
}
