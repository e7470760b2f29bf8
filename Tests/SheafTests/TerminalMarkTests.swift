import Foundation
import Testing

/// Marks, the clipboard and pastes, in a real terminal.
@Suite("Many items in a terminal", .serialized)
struct TerminalMarkTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// A terminal that takes text for the clipboard, with the program open on `names`.
    private func open(_ names: [String], command: String = "$SHEAF") async throws -> TmuxSession {
        _ = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-",
            input: names.joined(separator: "\n"))
        let terminal = try await TmuxSession(sheaf, columns: 80, rows: 20)
        try terminal.takeClipboard()
        try terminal.run("TERM=xterm-256color \(command) --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ \(names[0])")
        return terminal
    }

    /// Kills the program whose shell wrote its number to `pid`. At once: a command would have to
    /// wait for its turn, and the program would be done.
    private func killProgram() throws {
        let text = String(decoding: try sheaf.bytes(of: "pid"), as: UTF8.self)
        let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, SIGKILL) == 0)
    }

    @Test("marked items are done, moved and deleted together, and saved in one commit each")
    func marks() async throws {
        let terminal = try await open((1...30).map { "item \($0)" })
        try terminal.press("Space", "j", "Space")
        try await terminal.wait(for: "2 marked")
        try terminal.type("x")
        try await terminal.wait(for: "✓ item 3")
        try terminal.type("8Gp")
        try await terminal.wait(for: "Nothing to paste")
        try terminal.type("mp")
        try await terminal.wait(until: "the moved items") { screen in
            let lines = screen.split(separator: "\n")
            let row = lines.firstIndex { $0.contains("○ item 8") } ?? 0
            return row > 0 && lines[row + 1].hasSuffix("*✓ item 1")
        }
        try terminal.type("dd")
        try await terminal.wait(for: "Delete 2 items?")
        try terminal.type("yq")
        try await terminal.wait(for: "status 0")
        #expect(
            try await sheaf.names() == (1...30).filter { $0 != 1 && $0 != 3 }.map { "item \($0)" })
    }

    @Test("y hands the terminal the names, several as a checklist; p inserts copies")
    func clipboard() async throws {
        let terminal = try await open(["one", "two"])
        try terminal.type("jyk2y")
        try await terminal.wait(for: "2 items copied")
        #expect(try terminal.clipboard == "- [ ] one\n- [ ] two\n")
        try terminal.type("jyp")
        try await terminal.wait(for: "3 open")
        // p needs no text, and so it may be done before the text of y is sent.
        try await terminal.wait(until: "“two” in the clipboard") { _ in
            try terminal.clipboard == "two"
        }
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await sheaf.names() == ["one", "two", "two"])
    }

    @Test("a terminal that does not say that it takes text is sent none, and p has the copies")
    func noClipboard() async throws {
        let terminal = try await open(["one"], command: "env TERM=vt220 $SHEAF")
        try terminal.type("y")
        try await terminal.wait(for: "Copied (this terminal has no clipboard)")
        try terminal.type("p")
        try await terminal.wait(for: "2 open")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
    }

    @Test("a command about thousands of items is whole on the disk, though the program is killed")
    func bulk() async throws {
        let terminal = try await open(
            (1...3_000).map { "item \($0)" }, command: "sh -c 'echo $$ > pid; exec $SHEAF \"$@\"' -"
        )
        try await terminal.wait(for: "3,000 open")
        try terminal.press("C-a")
        try terminal.type("x")
        try await terminal.wait(for: "3,000 items done")
        try killProgram()
        try await terminal.wait(for: "status 137")
        #expect(try await sheaf.run("count", "is:done", "--store", "a.sqlite").output == "3000\n")
    }

    @Test("killed in the middle of one, or of its undo, it leaves nothing of that")
    func cutShort() async throws {
        let command = "sh -c 'echo $$ > pid; exec $SHEAF \"$@\"' -"
        // Enough for the screen to show a part, by a fast program too.
        let count = SheafBinary.path.contains("/release/") ? 20_000 : 5_000
        let shown = "\(count / 1_000),000"
        let terminal = try await open((1...count).map { "item \($0)" }, command: command)
        try await terminal.wait(for: "\(shown) open")
        try terminal.type("x")
        try terminal.press("C-a")
        try terminal.type("x")
        try await terminal.wait(until: "a part") {
            $0.contains("of \(shown)") && !$0.contains(": 0 of")
        }
        try killProgram()
        try await terminal.wait(for: "status 137")
        #expect(try await sheaf.run("count", "is:done", "--store", "a.sqlite").output == "1\n")
        try terminal.run("\(command) --store a.sqlite; echo status $?")
        try await terminal.wait(for: ",999 open")
        try terminal.press("C-a")
        try terminal.type("x")
        try await terminal.wait(for: "\(shown) items done")
        try terminal.type("u")
        try await terminal.wait(until: "a part") {
            $0.contains("Undoing done: ") && !$0.contains(": 0 of")
        }
        try killProgram()
        try await terminal.wait(for: "status 137")
        #expect(
            try await sheaf.run("count", "is:done", "--store", "a.sqlite").output == "\(count)\n")
    }
}
