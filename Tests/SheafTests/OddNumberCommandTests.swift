import Foundation
import SheafTestSupport
import Testing

/// Numbers of a list that another program wrote end no command.
@Suite("Odd numbers, printed")
struct OddNumberCommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private static let numbers = [Int64.min, -1, 0, Int64.max]

    private func expectDone(_ arguments: String...) async throws {
        let result = try await sheaf.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.status) \(result.errors)")
    }

    @Test("times of rows", arguments: numbers)
    func rows(number: Int64) async throws {
        try await expectDone("add", "--store", "list.sqlite", "one", "two", "--tag", "t")
        let literal = number == .min ? "-9223372036854775807 - 1" : "\(number)"
        let shell = try await sheaf.shell(
            """
            sqlite3 list.sqlite 'UPDATE items SET created_at = \(literal), updated_at = \(literal),
            done_at = \(literal), commit_number = \(literal); UPDATE tags SET commit_number = \(literal)'
            """)
        #expect(shell.status == 0, "\(shell.errors)")
        for format in ["table", "json", "lines", "markdown", "todotxt"] {
            try await expectDone("list", "--store", "list.sqlite", "--format", format)
        }
        try await expectDone("export", "--store", "list.sqlite", "--output", "list.json")
        try await expectDone("list", "--store", "list.json", "--format", "table")
        try await expectDone("import", "--store", "list.sqlite", "list.json")
        try await expectDone("add", "--store", "list.sqlite", "three")
        try await expectDone("tag", "list", "--store", "list.sqlite")
    }

    @Test(
        "a terminal of any size is drawn on",
        arguments: [(65_535, 65_535), (65_535, 1), (1, 65_535)])
    func terminalSizes(columns: Int, rows: Int) async throws {
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", "list.sqlite"], columns: columns, rows: rows,
            environment: ["LINES": "1000000", "COLUMNS": "1000000"])
        try await terminal.wait(for: "\u{1b}[?1049h")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        #expect(terminal.output.count < 20_000_000)
    }
}
