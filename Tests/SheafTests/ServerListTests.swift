import Foundation
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// The built program on lists of a server, with variables of libpq in its environment.
@Suite("Lists on a server, by name and environment")
struct ServerListTests {
    private let sheaf: SheafBinary
    private let server: PostgresServer
    private let name = "list-\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
        sheaf = try SheafBinary()
        server = try SharedLists.server()
    }

    /// A URL that leaves the rest to the environment.
    private func url(_ authority: String = "", database: String = "lists") -> String {
        "postgresql://\(authority)/\(database)?sslmode=verify-full"
            + "&sslrootcert=\(server.certificate)&list=\(name)"
    }

    private var host: [String: String] { ["PGHOST": "localhost", "PGPORT": "\(server.port)"] }

    /// Leaves the log of a screen on `url` that was killed with an unsaved item, and says where.
    private func leave(_ url: String, in environment: [String: String] = [:]) async throws -> String
    {
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--slow-writes", "60s", "--store", url],
            environment: environment)
        try await terminal.wait(for: "✓ saved")
        try terminal.type("a")
        try await terminal.wait(for: "Enter")
        try terminal.type("unsaved")
        try await terminal.wait(for: "unsaved")
        try terminal.type("\r")
        let folder = sheaf.path(".local/state/sheaf")
        var logs: [String] = []
        try await terminal.wait(until: "the edit in the log") { _ in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            logs = names.filter { $0.hasPrefix("intents-") }
            return logs.contains { name in
                FileManager.default.contents(atPath: "\(folder)/\(name)")?
                    .firstRange(of: Data("unsaved".utf8)) != nil
            }
        }
        kill(terminal.process, SIGKILL)
        _ = try await terminal.waitForEnd()
        let name = try #require(logs.first { !$0.hasSuffix("-wal") })
        return "\(folder)/\(name)"
    }

    /// A database of its own, ready for lists, and its name.
    private func newDatabase() throws -> String {
        let database = "db_\(UUID().uuidString.prefix(8).lowercased())"
        try server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: server)
        return database
    }

    @Test("what is unsaved of a list is not saved in a copy of its database, unless restored there")
    func restoredCopy() async throws {
        let database = try newDatabase()
        func of(_ database: String) -> String {
            url("anna@localhost:\(server.port)", database: database)
        }
        let made = try await sheaf.run("share", "create", name, "--store", of(database))
        #expect(made.status == 0, "\(made.errors)")
        let log = try await leave(of(database))
        let copy = "\(database)_copy"
        try server.sql("CREATE DATABASE \(copy) TEMPLATE \(database)")

        let other = try await sheaf.run("list", "--store", of(copy))
        #expect(other.output == "")
        #expect(other.errors.contains("another database"), "\(other.errors)")
        let doctor = try await sheaf.run("doctor", "--store", of(copy))
        #expect(doctor.output.contains("sheaf restore \(log)"), "\(doctor.output)")
        #expect(try await sheaf.run("list", "--store", of(database)).output == "unsaved\n")

        let again = try await leave(of(database))
        let restored = try await sheaf.run("restore", again, "--store", of(copy))
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.errors.contains("another database"), "\(restored.errors)")
        #expect(try await sheaf.run("list", "--store", of(copy)).output == "unsaved\n")
    }

    @Test("a screen shows what waits for a server that takes no writes, and saves it once it does")
    func readOnlyServer() async throws {
        let database = try newDatabase()
        let store = url("anna@localhost:\(server.port)", database: database)
        for command in [["share", "create", name], ["add", "first"]] {
            let result = try await sheaf.run(command + ["--store", store])
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        _ = try await leave(store)
        let setting = "ALTER DATABASE \(database)"
        try server.sql("\(setting) SET default_transaction_read_only = on")
        let read = try await sheaf.run("list", "--store", store)
        #expect(read.output == "first\n")
        #expect(read.errors.contains("Not in the list: 1 unsaved change"), "\(read.errors)")

        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", store], columns: 160)
        try await terminal.wait(for: "first")
        try await terminal.wait(for: "Cannot save 1 change")
        #expect(terminal.text.contains("The server is a standby, or set to read-only."))
        try server.sql("\(setting) RESET default_transaction_read_only")
        // The screen connects again by itself, but 20 s later.
        try server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'")
        try await terminal.wait(for: "The list is now writable")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        let saved = try await sheaf.run("list", "--store", store)
        #expect(Set(saved.output.split(separator: "\n")) == ["first", "unsaved"])
        #expect(saved.errors == "")
    }

    @Test(
        "what is unsaved of a list goes to no other one that is named, whatever its URL left out",
        arguments: [true, false])
    func restoredElsewhere(_ namesHost: Bool) async throws {
        func of(_ role: String) -> String { url("\(role)@localhost:\(server.port)") }
        let own = namesHost ? of("anna") : url("anna@")
        for command in [
            ["share", "create", name, "--store", of("anna")],
            ["share", "create", name, "--store", of("carla")],
            ["share", "invite", "anna", "write", "--store", of("carla")],
        ] {
            let result = try await sheaf.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        let log = try await leave(own, in: namesHost ? [:] : host)
        let other = of("anna").replacing("list=\(name)", with: "list=carla/\(name)")
        let restored = try await sheaf.run("restore", log, "--store", other)
        #expect(restored.status == 64, "\(restored.errors)")
        #expect(restored.errors.contains("as anna, with list="), "\(restored.errors)")
        #expect(try await sheaf.run("count", "--store", other).output == "0\n")
        let right = try await sheaf.run("restore", log, "--store", of("anna"))
        #expect(right.status == 0, "\(right.errors)")
        #expect(try await sheaf.run("list", "--store", of("anna")).output == "unsaved\n")
    }

    @Test("the doctor tells of which list on a server a log is that is gone, and where it can go")
    func goneList() async throws {
        let url = url("anna@localhost:\(server.port)")
        #expect(try await sheaf.run("share", "create", name, "--store", url).status == 0)
        let log = try await leave(url)
        let id = try server.sql("DELETE FROM sheaf.lists WHERE name = '\(name)' RETURNING id")
        let doctor = try await sheaf.run("doctor", "--store", url)
        #expect(doctor.status == 66)
        #expect(doctor.output.contains("of the list \(id), as anna"), "\(doctor.output)")
        #expect(doctor.output.contains("sheaf restore \(log) --store URL"), "\(doctor.output)")
        let file = sheaf.path("own.json")
        #expect(try await sheaf.run("restore", log, "--store", file).status == 64)
        let restored = try await sheaf.run("restore", log, "--store", file, "--force")
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await sheaf.run("list", "--store", file).output == "unsaved\n")
    }

    @Test("what is unsaved of a list that is gone is saved in another one by force")
    func goneListByForce() async throws {
        let url = url("anna@localhost:\(server.port)")
        #expect(try await sheaf.run("share", "create", name, "--store", url).status == 0)
        let log = try await leave(url)
        try server.sql("DELETE FROM sheaf.lists WHERE name = '\(name)'")
        let other = "list-\(UUID().uuidString.prefix(8).lowercased())"
        let otherURL = url.replacing("list=\(name)", with: "list=\(other)")
        #expect(try await sheaf.run("share", "create", other, "--store", otherURL).status == 0)
        let refused = try await sheaf.run("restore", log, "--store", otherURL)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("in another list, add --force"), "\(refused.errors)")
        let forced = try await sheaf.run("restore", log, "--store", otherURL, "--force")
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try await sheaf.run("list", "--store", otherURL).output == "unsaved\n")
        #expect(!FileManager.default.fileExists(atPath: log))
    }

    @Test("a screen notices that a right to write becomes one to read, and that it comes back")
    func lessRight() async throws {
        let address = "localhost:\(server.port)"
        func of(_ role: String) -> String { url("\(role)@\(address)") }
        func run(_ arguments: String...) async throws {
            let result = try await sheaf.run(arguments)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        try await run("share", "create", name, "--store", of("anna"))
        try await run("share", "invite", "ben", "write", "--store", of("anna"))
        let theirs = of("ben").replacing("list=\(name)", with: "list=anna/\(name)")
        let terminal = try PseudoTerminal(sheaf, [SheafBinary.path, "--store", theirs])
        try await terminal.wait(for: "✓ saved")
        try await run("share", "invite", "ben", "read", "--store", of("anna"))
        try await terminal.wait(for: "Read-only. You may only read this list.")
        try await run("share", "invite", "ben", "write", "--store", of("anna"))
        try await terminal.wait(for: "The list is now writable")
        try terminal.type("aagain\r")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        #expect(try await sheaf.run("list", "--store", theirs).output == "again\n")
    }

    @Test("a list that is no longer shared is reported, and no other one of its name is written to")
    func takeover() async throws {
        let address = "localhost:\(server.port)"
        func of(_ role: String) -> String { url("\(role)@\(address)") }
        for command in [
            ["share", "create", name, "--store", of("anna")],
            ["share", "invite", "ben", "write", "--store", of("anna")],
            ["add", "first", "--store", of("ben")],
            ["share", "create", name, "--store", of("carla")],
            ["share", "invite", "ben", "write", "--store", of("carla")],
            ["share", "revoke", "ben", "--store", of("anna")],
        ] {
            let result = try await sheaf.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        let refused = try await sheaf.run("add", "secret", "--store", of("ben"))
        #expect(refused.status == 66)
        #expect(refused.errors.contains("sheaf share use"), "\(refused.errors)")
        #expect(try await sheaf.run("count", "--store", of("carla")).output == "0\n")
        let used = try await sheaf.run("share", "use", "carla/\(name)", "--store", of("ben"))
        #expect(used.status == 0)
        #expect(used.errors.contains("carla/\(name)"), "\(used.errors)")
        #expect(try await sheaf.run("add", "hello", "--store", of("ben")).status == 0)
        #expect(try await sheaf.run("count", "--store", of("carla")).output == "1\n")
    }

    @Test("a copy to a server that refuses the login ends as other commands do")
    func refusedCopy() async throws {
        let target = url("norole@localhost:\(server.port)")
        #expect(try await sheaf.run("add", "one", "--store", "a.sqlite").status == 0)
        for arguments in [["copy", "a.sqlite", target], ["add", "one", "--store", target]] {
            #expect(try await sheaf.run(arguments).status == 66, "\(arguments)")
        }
    }

    @Test("share use forgets what the name's address was remembered for")
    func otherMeaning() async throws {
        let address = "localhost:\(server.port)"
        func of(_ role: String) -> String { url("\(role)@\(address)") }
        for command in [
            ["share", "create", name, "--store", of("anna")],
            ["share", "create", name, "--store", of("ben")],
            ["share", "invite", "ben", "write", "--store", of("anna")],
            ["list", "--store", of("ben")],
        ] {
            let result = try await sheaf.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        let folder = sheaf.path(".local/state/sheaf/lists")
        func destinations() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder).count { file in
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                return text.contains("destination") && text.contains("\"ben\"")
            }
        }
        #expect(try destinations() == 1)
        let used = try await sheaf.run("share", "use", "anna/\(name)", "--store", of("ben"))
        #expect(used.status == 0, "\(used.errors)")
        #expect(try destinations() == 0)
    }

    @Test("a list that is made is opened by the URL that is printed, in a new database, too")
    func createdAgain() async throws {
        let database = try newDatabase()
        let store = url("anna@localhost:\(server.port)", database: database)
        func made() async throws -> (url: String, errors: String) {
            let result = try await sheaf.run("share", "create", name, "--store", store)
            #expect(result.status == 0, "\(result.errors)")
            return (result.output.trimmingCharacters(in: .whitespacesAndNewlines), result.errors)
        }
        let first = try await made()
        #expect(try await sheaf.run("add", "former", "--store", first.url).status == 0)
        try server.sql("DROP DATABASE \(database) WITH (FORCE)")
        try server.sql("CREATE DATABASE \(database)")
        try SharedLists.setUp(database, on: server)
        let second = try await made()
        #expect(second.url == first.url)
        #expect(second.errors.contains("led to another list"), "\(second.errors)")
        let added = try await sheaf.run("add", "new", "--store", second.url)
        #expect(added.status == 0, "\(added.errors)")
        #expect(try await sheaf.run("list", "--store", second.url).output == "new\n")
    }

    @Test(
        "a list that is made is opened by the URL that is printed, whatever its name meant before")
    func created() async throws {
        let address = "localhost:\(server.port)"
        func of(_ role: String) -> String { url("\(role)@\(address)") }
        for command in [
            ["share", "create", name, "--store", of("anna")],
            ["share", "invite", "ben", "write", "--store", of("anna")],
            ["add", "anna's", "--store", of("ben")],
        ] {
            let result = try await sheaf.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        let made = try await sheaf.run("share", "create", name, "--store", of("ben"))
        #expect(made.errors.contains("sheaf share use ben/\(name)"), "\(made.errors)")
        let printed = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try await sheaf.run("add", "ben's", "--store", printed).status == 0)
        #expect(try await sheaf.run("list", "--store", printed).output == "ben's\n")
        #expect(try await sheaf.run("list", "--store", of("anna")).output == "anna's\n")
    }

    @Test(
        "parameters that the user has to correct are wrong usage, in one sentence",
        arguments: [
            (["count"], "&foo=1", [:]), (["count"], "&port=abc", [:]),
            (["count"], "&sslmode=nonsense", [:]), (["count"], "&service=none", [:]),
            (["count"], "&user=%00", [:]), (["count"], "", ["PGPORT": "abc"]),
            (["count"], "", ["PGSSLMODE": "nonsense"]), (["doctor"], "&foo=1", [:]),
            (["share", "list"], "&foo=1", [:]), (["share", "init"], "&port=99999", [:]),
            (["share", "create"], "", ["PGSERVICE": "none"]),
        ] as [([String], String, [String: String])])
    func wrongParameters(
        _ command: [String], _ parameters: String, _ variables: [String: String]
    ) async throws {
        let result = try await sheaf.run(
            command + ["--store", "postgresql://anna@127.0.0.1/db?list=a" + parameters],
            environment: variables)
        #expect(result.status == 64, "\(result.errors)")
        #expect(result.errors.hasPrefix("sheaf: "))
        #expect(result.errors.count(where: \.isNewline) == 1, "\(result.errors)")
        #expect(!result.errors.contains("invalid"), "these are the library's words")
    }

    @Test("the list of a service is found, and needs no certificate where it is on this machine")
    func service() async throws {
        try sheaf.write(
            "[near]\nhost=127.0.0.1\nport=\(server.port)\nuser=anna\ndbname=lists\n", to: "services"
        )
        let file = ["PGSERVICEFILE": sheaf.path("services")]
        let url = "postgresql://?service=near&list=\(name)"
        let made = try await sheaf.run(["share", "create", "--store", url], environment: file)
        #expect(made.status == 0, "\(made.errors)")
        let counted = try await sheaf.run(["count", "--store", url], environment: file)
        #expect(counted.output == "0\n", "\(counted.errors)")
    }

    @Test("a FIFO in the place of the user's certificate is refused", .timeLimit(.minutes(1)))
    func certificateFIFO() async throws {
        try FileManager.default.createDirectory(
            atPath: sheaf.path(".postgresql"), withIntermediateDirectories: true)
        #expect(mkfifo(sheaf.path(".postgresql/root.crt"), 0o600) == 0)
        let result = try await sheaf.run(
            ["count", "--store", "postgresql://anna@192.0.2.2/lists?list=home"],
            environment: ["HOME": sheaf.path("")])
        #expect(result.status == 64)
        #expect(result.errors.contains("root.crt must be a file"))
    }

    @Test("what is not on the server is missing input, and a server that is away is tried again")
    func missing() async throws {
        let address = "localhost:\(server.port)"
        for (url, status) in [
            (self.url("anna@\(address)"), 66), (self.url("no_such_role@\(address)"), 66),
            (self.url("anna@\(address)", database: "none"), 66), (self.url("anna@localhost:1"), 75),
        ] {
            let result = try await sheaf.run("count", "--store", url)
            #expect(result.status == status, "\(url): \(result.errors)")
        }
    }

    @Test(
        "a command whose answer is lost asks what became of its edit, and is tried again by no script",
        arguments: [true, false])
    func lostAnswer(_ comesBack: Bool) async throws {
        let database = try newDatabase()
        let direct = url("anna@localhost:\(server.port)", database: database)
        let made = try await sheaf.run("share", "create", "--store", direct)
        #expect(made.status == 0, "\(made.errors)")
        try server.sql(
            """
            CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql
              AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$;
            CREATE TRIGGER wait BEFORE INSERT ON sheaf.commits
              FOR EACH ROW EXECUTE FUNCTION public.wait()
            """, in: database)
        let proxy = try Proxy(to: server.port)
        func wait(until count: String) async throws {
            while try server.sql("SELECT count(*) FROM \(count)", in: database) == "0" {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        let (sheaf, url) = (sheaf, url("anna@localhost:\(proxy.port)", database: database))
        let adding = Task { try await sheaf.run("add", "milk", "--store", url) }
        try await wait(
            until: "pg_stat_activity WHERE datname = '\(database)' AND wait_event = 'PgSleep'")
        proxy.loseAnswers()
        try await wait(until: "sheaf.items")
        proxy.cut()
        if comesBack { proxy.restore() }
        let added = try await adding.value
        #expect(added.status == (comesBack ? 0 : 74), "\(added.errors)")
        #expect(added.output.isEmpty != comesBack)
        #expect(added.errors.contains("The edit may have been saved") != comesBack)
        #expect(try await sheaf.run("list", "--store", direct).output == "milk\n")
    }

    @Test("a name that no list can have is wrong usage, and one that a list has is not")
    func names() async throws {
        let url = "postgresql://anna@localhost:\(server.port)/lists?sslmode=disable"
        for (name, status) in [
            ("a/\(name)", 64), (UUID().uuidString, 64), ("", 64),
            (String(repeating: "x", count: 201), 64), (name, 0), (name, 1),
        ] {
            let result = try await sheaf.run("share", "create", name, "--store", url)
            #expect(result.status == status, "\(name): \(result.errors)")
        }
        let invited = try await sheaf.run(
            "share", "invite", "nobody-of-that-name", "read", "--store", url + "&list=\(name)")
        #expect(invited.status == 66, "\(invited.errors)")
    }

    @Test("a hostile name is one row of a table and one line, in a pipe as on a terminal")
    func hostileNames() async throws {
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        let hostile = "\n\u{1b}[2J\u{9b}2J\u{202e}\r\t\(role)"
        try server.sql("CREATE ROLE \(role) LOGIN")
        try server.sql("CREATE ROLE \"x\(hostile)\" LOGIN")
        let url = "postgresql://\(role)@localhost:\(server.port)/lists?sslmode=disable"
        for command in [
            ["share", "create", hostile, "--store", url],
            ["share", "create", "plain", "--store", url],
            [
                "share", "invite", "x" + hostile, "read",
                "--store", url + "&list=\(hostile.urlPart)",
            ],
        ] {
            let result = try await sheaf.run(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
        }
        func list(_ format: String) async throws -> String {
            try await sheaf.run("share", "list", "--store", url, "--format", format).output
        }
        let table = try await list("table")
        #expect(table.count(where: \.isNewline) == 2)
        #expect(TerminalBytes.faults(in: Array(table.utf8)).isEmpty, "\(table)")
        #expect(table.contains("x␊"))
        let json = try await list("json")
        #expect(TerminalBytes.faults(in: Array(json.utf8)).isEmpty, "\(json)")
        // As of items and tags: every byte stays that is no line break.
        let lines = try await list("lines")
        let line = "\(role)/" + hostile.replacing("\n", with: " ").replacing("\r", with: " ") + "\n"
        #expect(Array(lines.utf8).split(separator: 0x0A).count == 2)
        #expect(lines.contains(line))
    }

    /// Where the same URL leads: to anna's list, to another one, and to anna's list again.
    private struct Environments {
        var first: [String: String]
        var other: [String: String]
        var again: [String: String]
    }

    private func environments(_ kind: String, _ database: String) throws -> Environments {
        let (anna, ben) = (["PGUSER": "anna"], ["PGUSER": "ben"])
        switch kind {
        case "PGUSER": return Environments(first: anna, other: ben, again: anna)
        case "PGDATABASE":
            let (first, other) = (["PGDATABASE": "lists"], ["PGDATABASE": database])
            return Environments(
                first: first.merging(anna) { $1 }, other: other.merging(anna) { $1 },
                again: first.merging(anna) { $1 })
        case "PGHOSTADDR":
            let again = anna.merging(["PGHOSTADDR": "127.0.0.1"]) { $1 }
            return Environments(first: anna, other: ben, again: again)
        default:
            try sheaf.write(
                """
                [first]
                user=anna
                dbname=lists
                [other]
                user=ben
                dbname=lists
                """, to: "services")
            let file = ["PGSERVICEFILE": sheaf.path("services")]
            return Environments(
                first: file.merging(["PGSERVICE": "first"]) { $1 },
                other: file.merging(["PGSERVICE": "other"]) { $1 },
                again: anna.merging(["PGDATABASE": "lists"]) { $1 })
        }
    }

    @Test(
        "a screen says that its right was taken, calls nothing unsaved, and goes on with it",
        arguments: ["read", "write"])
    func revoked(_ right: String) async throws {
        func of(_ role: String) -> String {
            url("\(role)@localhost:\(server.port)")
                .replacing("list=\(name)", with: "list=anna/\(name)")
        }
        func share(_ arguments: String...) async throws {
            let result = try await sheaf.run(["share"] + arguments + ["--store", of("anna")])
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        try await share("create", name)
        try await share("invite", "ben", right)
        #expect(try await sheaf.run("add", "first", "--store", of("anna")).status == 0)
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", of("ben")], columns: 120)
        try await terminal.wait(for: "first")
        try await terminal.wait(for: "✓ saved")
        func forget() {
            #expect(!terminal.text.contains("NOT SAVED"))
            terminal.forget()
        }
        forget()
        try await share("revoke", "ben")
        try await terminal.wait(for: "! you may no longer read this list")
        forget()
        try terminal.type("\u{13}")
        try await terminal.wait(for: "Cannot save: you may no longer read this list")
        forget()
        try await share("invite", "ben", right)
        try await terminal.wait(for: "✓ saved")
        try await share("revoke", "ben")
        try await terminal.wait(for: "! you may no longer read this list")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        #expect(!terminal.text.contains("NOT SAVED"))
    }

    @Test("what is typed after a right was taken is not saved, and says so")
    func revokedWithChanges() async throws {
        func of(_ role: String) -> String { url("\(role)@localhost:\(server.port)") }
        for command in [
            ["share", "create", name, "--store", of("anna")],
            ["share", "invite", "ben", "write", "--store", of("anna")],
        ] {
            #expect(try await sheaf.run(command).status == 0)
        }
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", of("ben")], columns: 120)
        try await terminal.wait(for: "✓ saved")
        let revoked = try await sheaf.run("share", "revoke", "ben", "--store", of("anna"))
        #expect(revoked.status == 0)
        try await terminal.wait(for: "! you may no longer read this list")
        try terminal.type("alate\r")
        try await terminal.wait(for: "NOT SAVED")
        kill(terminal.process, SIGTERM)
        #expect(try await terminal.waitForEnd() == .exited(128 + SIGTERM))
        let doctor = try await sheaf.run("doctor", "--store", of("ben"))
        #expect(doctor.output.contains("added the item “late”"), "\(doctor.output)")
    }

    @Test(
        "unsaved changes go to the list and the role that they were made in, whatever the environment",
        arguments: ["PGUSER", "PGDATABASE", "PGHOSTADDR", "PGSERVICE"])
    func environment(_ kind: String) async throws {
        let environments = try environments(kind, kind == "PGDATABASE" ? newDatabase() : "")
        let url = url(database: kind == "PGUSER" || kind == "PGHOSTADDR" ? "lists" : "")
        func run(
            _ arguments: String..., in environment: [String: String]
        ) async throws -> ChildProcess.Result {
            try await sheaf.run(
                arguments + ["--store", url], environment: host.merging(environment) { $1 })
        }
        for environment in [environments.first, environments.other] {
            let made = try await run("share", "create", in: environment)
            #expect(made.status == 0, "\(made.errors)")
        }
        let log = try await leave(url, in: host.merging(environments.first) { $1 })

        let other = try await run("add", "other", in: environments.other)
        #expect(other.status == 0)
        #expect(other.errors.contains("Not recovered"), "\(other.errors)")
        #expect(try await run("list", in: environments.other).output == "other\n")
        let doctor = try await run("doctor", in: environments.other)
        #expect(doctor.output.contains("as anna"), "\(doctor.output)")

        let restored = try await run("restore", log, in: environments.other)
        // Another list's changes go to no list, not even one that is named.
        #expect(restored.status == 64, "\(restored.errors)")

        let again = try await run("list", in: environments.again)
        #expect(again.output == "unsaved\n", "\(again.errors)")
        #expect(try await run("add", "third", in: environments.other).errors.isEmpty)
    }
}
