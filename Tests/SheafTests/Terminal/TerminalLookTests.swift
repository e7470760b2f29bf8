import Testing

/// How rows are drawn by a real ncurses, by terminals with colours and without.
@Suite("The look of rows in a terminal")
struct TerminalLookTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        _ = try await sheaf.run("add", "first", "--tag", "book", "--store", "a.sqlite")
    }

    private func open(_ environment: [String: String]) async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", "a.sqlite"], environment: environment)
        try await terminal.wait(for: "✓ saved")
        terminal.forget()
        try terminal.type("h\u{c}")
        try await terminal.wait(for: "help")
        return terminal
    }

    @Test("the tint of the selected row ends with the row, and so does no style run on")
    func tint() async throws {
        let terminal = try await open(["TERM": "xterm-256color"])
        #expect(terminal.text.contains("\u{1b}[38;5;231m\u{1b}[48;5;238m All"))
        // The line between the panes, right after the tint and after a title in bold.
        #expect(!terminal.text.contains("\u{1b}[48;5;238m│"))
        #expect(!terminal.text.contains("\u{1b}[0;1;2m"))
    }

    @Test("it opens on a terminal type that says no size of its own, such as the Linux console")
    func console() async throws {
        let terminal = try await open(["TERM": "linux"])
        #expect(terminal.text.contains("Items"))
    }

    @Test(
        "without dark grey the row is reversed",
        arguments: [["TERM": "xterm"], ["TERM": "xterm-256color", "NO_COLOR": "1"]])
    func reversed(environment: [String: String]) async throws {
        let terminal = try await open(environment)
        #expect(terminal.text.contains("7m All"))
        #expect(!terminal.text.contains("48;"))
    }

    @Test("a frame comes whole where no file may be larger than a kilobyte")
    func limitedFiles() async throws {
        let terminal = try PseudoTerminal(
            sheaf,
            [
                "/bin/sh", "-c", "ulimit -f 2; exec \"$0\" --store a.sqlite", SheafBinary.path,
            ], columns: 200, rows: 50)
        try await terminal.wait(for: "help")
        terminal.forget()
        // The last line is drawn last.
        try terminal.type("\u{c}")
        try await terminal.wait(for: "help")
        terminal.forget()
        try terminal.type("?")
        try await terminal.wait(for: "close")
    }
}
