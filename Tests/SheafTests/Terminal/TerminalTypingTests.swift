import Foundation
import Testing

/// Typing that is earlier, or faster, than the program.
@Suite("Typing ahead in a terminal", .serialized)
struct TerminalTypingTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func names() throws -> [String] {
        try sheaf.names()
    }

    private func open() throws -> PseudoTerminal {
        try PseudoTerminal(sheaf, ["/bin/sh", "-c", "exec $SHEAF --store a.sqlite"])
    }

    @Test("what is typed before the first rows is done to them, and its text is no command")
    func early() throws {
        let text = (1...10_000).map { "item \($0)" }.joined(separator: "\n")
        _ = try sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-", input: text)
        let terminal = try open()
        try terminal.wait(for: "Items")
        try terminal.type("rdd\rjjanew\r")
        try terminal.wait(for: "new")
        try terminal.wait(for: "10,001 items")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exited(0))
        #expect(try names().prefix(5) == ["item 1dd", "item 2", "item 3", "new", "item 4"])
        #expect(try names().count == 10_001)
    }

    @Test("a long text typed at once into a line is kept when the program is told to end in it")
    func burst() throws {
        let terminal = try open()
        try terminal.wait(for: "✓ saved")
        try terminal.type("a")
        try terminal.wait(for: "ADD")
        let text = String(repeating: "word ", count: 60_000)
        try terminal.type(text)
        kill(terminal.process, SIGTERM)
        #expect(try terminal.waitForEnd() == .exited(128 + SIGTERM))
        let name = try #require(try names().first)
        // What the terminal still held was not read.
        #expect(text.hasPrefix(name) && name.utf8.count > 250_000)
    }
}
