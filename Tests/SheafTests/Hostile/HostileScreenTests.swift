import Foundation
import SheafTestSupport
import Testing

/// These texts while the screen is open: the bytes to ncurses, the messages at the end, and pastes.
@Suite("Hostile texts, on the screen")
struct HostileScreenTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func open(_ store: String, _ options: String...) async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" \"$@\"", "sh", "--store", store] + options,
            columns: 100, rows: 30,
            environment: ["XDG_STATE_HOME": sheaf.path("state\(HostileList.name)")])
        // Loaded: the header says how many there are.
        try await terminal.wait(for: " open")
        return terminal
    }

    @Test(
        "lists, tags, editors, pickers, toasts and questions draw hostile texts as symbols",
        arguments: [".sqlite", ".json"])
    func screens(suffix: String) async throws {
        let list = try await HostileList(sheaf, suffix: suffix)
        let terminal = try await open(list.store, "--fail-writes", "1")
        let evil = HostileText.sequences.prefix(9).joined()
        let paste = "\u{1b}[200~\(evil)\u{1b}[201~"
        for (keys, seen) in [
            ("G", "ITEMS"), ("gg", "␛[31;1mred"), ("hG", "TAGS"), ("gg", "“"),
            ("l/\(paste)", "FIND"), ("\r", " match."), ("\u{1b}", "ITEMS"),
            ("ggr\(paste)", "RENAME"), ("\r", "NOT SAVED"), ("t\(paste)", "create"),
            ("\u{1b}", "ITEMS"), ("hggjjr\(paste)", "RENAME"), ("\u{1b}", "TAGS"),
            ("dd", "eleted"), ("\u{1b}", "TAGS"), ("lxdd", "eleted"), ("A\(paste)", "ADD"),
            ("\r", "title␇"), ("W", "failures"), ("W", "ITEMS"), ("q", "Quit with"),
        ] {
            terminal.forget()
            try terminal.type(keys)
            // A lone ESC is one only if nothing follows in time.
            if keys == "\u{1b}" { try await Task.sleep(for: .milliseconds(100)) }
            try terminal.type("\u{c}")
            try await terminal.wait(for: seen)
            #expect(TerminalBytes.screenFaults(in: terminal.output).isEmpty, "\(keys)")
            for sequence in ["\u{1b}[31;1m", "\u{1b}[?1049l", "\u{1b}c"] {
                #expect(!terminal.text.contains(sequence), "\(keys)")
            }
        }
        terminal.forget()
        kill(terminal.process, SIGTERM)
        #expect(try await terminal.waitForEnd() == .exited(128 + SIGTERM))
        try await terminal.wait(for: "intents-")
        #expect(TerminalBytes.screenFaults(in: terminal.output).isEmpty)
    }

    /// Keys that lead to a place for a paste, and the screen there.
    static let places = [
        ("", "ITEMS"), ("h", "TAGS"), ("?", "HELP"), ("W", "Writes"), ("hjjdd", "Delete"),
        ("d", "d"),
        ("a", "ADD"), ("r", "RENAME"), ("/", "FIND"), ("t", "used"), ("ha", "ADD"),
    ]

    @Test(
        "a paste is one insertion of text wherever it comes, end markers within included",
        arguments: places)
    func paste(keys: String, seen: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "two", "--tag", "used")
        let before = try await sheaf.run("export", "--store", "a.sqlite").output
        let terminal = try await open("a.sqlite")
        terminal.forget()
        try terminal.type(keys)
        try await terminal.wait(until: seen) { keys.isEmpty || $0.text.contains(seen) }
        // Were any of it keys, the list would change.
        try terminal.type("\u{1b}[200~y\rx\ndd\r\nADDED\u{1b}[201~\ry\rx\rddy\u{1b}")
        try terminal.type("[200~\rdd\u{1b}[201~")
        // Not part of a key sequence: the following text is typed later.
        try await Task.sleep(for: .milliseconds(100))
        try terminal.type("\u{3}\u{3}")
        _ = try await terminal.waitForEnd()
        #expect(try await sheaf.run("export", "--store", "a.sqlite").output == before, "\(keys)")
    }

    @Test("what is pasted into a line is there as it was, its line ends as spaces")
    func pastedText() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let terminal = try await open("a.sqlite")
        try terminal.type("a\u{1b}[200~x\ry\r\nz\u{1b}[201~\rdd\u{9b}2J\u{202e}\u{1b}[201~")
        try await terminal.wait(for: "dd\u{fffd}2J")
        #expect(TerminalBytes.screenFaults(in: terminal.output).isEmpty)
        try terminal.type("!\r")
        try await terminal.wait(for: "2J\u{fffd}!")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        let names = try await sheaf.run("list", "--store", "a.sqlite").output
        #expect(names == "one\nx y z\u{1b}[201~ dd\u{9b}2J\u{202e}!\n")
    }
}
