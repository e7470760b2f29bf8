import Foundation
import Testing

/// Typing into a line, also earlier or faster than the program is.
@Suite("Typing in a terminal", .serialized)
struct TerminalTypingTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func names() async throws -> [String] {
        try await sheaf.names()
    }

    private func open() throws -> PseudoTerminal {
        try PseudoTerminal(sheaf, ["/bin/sh", "-c", "exec $SHEAF --store a.sqlite"])
    }

    @Test("what is typed before the first rows is done to them, and its text is no command")
    func early() async throws {
        let text = (1...10_000).map { "item \($0)" }.joined(separator: "\n")
        _ = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-", input: text)
        let terminal = try open()
        try await terminal.wait(for: "Items")
        try terminal.type("rdd\rjjanew\r")
        try await terminal.wait(for: "new")
        try await terminal.wait(for: "10,001 open")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        #expect(try await names().prefix(5) == ["item 1dd", "item 2", "item 3", "new", "item 4"])
        #expect(try await names().count == 10_001)
    }

    @Test("tags typed into new items reach the disk, and pasted ones stay text")
    func typedTags() async throws {
        _ = try await sheaf.run("add", "first", "--tag", "book", "--store", "a.sqlite")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ first")
        try terminal.type("aread #bo")
        try terminal.press("Tab")
        try terminal.type("#new")
        try await terminal.wait(for: "read #book #new")
        try terminal.press("C-n")
        try terminal.paste("see #define")
        try await terminal.wait(for: "see #define")
        try terminal.press("C-n")
        try terminal.type("third #book")
        try terminal.press("Enter")
        try await terminal.wait(until: "the tag in its own column") { $0.contains("○ third  ") }
        // The cursor, though it is not shown, is on the current row.
        #expect(try terminal.cursor == [18, 6])
        try terminal.type("u")
        try await terminal.wait(for: "○ third #book")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["first", "read", "see #define", "third #book"])
        let tagged = try await sheaf.run(
            "list", "#book #new", "--store", "a.sqlite", "--format", "lines")
        #expect(tagged.output == "read\n")
    }

    @Test("a long text typed at once into a line is kept when the program is told to end in it")
    func burst() async throws {
        let terminal = try open()
        try await terminal.wait(for: "✓ saved")
        try terminal.type("a")
        try await terminal.wait(for: "ADD")
        let text = String(repeating: "word ", count: 60_000)
        try terminal.type(text)
        kill(terminal.process, SIGTERM)
        #expect(try await terminal.waitForEnd() == .exited(128 + SIGTERM))
        let name = try #require(try await names().first)
        // The terminal's remaining input was not read.
        #expect(text.hasPrefix(name) && name.utf8.count > 250_000)
    }
}
