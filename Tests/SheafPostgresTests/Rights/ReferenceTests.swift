import Foundation
import Glibc
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// Which list a name means, on a machine that has used it before and on one that has not.
@Suite("References to lists on servers")
struct ReferenceTests {
    private let list: OneList
    private let folder: TemporaryFolder

    init() throws {
        list = try OneList()
        folder = try TemporaryFolder()
    }

    private var environment: [String: String] { ["XDG_STATE_HOME": folder.path] }

    private func location(_ role: String, _ reference: String? = nil) throws -> PostgresLocation {
        try PostgresLocation(
            list.server.url(role, list: reference, in: list.database), environment: environment)
    }

    /// Opens the list and returns its id.
    @discardableResult
    private func open(_ role: String, _ reference: String? = nil) throws -> UUID? {
        let location = try location(role, reference)
        _ = try location.openStorage(.readWrite, timeout: .zero)
        return location.server?.identity?.id
    }

    private func sharing(_ role: String, _ reference: String? = nil) throws -> PostgresSharing {
        try PostgresSharing(
            PostgresURL(
                list.server.url(role, list: reference, in: list.database), environment: [:]),
            state: StateFolder(environment: environment))
    }

    /// A list of carla's with the name of anna's, which `role` may write to.
    private func makeRival(for role: String) throws -> UUID {
        let id = try sharing("carla").create(list.name)
        _ = try sharing("carla", id.uuidString).invite(role, to: .write)
        return id
    }

    @Test("a list of a role whose name is only equal to the own one in Swift is not the own list")
    func equalRoles() throws {
        let suffix = UUID().uuidString.prefix(8).lowercased()
        let (role, other) = (
            try list.newRole("r\u{E9}\(suffix)"), try list.newRole("re\u{301}\(suffix)")
        )
        try list.invite(role, to: .write)
        let rival = try sharing(other).create(list.name)
        _ = try sharing(other, rival.uuidString).invite(role, to: .write)
        let error = #expect(throws: StorageError.self) { try open(role, list.name) }
        #expect(error?.reason.hasPrefix("several lists are called") == true)
        #expect(try open(other, list.name) == rival)
    }

    @Test("a name keeps its list, whoever shares another one of that name")
    func kept() throws {
        try list.invite("ben", to: .write)
        #expect(try open("ben", list.name) == list.id)
        let rival = try makeRival(for: "ben")
        #expect(try open("ben", list.name) == list.id)
        #expect(try list.sharing("anna").revoke("ben"))
        let error = #expect(throws: StorageError.self) { try open("ben", list.name) }
        #expect(error?.code == .notFound)
        #expect(error?.reason.contains(list.id.uuidString.lowercased()) == true)
        #expect(error?.advice?.contains("sheaf share use") == true)
        // Not even a list of one's own.
        let own = try sharing("ben").create(list.name)
        #expect(throws: StorageError.self) { try open("ben", list.name) }
        // The rights of the others are not changed either.
        #expect(throws: StorageError.self) {
            try sharing("ben", list.name).invite("carla", to: .read)
        }
        #expect(try sharing("ben").use(list.name).id == own)
        #expect(try open("ben", list.name) == own)
        #expect(try sharing("ben").use("carla/\(list.name)").id == rival)
        #expect(try open("ben", list.name) == rival)
        try sharing("ben", rival.uuidString).leave()
    }

    @Test("two names that differ only in how their bytes write an accent keep their lists")
    func accents() throws {
        let names = ["caf\u{E9}-\(list.name)", "cafe\u{301}-\(list.name)"]
        let ids = try names.map { try sharing("anna").create($0) }
        for _ in 0..<2 {
            #expect(try open("anna", names[0]) == ids[0])
            #expect(try open("anna", names[1]) == ids[1])
        }
    }

    @Test("choosing what a name means forgets where no other URL led")
    func useForgets() throws {
        let exact = "anna/\(list.name)"
        try open("anna", exact)
        try open("anna", list.name)
        try sharing("anna").create("\(list.name)-b")
        _ = try sharing("anna").use("anna/\(list.name)-b")
        #expect(try location("anna", exact).server?.identity?.id == list.id)
        #expect(try location("anna", list.name).server?.identity?.id == list.id)
        _ = try sharing("anna").use(exact)
        #expect(try location("anna", exact).server?.identity == nil)
        #expect(try location("anna", list.name).server?.identity == nil)
    }

    @Test("where a URL led is not forgotten because its file is damaged")
    func damagedMemory() throws {
        let exact = "anna/\(list.name)"
        try open("anna", exact)
        let lists = try FileManager.default.contentsOfDirectory(atPath: folder.file("sheaf/lists"))
        for name in lists { try folder.write(Array("garbage".utf8), to: "sheaf/lists/\(name)") }
        let error = #expect(throws: StorageError.self) { try open("anna", exact) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.reason.contains("cannot be read") == true)
    }

    @Test("a name that has not been used means one's own list, else the only one")
    func first() throws {
        try list.invite("ben", to: .write)
        let rival = try makeRival(for: "ben")
        let error = #expect(throws: StorageError.self) { try open("ben", list.name) }
        #expect(error?.advice?.contains("list=anna/\(list.name)") == true)
        #expect(error?.advice?.contains("list=carla/\(list.name)") == true)
        let own = try sharing("ben").create(list.name)
        #expect(try open("ben", list.name) == own)
        try sharing("ben", rival.uuidString).leave()
    }

    @Test("one's own lists, and those that one has opened, are offered before any number of others")
    func choices() throws {
        let role = try list.newRole()
        try list.invite(role, to: .read)
        #expect(try open(role, "anna/\(list.name)") == list.id)
        for number in 10..<22 {
            let id = try sharing("carla").create("a\(number) \(list.name)")
            _ = try sharing("carla", id.uuidString).invite(role, to: .own)
        }
        _ = try sharing(role).create("z \(list.name)")
        for reference in ["none", "anna/none", nil] {
            let error = #expect(throws: StorageError.self) { try open(role, reference) }
            let advice = try #require(error?.advice)
            let names = [
                "\(role)/z \(list.name)", "anna/\(list.name)", "carla/a10 \(list.name)",
            ]
            let first = names.map { "list=\($0.urlPart), " }.joined()
            #expect(advice.contains(": \(first)"), "\(advice)")
            #expect(advice.contains("a17%20"))
            #expect(!advice.contains("a18%20"))
        }
    }

    @Test("a list that is not there is made by its owner alone, whom others are told to ask")
    func advice() throws {
        let role = try list.newRole()
        func advice(_ reference: String) throws -> String {
            let error = #expect(throws: StorageError.self) { try open(role, reference) }
            #expect(error?.code == .notFound)
            return try #require(error?.advice)
        }
        let (invitation, id) = ("sheaf share invite \(role) read|write", UUID().uuidString)
        for hasList in [false, true] {
            if hasList { try sharing(role).create("own") }
            let there = hasList ? "There are: list=\(role)/own. " : ""
            #expect(try advice("a%2Fb/none") == "\(there)Ask a/b for: \(invitation)")
            #expect(try advice(id) == "\(there)Ask its owner for: \(invitation)")
            #expect(try advice("\(role)/none") == "\(there)To create it: sheaf share create none")
            #expect(try advice("none") == "\(there)To create it: sheaf share create none")
        }
    }

    @Test("each list that is offered is the one that opens by what is printed")
    func spelledChoices() throws {
        let role = try list.newRole()
        let names = ["%", " \(list.name)", "\(list.name)%20", "\(list.name) "]
        var made: Set<UUID> = []
        for name in names {
            let id = try sharing("carla").create("\(name)\(role)")
            _ = try sharing("carla", id.uuidString).invite(role, to: .read)
            made.insert(id)
        }
        let error = #expect(throws: StorageError.self) { try open(role, nil) }
        let advice = try #require(error?.advice?.dropFirst("Name one: ".count).dropLast())
        let base = list.server.url(role)
        var offered: Set<UUID> = []
        for choice in advice.split(separator: ", ") {
            let url = try PostgresURL("\(base)&\(choice)", environment: [:])
            offered.insert(try PostgresSharing(url).meaning(of: url.list ?? "").id)
        }
        #expect(offered == made, "\(advice)")
        let used = #expect(throws: StorageError.self) { try sharing(role).use("none") }
        #expect(used?.advice?.contains("'carla/ \(list.name)\(role)'") == true)
    }

    @Test("a list that was made again under its name is another list")
    func recreated() throws {
        #expect(try open("anna", list.name) == list.id)
        try list.sql("DELETE FROM sheaf.lists WHERE id = LIST")
        _ = try sharing("anna").create(list.name)
        #expect(throws: StorageError.self) { try open("anna", list.name) }
    }

    @Test("a name with its owner keeps its list, too, until another one is chosen")
    func exactName() throws {
        let exact = "anna/\(list.name)"
        try list.invite("ben", to: .write)
        #expect(try open("ben", exact) == list.id)
        try list.sql("UPDATE sheaf.lists SET name = name || ' (old)' WHERE id = LIST")
        let new = try sharing("anna").create(list.name)
        _ = try sharing("anna", new.uuidString).invite("ben", to: .write)
        let error = #expect(throws: StorageError.self) { try open("ben", exact) }
        #expect(error?.code == .notFound)
        #expect(error?.reason.contains(list.id.uuidString.lowercased()) == true)
        #expect(error?.advice?.contains("sheaf share use \(exact)") == true)
        // At another address, too.
        let text = try location("ben", exact).url.description
        let location = try PostgresLocation(
            text.replacing("localhost", with: "127.0.0.1"), environment: environment)
        #expect(throws: StorageError.self) {
            try location.openStorage(.readWrite, timeout: .zero)
        }
        _ = try sharing("ben").use(exact)
        #expect(try open("ben", exact) == new)
        _ = try location.openStorage(.readWrite, timeout: .zero)
    }

    @Test("another address of the database changes nothing, and another role has its own names")
    func addresses() throws {
        try list.invite("ben", to: .write)
        #expect(try open("ben", list.name) == list.id)
        try list.invite("carla", to: .write)
        let rival = try makeRival(for: "ben")
        let text = try location("ben", list.name).url.description
        let location = try PostgresLocation(
            text.replacing("localhost", with: "127.0.0.1"), environment: environment)
        _ = try location.openStorage(.readWrite, timeout: .zero)
        let identity = try #require(location.server?.identity)
        #expect((identity.id, identity.role) == (list.id, "ben"))
        #expect(try open("carla", list.name) == rival)
        try sharing("ben", rival.uuidString).leave()
    }

    @Test("that a name means a list of another role is known each time, and told the first time")
    func assumed() throws {
        try list.invite("ben", to: .write)
        for isFirst in [true, false] {
            let location = try location("ben", list.name)
            _ = try location.openStorage(.readWrite, timeout: .zero)
            #expect(location.server?.assumed == "anna/\(list.name)".urlPart)
            #expect((location.server?.consumeNotice()?.contains("anna/") == true) == isFirst)
        }
        let state = try #require(StateFolder(environment: ["XDG_STATE_HOME": folder.file("new")]))
        for isFirst in [true, false] {
            var told: [String] = []
            let url = list.server.url("ben", list: list.name, in: list.database)
            let sharing = try PostgresSharing(PostgresURL(url, environment: [:]), state: state) {
                told.append($0)
            }
            #expect(throws: StorageError.self) { try sharing.revoke("carla") }
            #expect(told == (isFirst ? ["This name means anna/\(list.name) from now on."] : []))
        }
        for (role, reference) in [("anna", list.name), ("ben", "anna/\(list.name)")] {
            let exact = try location(role, reference)
            _ = try exact.openStorage(.readWrite, timeout: .zero)
            #expect(exact.server?.assumed == nil)
            #expect(exact.server?.consumeNotice() == nil)
        }
    }

    @Test(
        "a URL that leads to another database than before opens no list there",
        arguments: [true, false])
    func otherDatabase(isBare: Bool) throws {
        let former = try OneList.inNewDatabase()
        let (server, database) = (former.server, former.database)
        try former.invite("ben", to: .write)
        let url = server.url(
            "ben", list: isBare ? former.name : "anna/\(former.name)", in: database)
        func open() throws -> UUID? {
            let location = try PostgresLocation(url, environment: environment)
            _ = try location.openStorage(.readWrite, timeout: .zero)
            return location.server?.identity?.id
        }
        #expect(try open() == former.id)
        try server.sql("DROP DATABASE \(database) WITH (FORCE)")
        try server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: server)
        let maker = try PostgresSharing(
            PostgresURL(server.url("anna", in: database), environment: [:]))
        let id = try maker.create(former.name)
        let owner = server.url("anna", list: id.uuidString, in: database)
        _ = try PostgresSharing(PostgresURL(owner, environment: [:])).invite("ben", to: .write)

        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.reason.contains("in another database") == true)
        #expect(error?.advice?.contains("sheaf share use anna/\(former.name)") == true)
        let sharing = try PostgresSharing(
            PostgresURL(url, environment: [:]), state: StateFolder(environment: environment))
        #expect(try sharing.use("anna/\(former.name)").id == id)
        #expect(try open() == id)
    }

    @Test("a URL without a list keeps its list, too")
    func unnamed() throws {
        let role = try list.newRole()
        try list.invite(role, to: .write)
        #expect(try open(role) == list.id)
        let rival = try makeRival(for: role)
        #expect(try open(role) == list.id)
        #expect(try list.sharing("anna").revoke(role))
        #expect(throws: StorageError.self) { try open(role) }
        #expect(try sharing(role).use(rival.uuidString).id == rival)
        #expect(try open(role) == rival)
    }

    @Test("where nothing can be remembered, the list opens and the user is told")
    func unwritable() throws {
        // A file where the folder would be.
        try folder.write([], to: "sheaf")
        let location = try location("anna", list.name)
        _ = try location.openStorage(.readWrite, timeout: .zero)
        #expect(location.server?.consumeNotice()?.contains(list.id.uuidString.lowercased()) == true)
        #expect(throws: StorageError.self) { try sharing("anna").use(list.name) }
        let unknown = try PostgresLocation(location.url.description, environment: [:])
        _ = try unknown.openStorage(.readWrite, timeout: .zero)
        #expect(unknown.server?.consumeNotice() != nil)
    }

    @Test("a memory that cannot be looked at opens no other list")
    func closed() throws {
        try open("anna", list.name)
        // A circle, which root cannot enter either.
        try FileManager.default.removeItem(atPath: folder.file("sheaf/lists"))
        #expect(symlink("lists", folder.file("sheaf/lists")) == 0)
        #expect(throws: StorageError.self) { try open("anna", list.name) }
    }

    @Test("names are told apart by their bytes")
    func bytes() throws {
        let names = ["\u{e9} \(list.name)", "e\u{301} \(list.name)", "\u{338}x \(list.name)"]
        let ids = try names.map { try sharing("anna").create($0) }
        for (name, id) in zip(names, ids) {
            let text = try location("anna").url.naming(list: "anna/\(name)")
            let location = try PostgresLocation(text, environment: environment)
            _ = try location.openStorage(.readWrite, timeout: .zero)
            #expect(location.server?.identity?.id == id)
        }
    }

    @Test("edits made before the server is reached go to the list of the last run, or to none")
    func bound() throws {
        #expect(try open("anna", "anna/\(list.name)") == list.id)
        let location = try location("anna", "anna/\(list.name)")
        let storage = PostgresStorage(later: location.url, at: location.server, mode: .readWrite)
        #expect(storage.isIdentified)
        location.server?.bind()
        try list.sql("DELETE FROM sheaf.lists WHERE id = LIST")
        _ = try sharing("anna").create(list.name)
        let error = #expect(throws: StorageError.self) {
            try location.openStorage(.readWrite, timeout: .zero)
        }
        #expect(error?.reason.contains("another list") == true)
    }

    @Test(
        "edits made before the server is reached do not go to a list that is chosen meanwhile",
        arguments: [true, false])
    func chosenMeanwhile(isNamed: Bool) throws {
        try list.invite("ben", to: .write)
        let rival = try makeRival(for: "ben")
        _ = try sharing("ben").use("anna/\(list.name)")
        let location = try location("ben", isNamed ? list.name : nil)
        let storage = PostgresStorage(later: location.url, at: location.server, mode: .readWrite)
        location.server?.bind()
        #expect(!storage.isIdentified)
        _ = try sharing("ben").use("carla/\(list.name)")
        let error = #expect(throws: StorageError.self) {
            try storage.connect(within: .seconds(60))
        }
        #expect(error?.reason == "this URL leads to another list than when it was opened last")
        #expect(try open("ben", isNamed ? list.name : nil) == rival)
        try sharing("ben", rival.uuidString).leave()
    }

    @Test("what is remembered and cannot be read opens no other list")
    func unreadable() throws {
        try open("anna", list.name)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("sheaf/lists"))
        #expect(names.count == 2)
        let whole = try folder.bytes(of: "sheaf/lists/\(names[0])")
        let other = String(decoding: whole, as: UTF8.self).replacing("anna", with: "eve")
        for text in ["", "{", "{\"list\":1}", other] {
            for name in names { try folder.write(Array(text.utf8), to: "sheaf/lists/\(name)") }
            let error = #expect(throws: StorageError.self) { try open("anna", list.name) }
            #expect(error?.advice?.contains("sheaf share use") == true)
        }
        _ = try sharing("anna").use(list.name)
        #expect(try open("anna", list.name) == list.id)
    }

    @Test("no function of another role runs when a name is looked up")
    func planted() throws {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try list.server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: list.server)
        // As every role may up to PostgreSQL 14.
        try list.server.sql("GRANT CREATE ON SCHEMA public TO PUBLIC", in: database)
        try list.server.sql(
            """
            CREATE FUNCTION public.to_jsonb(a sheaf.about) RETURNS jsonb LANGUAGE plpgsql
            AS $$ BEGIN RAISE 'planted'; END $$
            """, as: "carla", in: database)
        let url = list.server.url("anna", in: database)
        _ = try PostgresSharing(PostgresURL(url, environment: [:])).create("home")
        let location = try PostgresLocation(url + "&list=home", environment: environment)
        _ = try location.openStorage(.readWrite, timeout: .zero)
    }

    @Test("a database that an earlier version set up without an id is upgraded first")
    func withoutID() throws {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try list.server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: list.server)
        try list.server.sql("ALTER TABLE sheaf.about DROP COLUMN database_id", in: database)
        let url = list.server.url("anna", in: database)
        let id = try PostgresSharing(PostgresURL(url, environment: [:])).create("home")
        let location = try PostgresLocation(url + "&list=home", environment: environment)
        let refused = #expect(throws: StorageError.self) {
            try location.openStorage(.readWrite, timeout: .zero)
        }
        #expect(refused?.reason.contains("older version") == true)
        #expect(refused?.advice?.contains("sheaf share init") == true)
        try SharedLists.setUp(database, on: list.server)
        _ = try location.openStorage(.readWrite, timeout: .zero)
        #expect(location.server?.identity?.id == id)
    }
}
