import Foundation
import SheafList
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Testing

@Suite("Sharing of lists")
struct SharingTests {
    private let list: OneList

    init() throws { list = try OneList() }

    private func sharing(_ role: String) throws -> PostgresSharing {
        try PostgresSharing(PostgresURL(list.server.url(role), environment: [:]))
    }

    private func names(_ role: String) throws -> [String] {
        try sharing(role).lists().map(\.name)
    }

    private func url(_ role: String, _ list: String) throws -> PostgresURL {
        try PostgresURL(self.list.server.url(role, list: list), environment: [:])
    }

    @Test("a new list is its maker's, and nobody else sees it")
    func create() throws {
        let mine = try #require(try sharing("anna").lists().first { $0.id == list.id })
        #expect((mine.owner, mine.right) == ("anna", "own"))
        #expect(mine.members.map(\.role) == ["anna"])
        #expect(try !names("ben").contains(list.name))
        let error = #expect(throws: StorageError.self) { try list.open("ben") }
        #expect(error?.code == .notFound)
    }

    @Test("a list that is made begins with the views that it is given")
    func createViews() async throws {
        let name = "begun \(list.name)"
        let id = try sharing("anna").create(name, views: [.agenda])
        let storage = try PostgresStorage(url("anna", id.uuidString), mode: .readWrite)
        #expect(try await storage.loadViews() == [.agenda])
        #expect(throws: StorageError.self) {
            try sharing("anna").create(name, views: [.agenda])
        }
        #expect(try names("anna").count { $0 == name } == 1)
    }

    @Test("one's lists have one name each, and any text names one")
    func createNames() throws {
        #expect(throws: StorageError.self) { try sharing("anna").create(list.name) }
        for name in ["", "a\0b", "a/b", UUID().uuidString, String(repeating: "x", count: 201)] {
            #expect(throws: StoreURLError.self) { try sharing("anna").create(name) }
        }
        let name = "'; DROP SCHEMA sheaf CASCADE; -- \(list.name) \"é\u{1B}\u{E000}% $1"
        let id = try sharing("anna").create(name)
        #expect(try sharing("anna").lists().first { $0.id == id }?.name == name)
        let base = try PostgresURL(list.server.url("anna"), environment: [:])
        let storage = try PostgresStorage(
            PostgresURL(base.naming(list: name), environment: [:]), mode: .readWrite)
        #expect(storage.readOnlyReason == nil)
    }

    @Test("no list takes over the owner and name, or the id, of another one")
    func takeover() async throws {
        try list.invite("ben", to: .write)
        let id = list.id.uuidString
        let references = [
            "anna/\(list.name)", id, id.lowercased(), id.replacing("-", with: ""), "{\(id)}",
        ]
        for reference in references {
            _ = try PostgresStorage(url("ben", reference), mode: .readWrite)
            #expect(throws: StoreURLError.self) { try sharing("carla").create(reference) }
            let literal = "'\(reference)'"
            #expect(
                try list.refusal("SELECT sheaf.create_list(\(literal))", as: "carla")?
                    .contains("look like an id") == true)
        }
        // The owner of the tables can give such names.
        var taken: [UUID] = []
        for reference in references {
            let id = try sharing("carla").create("trap \(UUID().uuidString.prefix(8)) \(list.name)")
            try list.sql("UPDATE sheaf.lists SET name = '\(reference)' WHERE id = '\(id)'")
            _ = try PostgresSharing(url("carla", id.uuidString)).invite("ben", to: .write)
            taken.append(id)
        }
        #expect(try list.sharing("anna").revoke("ben"))
        for reference in references {
            let error = #expect(throws: StorageError.self) {
                try PostgresStorage(url("ben", reference), mode: .readWrite)
            }
            #expect(error?.code == .notFound)
        }
        for id in taken {
            _ = try PostgresStorage(url("ben", id.uuidString), mode: .readWrite)
        }
        for id in taken { try PostgresSharing(url("ben", id.uuidString)).leave() }
    }

    @Test("an invitation gives a right, another one changes it, and revoking takes it")
    func invite() async throws {
        let item = StorageChanges(items: [Fixtures.item(1)])
        try list.invite("ben", to: .read)
        let reader = try list.open("ben")
        #expect(reader.readOnlyReason?.contains("sheaf share invite ben write") == true)
        await #expect(throws: StorageError.self) { try await reader.commit(item) }
        try list.invite("ben", to: .write)
        await reader.recheckAccess()
        #expect(reader.readOnlyReason == nil)
        _ = try await reader.commit(item)
        #expect(try await list.open("anna").allItems().count == 1)
        #expect(try list.sharing("anna").revoke("ben"))
        #expect(try !list.sharing("anna").revoke("ben"))
        #expect(try !names("ben").contains(list.name))
    }

    @Test("only an owner invites and revokes, and everybody may leave")
    func owners() throws {
        try list.invite("ben", to: .write)
        #expect(throws: StorageError.self) { try list.sharing("ben").invite("carla", to: .read) }
        #expect(throws: StorageError.self) { try list.sharing("ben").revoke("anna") }
        try list.sharing("ben").leave()
        #expect(try !names("ben").contains(list.name))
    }

    @Test("the last owner stays, in every way to go")
    func lastOwner() throws {
        try list.invite("ben", to: .write)
        let error = #expect(throws: StorageError.self) { try list.sharing("anna").leave() }
        #expect(error?.reason.contains("no owner") == true)
        #expect(throws: StorageError.self) { try list.invite("anna", to: .write) }
        try list.invite("ben", to: .own)
        try list.sharing("anna").leave()
        #expect(throws: StorageError.self) { try list.sharing("ben").leave() }
        #expect(throws: StorageError.self) { try list.open("anna") }
    }

    @Test("an owner whose role was dropped is none")
    func droppedOwner() throws {
        let role = try list.newRole()
        try list.invite(role, to: .own)
        try list.server.sql("DROP ROLE \(role)")
        #expect(throws: StorageError.self) { try list.sharing("anna").leave() }
    }

    @Test("who may not set up a database is told who may")
    func setUp() throws {
        let error = #expect(throws: StorageError.self) { try sharing("ben").setUp() }
        #expect(error?.code == .readOnly)
        #expect(error?.advice?.contains("share init --print") == true)
    }

    @Test("who may not use the schema is told who gives that right, and gets it by a new set-up")
    func usage() async throws {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try list.server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: list.server)
        let list = try OneList(in: database)
        let storage = try list.open("anna")
        try list.sql("REVOKE USAGE ON SCHEMA sheaf FROM PUBLIC")
        func expectAdvice(_ call: () async throws -> Void) async {
            let error = await #expect(throws: StorageError.self) { try await call() }
            #expect(error?.code == .cannotOpen)
            #expect(error?.reason.contains("schema sheaf") == true, "\(error?.reason ?? "")")
            #expect(error?.advice?.contains("sheaf share init") == true)
        }
        await expectAdvice { _ = try list.open("anna") }
        await expectAdvice { _ = try list.sharing("anna").lists() }
        await expectAdvice { try list.invite("ben", to: .write) }
        await expectAdvice {
            _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        }
        try SharedLists.setUp(database, on: list.server)
        #expect(try await list.open("anna").itemCount() == 0)
    }

    @Test("who is no role that can log in is not invited")
    func strangers() throws {
        let error = #expect(throws: StorageError.self) {
            try list.invite("nobody-of-that-name", to: .read)
        }
        #expect(error?.code == .notFound)
        #expect(error?.advice?.contains("createuser") == true)
        for role in ["nobody-of-that-name", "pg_read_all_data", "ben'; --"] {
            #expect(throws: StorageError.self) { try list.invite(role, to: .read) }
        }
        #expect(throws: StoreURLError.self) { try list.invite("", to: .read) }
    }

    @Test("lists of two owners have one name: one's own goes first, OWNER/NAME names either")
    func sameNames() async throws {
        try sharing("ben").create(list.name)
        try list.invite("ben", to: .write)
        _ = try await list.open("anna").commit(
            StorageChanges(items: [Fixtures.item(1, "of anna")]))
        func count(_ name: String, as role: String) async throws -> Int {
            try await PostgresStorage(url(role, name), mode: .readWrite).itemCount()
        }
        #expect(try await count(list.name, as: "ben") == 0)
        #expect(try await count("anna/\(list.name)", as: "ben") == 1)
        #expect(try await count("ben/\(list.name)", as: "ben") == 0)
        #expect(try await count(list.id.uuidString.lowercased(), as: "ben") == 1)
        #expect(try await count(list.name, as: "anna") == 1)
        // Who is invited by both is asked which.
        try list.invite("carla", to: .read)
        _ = try PostgresSharing(url("ben", "ben/\(list.name)")).invite("carla", to: .read)
        let error = #expect(throws: StorageError.self) {
            try PostgresStorage(url("carla", list.name), mode: .readWrite)
        }
        #expect(error?.advice?.contains("list=anna/\(list.name), list=ben/\(list.name)") == true)
    }

    @Test("the line of an invitation opens the list")
    func invitation() throws {
        let role = try list.newRole("O'Neill \"x\" \(UUID().uuidString.prefix(6))")
        let text = try list.sharing("anna").invite(role, to: .write)
        #expect(!text.contains("'"))
        let url = try PostgresURL(text, environment: [:])
        #expect(url.list == "anna/\(list.name)")
        #expect(text.contains("sslmode=verify-full"))
        let file = list.server.certificate
        let opened = try PostgresStorage(
            PostgresURL("\(text)&sslrootcert=\(file)", environment: [:]), mode: .readWrite)
        #expect(opened.readOnlyReason == nil)
    }

    @Test("a dropped role's list does not go to a new role of its name")
    func roleMadeAgain() async throws {
        let role = try list.newRole()
        try list.invite(role, to: .write)
        let storage = try list.open(role)
        _ = try await storage.commit(StorageChanges(items: [Fixtures.item(1)]))
        await storage.close()
        try list.server.sql("DROP ROLE \(role)")
        func members() throws -> [String]? {
            try sharing("anna").lists().first { $0.id == list.id }?.members.map(\.role)
        }
        #expect(try members() == ["anna"])
        _ = try list.newRole(role)
        #expect(try members() == ["anna"])
        #expect(throws: StorageError.self) { try list.open(role) }
        #expect(try list.sql("SELECT count(*) FROM sheaf.read_lists()", as: role) == "0")
        try list.invite(role, to: .read)
        #expect(try list.open(role).readOnlyReason != nil)
    }

    @Test("a name that a dropped role's list has is told with the list's id and who can free it")
    func nameOfRoleMadeAgain() throws {
        let role = try list.newRole()
        let id = try sharing(role).create(list.name)
        let taken = #expect(throws: StorageError.self) { try sharing(role).create(list.name) }
        #expect(taken?.reason == "you have made a list of that name already")
        #expect(taken?.advice == nil)
        try list.server.sql("DROP ROLE \(role)")
        _ = try list.newRole(role)
        let error = try #require(
            #expect(throws: StorageError.self) { try sharing(role).create(list.name) })
        #expect(error.code == .constraint)
        #expect(
            error.reason == "a role of your name made a list of that name, to which you have no"
                + " right: \(id.uuidString.lowercased())")
        #expect(error.advice?.contains("Choose another name") == true)
        #expect(try sharing(role).lists().isEmpty)
        // As the advice says.
        try list.sql("UPDATE sheaf.lists SET name = 'earlier' WHERE id = '\(id.uuidString)'")
        let new = try sharing(role).create(list.name)
        #expect(try sharing(role).lists().map(\.id) == [new])
    }

    @Test(
        "a database with another encoding is refused with the words that name the right one",
        arguments: ["LATIN1", "SQL_ASCII"])
    func encoding(_ encoding: String) throws {
        #expect(PostgresSharing.script.utf8.allSatisfy { $0 < 0x80 })
        let server = try SharedLists.server()
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql(
            "CREATE DATABASE \(database) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
        let url = try PostgresURL(server.url("owner", in: database), environment: [:])
        let error = #expect(throws: StorageError.self) { try PostgresSharing(url).setUp() }
        #expect(error?.reason.contains("must have the encoding UTF8") == true, "\(error as Any)")
    }
}
