import SheafCore
import Testing

@testable import SheafPostgres

/// What libpq's words come to.
@Suite("Failures of a server")
struct PostgresFailureTests {
    @Test(
        "a server that starts, recovers or stops is waited for",
        arguments: [
            "the database system is starting up", "the database system is in recovery mode",
            "the database system is shutting down",
            "the database system is not yet accepting connections",
        ])
    func coming(_ text: String) {
        let line = PostgresFailure.line(
            "connection to server at \"localhost\" (::1), port 5432 failed: Connection refused\n"
                + "\tIs the server running on that host and accepting TCP/IP connections?\n"
                + "connection to server at \"localhost\" (127.0.0.1), port 5432 failed: FATAL:  "
                + "\(text)\nDETAIL:  Consistent recovery state has not been yet reached.\n")
        #expect(line == text)
        #expect(PostgresFailure(line).error(at: "list").code == .busy)
    }

    @Test("a connection over TLS that is cut is no matter of certificates")
    func cut() {
        let error = PostgresFailure("SSL SYSCALL error: EOF detected").error(at: "list")
        #expect(error.code == .io)
        #expect(error.advice == nil)
    }
}
