import CLibPQ
import Foundation
import Glibc
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafPostgres

/// Serialized, because some tests set variables of the environment.
@Suite("A connection to a server", .serialized)
struct PostgresConnectionTests {
    @Test("its end is heard with the last words, since nothing tells of it again")
    func end() throws {
        let server = try SharedLists.server()
        let url = try PostgresURL(server.url("anna", list: "a"), environment: [:])
        let connection = try PostgresConnection(url)
        #expect(try connection.readNotifications() == false)

        try server.sql("SELECT pg_terminate_backend(\(connection.process))")
        // `POLLRDHUP`, which Glibc hides: all of it is there.
        var poller = pollfd(fd: connection.socket, events: 0x2000, revents: 0)
        #expect(poll(&poller, 1, 60_000) == 1)
        #expect(throws: PostgresFailure.self) { try connection.readNotifications() }
    }

    @Test(
        "only this machine itself is local",
        arguments: [
            ("postgresql:///db", true), ("postgresql://localhost/db", true),
            ("postgresql://LOCALHOST:5433/db", true), ("postgresql://127.0.0.1/db", true),
            ("postgresql://127.8.9.1/db", true), ("postgresql://[::1]:5432/db", true),
            ("postgresql://%2Fvar%2Frun/db", true), ("postgresql:///db?host=/run", true),
            ("postgresql://127.evil.com/db", false), ("postgresql://127.0.0.1.evil.com/db", false),
            ("postgresql://localhost.evil.com/db", false), ("postgresql://[::2]/db", false),
            ("postgresql://0x7f.1/db", false),
            ("postgresql://localhost,db.example/db", false),
            ("postgresql://localhost%2Cdb.example/db", false),
            // libpq takes the parameter, and the address before the name.
            ("postgresql://localhost/db?host=db.example", false),
            ("postgresql://localhost/db?h%6Fst=db.example", false),
            ("postgresql://localhost/db?hostaddr=192.0.2.1", false),
            ("postgresql://db.example/db?hostaddr=127.0.0.1", true),
            ("postgresql:///db?hostaddr=127.0.0.1,&host=x,db.example", false),
        ])
    func locality(_ text: String, _ isLocal: Bool) throws {
        #expect(try verifies(text) == !isLocal)
    }

    /// The result of `body` for a URL with variables in the environment.
    private func result<T>(
        of text: String, _ variables: [String: String], _ body: (PostgresURL) throws -> T
    ) throws -> T {
        try #require(CPQload() == nil)
        for (name, value) in variables { setenv(name, value, 1) }
        defer { for name in variables.keys { unsetenv(name) } }
        return try body(PostgresURL(text, environment: variables))
    }

    /// Returns true if a connection by this URL has to verify the server.
    private func verifies(_ text: String, _ variables: [String: String] = [:]) throws -> Bool {
        try result(of: text, variables) {
            try PostgresConnection.parameters(of: $0).given["sslmode"] == "verify-full"
        }
    }

    /// The variables that name a service file of this content.
    private func services(_ text: String, in folder: TemporaryFolder) throws -> [String: String] {
        let file = folder.file(UUID().uuidString)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return ["PGSERVICEFILE": file]
    }

    @Test("the environment and its service file say where a server is if the URL does not")
    func environment() throws {
        let far = "postgresql://anna@:54399/db"
        #expect(try verifies(far, ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql:///db", ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql:///db", ["PGHOST": "/run,db.example"]))
        #expect(try !verifies("postgresql:///db", ["PGHOST": ""]))
        #expect(try !verifies(far, ["PGHOST": "127.0.0.1"]))
        #expect(try !verifies("postgresql://localhost/db", ["PGHOST": "db.example"]))
        #expect(try verifies("postgresql://localhost/db", ["PGHOSTADDR": "192.0.2.1"]))
        #expect(try verifies(far, ["PGHOST": "db.example", "PGSSLMODE": "disable"]))
        #expect(try !verifies(far + "?sslmode=disable", ["PGHOST": "db.example"]))
        let folder = try TemporaryFolder()
        let file = try services(
            "[far]\nhost=db.example\n[near]\nhost=localhost\n[socket]\nport=1\n", in: folder)
        for (service, isFar) in [("far", true), ("near", false), ("socket", false)] {
            let named = file.merging(["PGSERVICE": service]) { $1 }
            #expect(try verifies("postgresql:///db", named) == isFar)
            #expect(try verifies("postgresql:///db?service=\(service)", file) == isFar)
        }
        #expect(try verifies("postgresql://db.example/db?service=near", file))
    }

    @Test("a place is known by what its service stands for")
    func destination() throws {
        let folder = try TemporaryFolder()
        func destination(_ text: String, _ file: String) throws -> String {
            try result(of: text, services(file, in: folder)) {
                try PostgresConnection.destination(of: $0)
            }
        }
        let url = "postgresql://?service=home&list=a"
        let base = try destination(url, "[home]\nhost=h\nport=1\ndbname=d\nuser=anna\n")
        #expect(try destination("postgresql://anna@h:1/d?list=a", "") == base)
        #expect(
            try destination(url, "[home]\nuser=anna\ndbname=d\nport=1\nhost=h\nsslmode=allow\n")
                == base)
        for other in ["host=h2", "port=2", "dbname=d2", "user=ben", "hostaddr=192.0.2.1"] {
            // The first of two counts.
            let file = "[home]\n\(other)\nhost=h\nport=1\ndbname=d\nuser=anna\n"
            #expect(try destination(url, file) != base, "\(other)")
        }
    }

    private static let parameters = "postgresql://anna@127.0.0.1:1/db?list=a&"

    @Test(
        "a parameter that is wrong is named, with where it comes from, before any server is asked",
        arguments: [
            (parameters + "foo=1", [:], "no parameter “foo”"),
            (parameters + "ssl=no", [:], "no parameter “ssl”"),
            (parameters + "options=-c%20a=b", [:], "%3D"),
            (parameters + "options", [:], "NAME=VALUE"), (parameters + "=x", [:], "NAME=VALUE"),
            ("postgresql://h:abc/db", [:], "must be a port"),
            ("postgresql://anna@h:abc/db", [:], "must be a port"),
            ("postgresql://[::1/db", [:], "must be a port"),
            ("postgresql://[]/db", [:], "must be a port"),
            ("postgresql://[::1]x/db", [:], "must be a port"),
            ("postgresql://::1/db", [:], "must be a port"),
            ("postgresql://h:99999/db", [:], "port=99999 in the URL"),
            ("postgresql://h:1,i:0/db", [:], "port=1,0 in the URL"),
            (parameters + "port=abc", [:], "port=abc in the URL"),
            (parameters + "port=1,2", [:], "2 ports for 1 host"),
            ("postgresql:///db?host=h,i&hostaddr=192.0.2.1", [:], "one address for each host"),
            (parameters + "hostaddr=h", [:], "hostaddr=h in the URL"),
            ("postgresql:///db?host=/\(String(repeating: "x", count: 99))", [:], "too long"),
            (parameters + "connect_timeout=abc", [:], "connect_timeout=abc in the URL"),
            (parameters + "tcp_user_timeout=1s", [:], "tcp_user_timeout=1s in the URL"),
            (parameters + "sslmode=nonsense", [:], "verify-full"),
            (parameters + "channel_binding=nonsense", [:], "channel_binding=nonsense in the URL"),
            (parameters + "target_session_attrs=odd", [:], "target_session_attrs=odd in the URL"),
            (parameters + "gssencmode=nonsense", [:], "gssencmode=nonsense in the URL"),
            (
                parameters + "ssl_min_protocol_version=nonsense", [:],
                "ssl_min_protocol_version=nonsense in the URL"
            ),
            (
                parameters + "ssl_min_protocol_version=TLSv1.3&ssl_max_protocol_version=TLSv1.2",
                [:], "contradict each other"
            ),
            (
                parameters + "sslmode=verify-ca&sslrootcert=/nonexistent", [:],
                "sslrootcert=/nonexistent in the URL"
            ),
            ("postgresql://h/db", ["PGSSLROOTCERT": "/none"], "PGSSLROOTCERT=/none in the"),
            ("postgresql://an%zzna@h/db", [:], "a % in the URL"),
            ("postgresql://h/d%zzb", [:], "a % in the URL"),
            (parameters + "user=%f", [:], "a % in the URL"),
            (parameters + "user=%00", [:], "a % in the URL"),
            (parameters + "user=a%0Ab", [:], "a line break"),
            ("postgresql://h/d%1Bb", [:], "control character"),
            ("postgresql://h/db", ["PGUSER": "a\nb"], "PGUSER=a\nb in the environment"),
            ("postgresql://h/db", ["PGHOSTADDR": "h"], "PGHOSTADDR=h in the environment must be"),
            (
                "postgresql://h/db", ["PGHOSTADDR": "192.0.2.1,h"],
                "PGHOSTADDR=192.0.2.1,h in the environment must be"
            ),
            (
                "postgresql://h/db", ["PGHOSTADDR": "192.0.2.1,192.0.2.2"],
                "PGHOSTADDR=192.0.2.1,192.0.2.2 in the environment has 2 addresses"
            ),
            (
                "postgresql:///db?hostaddr=192.0.2.1", ["PGHOST": "h,i"],
                "PGHOST=h,i in the environment 2 hosts"
            ),
            (
                "postgresql://h/db", ["PGPORT": "1,2"],
                "PGPORT=1,2 in the environment has 2 ports for 1 host"
            ),
            ("postgresql://h/db", ["PGPORT": "abc"], "PGPORT=abc in the environment"),
            ("postgresql://h/db?port=", ["PGPORT": "0"], "PGPORT=0 in the environment"),
            ("postgresql://h/db", ["PGSSLMODE": "odd"], "PGSSLMODE=odd in the environment"),
            (
                "postgresql://h/db", ["PGTARGETSESSIONATTRS": "odd"],
                "PGTARGETSESSIONATTRS=odd in the environment"
            ),
            ("postgresql://h/db", ["PGSERVICE": "none"], "no service “none”"),
            (parameters + "service=none", [:], "no service “none”"),
            (
                parameters + "service=a", ["PGSERVICEFILE": "/dev/zero"],
                "/dev/zero is not a file of services"
            ),
            (parameters + "service=odd", ["PGSERVICEFILE": ""], "ssl_max_protocol_version=odd of"),
            (parameters + "service=odder", ["PGSERVICEFILE": ""], "target_session_attrs=odd of"),
            (parameters + "service=broken", ["PGSERVICEFILE": ""], "no service “broken”"),
        ] as [(String, [String: String], String)])
    func wrong(_ text: String, _ variables: [String: String], _ words: String) throws {
        let folder = try TemporaryFolder()
        let file = try services(
            """
            [odd]
            ssl_max_protocol_version=odd
            [odder]
            target_session_attrs=odd
            [broken]
            foo=1
            """, in: folder)
        let isOwn = variables["PGSERVICEFILE"] ?? "" == ""
        let error = #expect(throws: StoreURLError.self) {
            try result(of: text, variables.merging(isOwn ? file : [:]) { $1 }) {
                try PostgresConnection.destination(of: $0)
            }
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(
        "what libpq takes is not refused",
        arguments: [
            "postgresql://", "postgresql://,/db", "postgresql://h,[::1]:2/db", "postgresql://h:/db",
            "postgresql://h,i/db?port=1", "postgresql://h,i:2/db", "postgresql:///db?host=&port=",
            "postgresql://h/db?hostaddr=::1", "postgresql:///db?host=/tmp,@x,h&port=1,,3",
            parameters + "connect_timeout=&keepalives_idle=-1", parameters + "ssl=true",
            parameters + "options=-c%20work_mem%3D8MB%0A-c%20jit%3Doff", parameters + "sslmode=",
            parameters + "sslmode=require&sslrootcert=/nonexistent", parameters + "user=a%40%C3%A9",
        ])
    func taken(_ text: String) throws {
        _ = try result(of: text, [:]) { try PostgresConnection.destination(of: $0) }
    }

    @Test("a list is read whatever PGOPTIONS says of row security")
    func rowSecurity() async throws {
        let list = try OneList()
        setenv("PGOPTIONS", "-c row_security=off -c work_mem=8MB", 1)
        defer { unsetenv("PGOPTIONS") }
        let storage = try list.open("anna")
        #expect(try await storage.itemCount() == 0)
        let connection = try PostgresConnection(list.url("anna"))
        #expect(try connection.rows("SHOW work_mem").text(0, 0) == "8MB")
    }

    @Test("a socket that is not there is named")
    func noServer() throws {
        let folder = try TemporaryFolder()
        let url = try PostgresURL("postgresql:///db?host=\(folder.path)", environment: [:])
        let failure = #expect(throws: PostgresFailure.self) { try PostgresConnection(url) }
        let error = failure?.error(at: url.location)
        #expect(error?.reason == "no server listens at \(folder.path)/.s.PGSQL.5432")
        #expect(error?.code == .busy)
    }
}
