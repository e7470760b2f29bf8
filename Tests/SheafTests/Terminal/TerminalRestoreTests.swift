import Foundation
import SheafTestSupport
import Testing

/// After any end of the program, the terminal is as before: the line's modes, and the modes set by
/// escape sequences.
@Suite("The terminal after the program")
struct TerminalRestoreTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// The alternate screen, bracketed paste, and the mouse.
    private static let modes: Set<Int> = [1002, 1006, 1049, 2004]

    private func names() async throws -> [String] {
        try await sheaf.names()
    }

    /// A terminal with the program open, whose modes are unusual, so that they are not restored by
    /// chance.
    private func open() async throws -> (PseudoTerminal, String) {
        let terminal = try PseudoTerminal(
            sheaf, [SheafBinary.path, "--store", "a.sqlite"],
            // Swift's own report of a crash asks questions and waits for an answer.
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            prepare: { modes in
                modes.c_iflag |= tcflag_t(IXON | IXANY | ISTRIP)
                modes.c_lflag &= ~tcflag_t(ECHOK)
                withUnsafeMutableBytes(of: &modes.c_cc) { $0[Int(VERASE)] = 0x08 }
            })
        let before = terminal.firstModes
        try await terminal.wait(for: "✓ saved")
        #expect(terminal.modes != before)
        #expect(
            TerminalModes(after: terminal.output).privateModes.isSuperset(of: Self.modes),
            "\(TerminalModes(after: terminal.output))")
        return (terminal, before)
    }

    private func expectRestored(
        _ terminal: PseudoTerminal, _ before: String, _ comment: Comment = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(terminal.modes == before, comment, sourceLocation: location)
        #expect(
            TerminalModes(after: terminal.output) == TerminalModes(), comment,
            sourceLocation: location)
    }

    @Test("after q, in a draft as elsewhere")
    func quit() async throws {
        let (terminal, before) = try await open()
        try terminal.type("aone\rx/o\rhq")
        #expect(try await terminal.waitForEnd() == .exited(0))
        expectRestored(terminal, before)
    }

    @Test(
        "after a signal that asks it to end, with the draft saved",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func asked(signal: Int32) async throws {
        let (terminal, before) = try await open()
        try terminal.type("adraft")
        try await terminal.wait(for: "draft")
        kill(terminal.process, signal)
        #expect(try await terminal.waitForEnd() == .exited(128 + signal))
        expectRestored(terminal, before)
        #expect(try await names() == ["draft"])
    }

    /// Traps, limits, timers and signals without a meaning here: all that end a process and can be
    /// seen by it.
    static let fatal: [Int32] = [
        SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGALRM, SIGVTALRM,
        SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT, 64,
    ]

    @Test(
        "after a trap or any other signal that ends it, which it does by that signal",
        arguments: fatal)
    func trapped(signal: Int32) async throws {
        let (terminal, before) = try await open()
        // In the middle of something: a line that is typed, with the cursor shown.
        try terminal.type("adraft")
        try await terminal.wait(for: "draft")
        kill(terminal.process, signal)
        #expect(try await terminal.waitForEnd() == .killed(by: signal))
        expectRestored(terminal, before, "signal \(signal)")
    }

    @Test(
        "a signal that comes to nothing leaves the screen to it",
        arguments: [SIGPIPE, SIGXFSZ, SIGCHLD, SIGURG])
    func harmless(signal: Int32) async throws {
        let (terminal, before) = try await open()
        kill(terminal.process, signal)
        try terminal.type("aone\r")
        try await terminal.wait(for: "one")
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        expectRestored(terminal, before)
    }

    @Test(
        "a start that is refused touches nothing",
        arguments: ["TERM=", "TERM=nonsense", "TERM=dumb", "corrupt", "folder", "usage"])
    func refused(why: String) async throws {
        try sheaf.write("this is no database, but long enough for one to be seen", to: "a.sqlite")
        var arguments = [SheafBinary.path, "--store", why == "corrupt" ? "a.sqlite" : "b.sqlite"]
        if why == "folder" { arguments[2] = sheaf.folder.path }
        if why == "usage" { arguments.append("--no-such-option") }
        let term = why.hasPrefix("TERM=") ? String(why.dropFirst(5)) : "xterm-256color"
        let terminal = try PseudoTerminal(sheaf, arguments, environment: ["TERM": term])
        let before = terminal.firstModes
        let end = try await terminal.waitForEnd()
        #expect(!end.isSignal && end.status != 0)
        #expect(terminal.modes == before)
        #expect(terminal.text.hasPrefix("sheaf: "))
        #expect(!terminal.output.contains(0x1b), "\(terminal.text.debugDescription)")
    }

    @Test("while it is stopped, while the editor runs, and after fg and q")
    func stopped() async throws {
        let terminal = try PseudoTerminal(
            sheaf, ["/bin/sh", "-i"],
            environment: ["PS1": "ready> ", "ENV": "", "EDITOR": "stty -g > edited; true"])
        try await terminal.wait(for: "ready> ")
        try terminal.type("stty -g > before\n$SHEAF --store a.sqlite\n")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("adraft\r")
        try await terminal.wait(for: "draft")
        try terminal.type("e")
        try await terminal.wait(until: "the editor") { _ in
            FileManager.default.fileExists(atPath: sheaf.path("edited"))
        }
        try await terminal.wait(until: "the screen") {
            TerminalModes(after: $0.output).privateModes.isSuperset(of: Self.modes)
        }
        // Typed ahead, ^Z would stop the editor.
        try terminal.type("W")
        try await terminal.wait(for: "next save")
        try terminal.type([0x1a])
        try await terminal.wait(until: "the stop") { $0.text.contains("Stopped") }
        #expect(TerminalModes(after: terminal.output) == TerminalModes())
        try terminal.type("stty -g > stopped\necho on''ward\n")
        try await terminal.wait(for: "onward\r\nready> ")
        terminal.forget()
        try terminal.type("fg\n")
        try await terminal.wait(for: " Items")
        try terminal.type("Wq")
        try await terminal.wait(for: "ready> ")
        #expect(TerminalModes(after: terminal.output) == TerminalModes())
        try terminal.type("stty -g > after\nexit\n")
        #expect(try await terminal.waitForEnd() == .exited(0))
        let before = try sheaf.bytes(of: "before")
        #expect(!before.isEmpty)
        for name in ["edited", "stopped", "after"] {
            #expect(try sheaf.bytes(of: name) == before, "\(name)")
        }
    }
}
