import Foundation
import Testing

/// The mouse in a real terminal, which reports it because it was asked to.
@Suite("The mouse in a terminal", .serialized)
struct TerminalMouseTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// A terminal with the program open on five items. They begin in column 22 and row 3.
    private func open(_ options: String = "", editor: String = "true") async throws -> TmuxSession {
        _ = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-",
            input: "one\ntwo\nthree\nfour")
        _ = try await sheaf.run("add", "five", "--tag", "new", "--store", "a.sqlite")
        // Its row would stand where the tag's does.
        _ = try await sheaf.run("view", "delete", "Agenda", "--store", "a.sqlite")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("EDITOR='\(editor)' $SHEAF --store a.sqlite \(options); echo status $?")
        try await terminal.wait(for: "○ five")
        return terminal
    }

    @Test("clicks, drags and a double click reach the list, and the disk")
    func wholeLoop() async throws {
        let terminal = try await open()
        #expect(try terminal.isAskedForMouse)
        try terminal.click(40, 5)
        try terminal.type("x")
        try await terminal.wait(for: "✓ three")
        try terminal.mouse("0;40;3M")
        try terminal.mouse("32;40;5M")
        try await terminal.wait(for: "Move here: “one”")
        try terminal.mouse("32;40;6M")
        try terminal.mouse("0;40;6m")
        try await terminal.wait(until: "the move") {
            $0.contains("○ four") && !$0.contains("Move here")
        }
        try terminal.mouse("0;40;3M")
        try terminal.mouse("32;5;5M")
        try terminal.mouse("0;5;5m")
        try await terminal.wait(for: "#new added: “two”")
        try terminal.click(40, 5)
        try terminal.click(40, 5)
        try await terminal.wait(for: "RENAME")
        try terminal.type("!")
        try terminal.press("Enter")
        try await terminal.wait(for: "four!")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try !terminal.isAskedForMouse)
        #expect(try await sheaf.names() == ["two", "three", "four!", "one", "five"])
        let tagged = try await sheaf.run("list", "#new", "--store", "a.sqlite", "--format", "lines")
        #expect(tagged.output == "two\nfive\n")
    }

    @Test("while another program has the terminal, it is not asked for the mouse")
    func away() async throws {
        let terminal = try await open(editor: "echo editing; read line; true")
        try terminal.type("e")
        try await terminal.wait(for: "editing")
        #expect(try !terminal.isAskedForMouse)
        try terminal.press("Enter")
        try await terminal.wait(for: "○ five")
        #expect(try terminal.isAskedForMouse)
        try terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        #expect(try !terminal.isAskedForMouse)
        try terminal.run("clear; fg")
        try await terminal.wait(for: "○ five")
        #expect(try terminal.isAskedForMouse)
    }

    @Test("with --no-mouse it stays the terminal's, and so it does where there is none")
    func notAsked() async throws {
        let terminal = try await open("--no-mouse")
        #expect(try !terminal.isAskedForMouse)
        for isOn in [true, false] {
            try terminal.type(":mouse on or off")
            try terminal.press("Enter")
            try await terminal.wait(for: isOn ? "Mouse on" : "Mouse off")
            #expect(try terminal.isAskedForMouse == isOn)
        }
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        let plain = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", "a.sqlite"], environment: ["TERM": "vt220"])
        try await plain.wait(for: "five")
        try plain.type(":mouse on or off\r")
        try await plain.wait(for: "does not support a mouse")
        try plain.type("q")
        #expect(try await plain.waitForEnd() == .exited(0))
        #expect(!plain.text.contains("1002") && !plain.text.contains("1006"))
    }
}
