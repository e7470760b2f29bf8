import Foundation
import SheafTestSupport
import Testing

/// The built program on a list whose file a sync tool replaces.
@Suite("A replaced list in a terminal", .serialized)
struct TerminalReplacedTests {
    private let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// Opens a list of two items in a terminal and copies it to `theirs.sqlite`.
    private func open() async throws -> TmuxSession {
        let text = "one\ntwo"
        _ = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-", input: text)
        #expect(try await sheaf.shell("cp a.sqlite theirs.sqlite").status == 0)
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ two")
        try await terminal.wait(for: "✓ saved")
        return terminal
    }

    @Test("the other machine's items appear, and what was typed before and after is saved")
    func replaced() async throws {
        let terminal = try await open()
        try terminal.type("abefore")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ before")
        try await terminal.wait(for: "✓ saved")
        #expect(try await sheaf.run("add", "--store", "theirs.sqlite", "theirs").status == 0)
        #expect(try await sheaf.shell("mv theirs.sqlite a.sqlite").status == 0)
        let screen = try await terminal.wait(for: "○ theirs")
        #expect(screen.contains("○ before"))
        try terminal.type("aafter")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ after")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await sheaf.names() == ["one", "before", "after", "two", "theirs"])
    }

    @Test("another list is not written to, and the status names the copy")
    func anotherList() async throws {
        let terminal = try await open()
        let path = sheaf.path("theirs.sqlite")
        _ = try await sheaf.run("import", "--store", "b.sqlite", "-", input: "another list")
        #expect(try await sheaf.shell("cp b.sqlite theirs.sqlite").status == 0)
        let bytes = try sheaf.bytes(of: "theirs.sqlite")
        #expect(rename(path, sheaf.path("a.sqlite")) == 0)
        try await terminal.wait(for: "NOT SAVED")
        try terminal.press("C-s")
        try await terminal.wait(for: "a.sqlite.replaced-1")
        #expect(try sheaf.bytes(of: "a.sqlite") == bytes)
        #expect(try await sheaf.names("a.sqlite.replaced-1") == ["one", "two"])
    }

    /// Opens the list with the item `one`, adds the item `mine`, and waits until it is saved.
    private func openAndAdd() async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(sheaf, [SheafBinary.path, "--store", "a.sqlite"])
        try await terminal.wait(for: "✓ saved")
        // An item that is added before the first page is read is saved twice.
        try await terminal.wait(for: "○ one")
        try terminal.type("amine\r")
        try await terminal.wait(until: "the save") { _ in
            try await sheaf.names() == ["one", "mine"]
        }
        return terminal
    }

    @Test(
        "edits are in an older file that replaces the list in the last moment",
        arguments: [nil, SIGTERM, SIGHUP])
    func replacedAtEnd(by signal: Int32?) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        #expect(try await sheaf.shell("cp a.sqlite older.sqlite").status == 0)
        let terminal = try await openAndAdd()
        // The program learns of the file and of its end in the same moment.
        kill(terminal.process, SIGSTOP)
        #expect(rename(sheaf.path("older.sqlite"), sheaf.path("a.sqlite")) == 0)
        if let signal { kill(terminal.process, signal) } else { try terminal.type("q") }
        kill(terminal.process, SIGCONT)
        #expect(try await terminal.waitForEnd() == .exited(signal.map { 128 + $0 } ?? 0))
        #expect(try await sheaf.names() == ["one", "mine"])
    }

    @Test("a list that is deleted in the last moment is copied, and the copy named")
    func deletedAtEnd() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let terminal = try await openAndAdd()
        kill(terminal.process, SIGSTOP)
        #expect(unlink(sheaf.path("a.sqlite")) == 0)
        try terminal.type("q")
        kill(terminal.process, SIGCONT)
        #expect(try await terminal.waitForEnd() == .exited(74))
        #expect(terminal.text.contains("a.sqlite.replaced-1"))
        #expect(try await sheaf.names("a.sqlite.replaced-1") == ["one", "mine"])
    }

    @Test("a command in another PID namespace, or of another user, does not replace an open list")
    func openElsewhere() async throws {
        guard geteuid() == 0, succeeds("unshare", "--pid", "--fork", "true") else { return }
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        #expect(try await sheaf.shell("cp a.sqlite b.sqlite; chmod -R a+rwX .").status == 0)
        let terminal = try PseudoTerminal(sheaf, [SheafBinary.path, "--store", "a.sqlite"])
        try await terminal.wait(for: "✓ saved")
        for prefix in [
            "unshare --pid --fork --mount-proc",
            "setpriv --reuid=65534 --regid=65534 --clear-groups",
        ] {
            for command in [
                "backup --store b.sqlite --force a.sqlite",
                "export --store b.sqlite --format json --force -o a.sqlite",
                "restore b.sqlite --store a.sqlite",
            ] {
                let result = try await sheaf.shell("\(prefix) \"$SHEAF\" \(command)")
                #expect(result.status == 75, "\(prefix) \(command): \(result.errors)")
                #expect(result.errors.contains("list open"), "\(result.errors)")
            }
        }
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
    }
}
