import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafPostgres

@Suite("Queries to a server", .timeLimit(.minutes(1)))
struct PostgresQueryTests {
    private let connection: PostgresConnection

    init() throws {
        connection = try PostgresConnection(OneList().url("anna"))
    }

    private func answers(_ parameter: String, arePrepared: Bool = true) throws -> [String] {
        let queries = [
            PostgresConnection.Query(text: "SELECT $1::text", parameters: [parameter]),
            PostgresConnection.Query(text: "SELECT $1::text || '!'", parameters: [parameter]),
        ]
        return try connection.rows(queries, arePrepared: arePrepared).map { $0.text(0, 0) }
    }

    private var prepared: Int64 {
        get throws {
            try connection.rows("SELECT count(*) FROM pg_prepared_statements").integer(0, 0)
        }
    }

    @Test("what is asked again and again is prepared once")
    func once() throws {
        #expect(try answers("a", arePrepared: false) == ["a", "a!"])
        #expect(try prepared == 0)
        #expect(try answers("b") == ["b", "b!"])
        #expect(try answers("c") == ["c", "c!"])
        #expect(try prepared == 2)
    }

    @Test("a server process that knows nothing of a statement is asked as if there were none")
    func pooled() throws {
        _ = try answers("a")
        // As where a pooler goes on with another process.
        try connection.run("DEALLOCATE ALL")
        #expect(try answers("b") == ["b", "b!"])
        #expect(try answers("c") == ["c", "c!"])
        #expect(try prepared == 0)
    }

    @Test("a query that fails is not the end of the others that are prepared")
    func failing() throws {
        let wrong = [PostgresConnection.Query(text: "SELECT 1 / $1::int", parameters: ["0"])]
        #expect(throws: PostgresFailure.self) { try connection.rows(wrong, arePrepared: true) }
        #expect(throws: PostgresFailure.self) {
            try connection.rows(
                [PostgresConnection.Query(text: "SELECT nothing")], arePrepared: true)
        }
        #expect(try answers("a") == ["a", "a!"])
        #expect(try answers("b") == ["b", "b!"])
    }

    @Test("a list is read along its index, whatever is known of the tables")
    func planned() throws {
        let query = """
            EXPLAIN SELECT r.name FROM sheaf.items r
            WHERE r.list_id = '\(UUID())' AND r.commit_number > 3
            ORDER BY r.commit_number, r.id
            """
        // Members may not explain queries of the tables.
        let plan = try OneList().sql("\(PostgresSchema.planning) \(query)")
        #expect(plan.contains("Index Scan using items_by_commit"))
    }
}
