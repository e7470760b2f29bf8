import SheafList
import Testing

@testable import SheafPostgres

@Suite("What a server's failures mean")
struct PostgresFailureTests {
    private func code(_ failure: PostgresFailure) -> StorageError.Code {
        failure.error(at: "postgresql://h/db").code
    }

    @Test(
        "a server that is away is waited for",
        arguments: [
            "connection to server at \"h\" (192.0.2.1), port 1 failed: Connection refused",
            "could not translate host name \"h\" to address: Name or service not known",
            "the server does not answer", "SSL SYSCALL error: EOF detected",
            "SSL error: unexpected eof while reading",
            "SSL connection has been closed unexpectedly",
            "FATAL:  the database system is starting up",
            "FATAL:  sorry, too many clients already",
            "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
            "server closed the connection unexpectedly",
        ])
    func away(_ message: String) { #expect(code(PostgresFailure(message)) == .busy) }

    @Test(
        "so is one that starts, recovers or stops, whatever its details are",
        arguments: [
            "the database system is starting up", "the database system is in recovery mode",
            "the database system is shutting down",
            "the database system is not yet accepting connections",
        ])
    func coming(_ text: String) {
        let line = PostgresFailure.line(
            "connection to server at \"h\" (192.0.2.1), port 1 failed: FATAL:  \(text)\n"
                + "DETAIL:  Consistent recovery state has not been yet reached.\n")
        #expect(line == text)
        #expect(code(PostgresFailure(line)) == .busy)
    }

    @Test("so is one that ends sessions, or that others keep busy")
    func busy() {
        for state in ["57P01", "57P02", "57P03", "08006", "53300", "55P03"] {
            #expect(code(PostgresFailure(state: state, "")) == .busy)
        }
        let locked = PostgresFailure(state: "55P03", "canceling statement due to lock timeout")
        #expect(locked.error(at: "x").reason == "another transaction has locked the list")
    }

    @Test(
        "what no waiting mends is said at once, with what to do",
        arguments: [
            ("FATAL:  password authentication failed for user \"anna\"", "~/.pgpass"),
            ("fe_sendauth: no password supplied", "~/.pgpass"),
            ("FATAL:  no pg_hba.conf entry for host \"h\"", "pg_hba.conf"),
            ("FATAL:  role \"zoe\" does not exist", "ROLE@HOST"),
            ("FATAL:  role \"zoe\" is not permitted to log in", "LOGIN"),
            ("FATAL:  Peer authentication failed for user \"anna\"", "host in the URL"),
            ("server certificate for \"a\" does not match host name \"b\"", "in the URL as"),
            ("FATAL:  permission denied for database \"lists\"", "GRANT CONNECT"),
            ("SSL error: certificate verify failed", "root.crt"),
            ("server does not support SSL, but SSL was required", "ssl = on"),
        ])
    func refused(_ message: String, _ advice: String) {
        let error = PostgresFailure(message).error(at: "x")
        #expect(error.code == .cannotOpen)
        #expect(error.advice?.contains(advice) == true)
    }

    @Test("a server that takes no writes is called a standby, and another one is waited for")
    func standby() {
        let error = PostgresFailure("session is read-only").error(at: "x")
        #expect(error.code == .busy)
        #expect(error.reason == "the server is a standby, or set to read-only")
        let ofCommit = PostgresFailure(state: "25006", "").error(at: "x")
        #expect(ofCommit.code == error.code && ofCommit.reason == error.reason)
    }

    @Test("the reason is the line that says why, not the hint below it")
    func line() {
        let text = """
            connection to server at "h" (192.0.2.1), port 1 failed: Connection refused
            \tIs the server running on that host and accepting TCP/IP connections?
            connection to server at "i" (192.0.2.2), port 1 failed: root certificate file "/r" \
            does not exist
            Either provide the file or change sslmode to disable server certificate verification.
            """
        #expect(PostgresFailure.line(text) == "root certificate file \"/r\" does not exist")
        let tries = """
            connection to server at "h" (::1), port 1 failed: FATAL:  password authentication failed
            connection to server at "h" (::1), port 1 failed: FATAL:  no pg_hba.conf entry for host \
            "::1", user "u", database "d", no encryption

            """
        #expect(PostgresFailure.line(tries) == "password authentication failed")
        let only = String(tries.split(separator: "\n")[1])
        #expect(PostgresFailure.line(only).hasSuffix("no encryption"))
        #expect(PostgresFailure.line("ERROR:  \u{1B}[2Jno\n") == "[2Jno")
        #expect(PostgresFailure.line("") == "unknown error")
        #expect(
            PostgresFailure.line("x failed: fe_sendauth: no password supplied\n")
                == "no password supplied")
    }
}
