import Foundation
import SheafList
import SheafPostgres
import SheafStorage
import SheafTestSupport
import Testing

@Suite("What sheaf doctor says of a list on a server")
struct PostgresExaminationTests {
    private func findings(_ url: String) async throws -> [Diagnosis.Finding] {
        try await PostgresLocation(url, environment: [:]).examine().findings
    }

    private func finding(_ words: String, in findings: [Diagnosis.Finding]) throws
        -> Diagnosis.Finding
    {
        try #require(
            findings.first { $0.text.contains(words) }, "\(words): \(findings.map(\.text))")
    }

    @Test("the connection, the versions, the rights and what is behind it")
    func fine() async throws {
        let list = try OneList()
        _ = try await list.open("anna").commit(StorageChanges(items: [Fixtures.item(1)]))
        let all = try await findings(list.url("anna").description)
        for words in [
            "PostgreSQL 1", "certificate verified", "tables of version", "you own the list",
            "1 item, 0 tags", "the clocks agree", "no synchronous standby", "no pooler",
        ] {
            #expect(try finding(words, in: all).severity == .fine)
        }
        #expect(try finding("fsync = off", in: all).severity == .warning)
    }

    @Test(
        "the server has the address that is really used, whatever the URL calls it",
        arguments: [
            ("localhost", "", "localhost (127.0.0.1)"),
            ("db.example.org", "&hostaddr=127.0.0.1", "db.example.org (127.0.0.1)"),
            ("127.0.0.1", "", "127.0.0.1"),
        ])
    func address(_ host: String, _ parameter: String, _ shown: String) async throws {
        let list = try OneList()
        let text =
            try list.url("anna").description
            .replacing("@localhost", with: "@\(host)")
            .replacing("verify-full", with: "require") + parameter
        let finding = try finding("PostgreSQL 1", in: try await findings(text))
        #expect(finding.text.hasSuffix(" on \(shown), as anna"), "\(finding.text)")
    }

    @Test("a reader is told who can give more, and how")
    func reader() async throws {
        let list = try OneList()
        try list.invite("carla", to: .read)
        let all = try await findings(list.url("carla").description)
        let finding = try finding("only read", in: all)
        #expect(finding.advice == "For more, anna runs: sheaf share invite carla write")
    }

    @Test("a connection to this machine appears to stay there")
    func local() async throws {
        let text = try OneList().url("anna").description
        for mode in ["disable", "require"] {
            let all = try await findings(text.replacing("verify-full", with: mode))
            let port = try SharedLists.server().port
            let finding = try finding("the connection goes to", in: all)
            #expect(
                finding.text
                    == "the connection goes to 127.0.0.1:\(port), and appears to stay on this"
                    + " machine")
            #expect(finding.severity == .fine)
            #expect(!all.contains { $0.text.contains("not verified") })
        }
    }

    @Test(
        "a port of this machine that is forwarded, to another address or only to another port",
        arguments: [INADDR_LOOPBACK, INADDR_LOOPBACK + 1], ["disable", "require", "verify-full"])
    func forwarded(_ host: in_addr_t, _ mode: String) async throws {
        // The server listens on 127.0.0.1 alone.
        let server = try SharedLists.server()
        let proxy = try Proxy(to: server.port, at: host)
        let address = "127.0.0.\(host - INADDR_LOOPBACK + 1)"
        let text = try OneList().url("anna").description
            .replacing("verify-full", with: mode)
            .replacing("localhost:\(server.port)", with: "localhost:\(proxy.port)")
        let all = try await findings("\(text)&hostaddr=\(address)")
        let finding = try finding("the connection goes to", in: all)
        #expect(
            finding.text
                == "the connection goes to \(address):\(proxy.port) on this machine, from where it is"
                + " forwarded to 127.0.0.1:\(server.port), perhaps on another machine")
        #expect(finding.severity == .note)
        #expect(all.contains { $0.text.contains("not encrypted") } == (mode == "disable"))
        let partly = "certificate is verified, but not its name"
        let warning = all.first { $0.text.contains(partly) }
        #expect((warning?.severity == .warning) == (mode == "require"), "\(all.map(\.text))")
        #expect(
            all.contains { $0.text.contains("certificate verified") } == (mode == "verify-full"))
    }

    @Test(
        "a server is verified as far as there is a certificate to verify it by",
        arguments: [
            ("require", true, "certificate is verified, but not its name"),
            ("verify-ca", true, "certificate is verified, but not its name"),
            ("require", false, "the server is not verified"),
        ])
    func verification(_ mode: String, _ hasCertificate: Bool, _ words: String) async throws {
        let server = try SharedLists.server()
        let proxy = try Proxy(to: server.port)
        var text = try OneList().url("anna").description
            .replacing("verify-full", with: mode)
            .replacing("localhost:\(server.port)", with: "localhost:\(proxy.port)")
        if !hasCertificate { text = text.replacing(server.certificate, with: "/nonexistent") }
        let finding = try finding("the connection is encrypted", in: try await findings(text))
        #expect(finding.text.contains(words), "\(finding.text)")
        #expect(finding.severity == .warning)
    }

    @Test("a role that may not ask for the cluster's number cannot tell the server from a copy")
    func unknownCluster() async throws {
        let list = try OneList.inNewDatabase()
        func notes() async throws -> [Diagnosis.Finding] {
            try await findings(list.url("anna").description).filter {
                $0.text.contains("cannot be told from a copy")
            }
        }
        #expect(try await notes().isEmpty)
        try list.sql("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        let note = try #require(try await notes().first)
        #expect(note.severity == .note)
        #expect(note.advice?.contains("GRANT EXECUTE ON FUNCTION pg_control_system()") == true)
    }

    /// A database of its own, and a list in it.
    private func newList() throws -> OneList {
        return try OneList.inNewDatabase()
    }

    @Test("parts of the schema that are missing or forbidden, which sheaf share init repairs")
    func missing() async throws {
        let list = try newList()
        let commit = "sheaf.commit(uuid, integer, uuid, bigint, bigint, json, boolean)"
        for (part, damage) in [
            ("column sheaf.items.note", "ALTER TABLE sheaf.items DROP COLUMN note"),
            ("function \(commit)", "DROP FUNCTION sheaf.commit"),
            ("function \(commit)", "REVOKE EXECUTE ON FUNCTION sheaf.commit FROM PUBLIC"),
            ("function sheaf.put_items(uuid, json, bigint)", "DROP FUNCTION sheaf.put_items"),
            ("function sheaf.may(uuid)", "DROP FUNCTION sheaf.may(uuid)"),
            ("function sheaf.read_gone(uuid, bigint, uuid)", "DROP FUNCTION sheaf.read_gone"),
            ("row security of sheaf.tags", "ALTER TABLE sheaf.tags DISABLE ROW LEVEL SECURITY"),
        ] {
            try list.sql(damage)
            let problem = try finding(
                "parts of the schema", in: try await findings(list.url("anna").description))
            #expect(problem.text.hasSuffix(": \(part)"), "\(problem.text)")
            #expect(problem.severity == .damage)
            #expect(problem.advice?.contains("sheaf share init") == true)
            try SharedLists.setUp(list.database, on: list.server)
            let all = try await findings(list.url("anna").description)
            #expect(!all.contains { $0.text.contains("parts of the schema") }, "\(damage)")
        }
    }

    @Test("members whose roles have other numbers since a restore are told to the owner alone")
    func renumbered() async throws {
        let list = try newList()
        try list.invite("ben", to: .write)
        try list.sql("UPDATE sheaf.members SET role_number = (role_number::bigint + 100000)::oid")
        let url = list.server.url("owner", list: list.id.uuidString, in: list.database)
        let text =
            "2 members have role numbers that no longer exist or belong to other roles, and so"
            + " no rights: anna, ben"
        let warning = try finding("role numbers", in: try await findings(url))
        #expect(warning.text == text)
        #expect(warning.advice?.hasSuffix("SELECT sheaf.renumber_members()") == true)
        let owner = try PostgresSharing(
            PostgresURL(list.server.url("owner", in: list.database), environment: [:]))
        #expect(try owner.setUp() == PostgresSharing.version)
        #expect(try owner.reportOfVoidMembers()?.text == text)
        let others = try await findings(list.url("anna").description)
        #expect(!others.contains { $0.text.contains("role number") })
        try list.sql("SELECT sheaf.renumber_members()")
        #expect(try owner.reportOfVoidMembers() == nil)
    }

    @Test("a database that is set to read-only")
    func readOnly() async throws {
        let list = try OneList.inNewDatabase()
        let (server, database) = (list.server, list.database)
        try server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
        let all = try await findings(list.url("anna").description)
        #expect(try finding("the server is set to read-only", in: all).severity == .warning)
        let other = try OneList()
        let options = "options=-c%20default_transaction_read_only%3Don"
        let asked = try await findings("\(other.url("anna"))&\(options)")
        #expect(try finding("the connection is set to read-only", in: asked).advice != nil)
    }

    @Test("tables of another version, with what to do")
    func versions() async throws {
        let list = try OneList.inNewDatabase()
        try list.sql("UPDATE sheaf.about SET version = 99")
        var all = try await findings(list.url("anna").description)
        #expect(try finding("newer version", in: all).advice == "Update Sheaf.")
        try list.sql("UPDATE sheaf.about SET version = 0")
        all = try await findings(list.url("anna").description)
        #expect(try finding("older version", in: all).advice?.contains("share init") == true)
    }

    @Test("a server that is not reached is the problem, with what to do")
    func away() async throws {
        let location = try PostgresLocation(
            "postgresql://anna@127.0.0.1:1/lists?list=home", environment: [:])
        let diagnosis = await location.examine()
        #expect(diagnosis.refusal == .busy)
        #expect(diagnosis.findings.first?.advice?.contains("host or the port") == true)
    }
}
