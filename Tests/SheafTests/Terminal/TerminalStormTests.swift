import Foundation
import SheafStorage
import SheafTestSupport
import Testing

/// Terminals that go away, and terminals that change their size faster than anybody can draw.
@Suite("A terminal that goes away or will not keep still", .serialized)
struct TerminalStormTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func names() async throws -> [String] {
        try await sheaf.names()
    }

    /// Whether a change was made that may not be saved yet.
    private func hasLog() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path).contains {
            $0.contains("intents")
        }
    }

    /// A terminal with the program open, started after a line of the shell.
    private func open(after line: String = "true") async throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            sheaf, ["/bin/sh", "-c", "\(line); exec $SHEAF --store a.sqlite"])
        try await terminal.wait(for: "✓ saved")
        return terminal
    }

    /// The state when the window is closed: the list, a draft, the help, the filter during a flush;
    /// and the list and a draft with the hangup ignored by the parent process.
    @Test(
        "a terminal that is closed ends it within a second, nothing lost",
        arguments: [
            ("true", ""), ("true", "adraft"), ("true", "h?"), ("true", "x/one"),
            ("trap '' HUP", "adraft"),
            ("trap '' HUP", ""),
        ])
    func closed(before: String, keys: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        // A machine with other things to do may take longer now and then; the program may not.
        var fastest = Duration.seconds(99)
        let limit = Duration.seconds(Torture.isSanitized ? 10 : 1)
        for attempt in 1...3 where fastest > limit {
            let terminal = try await open(after: before)
            let draft = "draft\(attempt)"
            try terminal.type(keys.replacing("draft", with: draft))
            if keys.contains("draft") { try await terminal.wait(for: draft) }
            if keys == "x/one" {
                try await terminal.wait(until: "the change") { _ in try hasLog() }
            }
            let start = ContinuousClock.now
            terminal.close()
            let end = try await terminal.waitForEnd()
            fastest = min(fastest, start.duration(to: .now))
            #expect(end == .exited(128 + SIGHUP))
            #expect(end.processorTime < 2)
            #expect(try await names().contains(draft) == keys.contains("draft"))
            let isDone = keys == "x/one" && attempt != 2
            #expect(try await sheaf.doneNames() == (isDone ? ["one"] : []))
        }
        #expect(fastest < limit)
    }

    @Test("a terminal that is closed on storage that is slow ends it too, and the rest is kept")
    func closedOnSlowStorage() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "milk")
        let terminal = try PseudoTerminal(
            sheaf, ["/bin/sh", "-c", "exec $SHEAF --store a.sqlite --slow-writes 1000s"])
        try await terminal.wait(for: "milk")
        try terminal.type("rX\r")
        try await terminal.wait(until: "the change") { _ in try hasLog() }
        terminal.close()
        let end = try await terminal.waitForEnd()
        #expect(end == .exited(128 + SIGHUP))
        let left = try await sheaf.run("restore", "--store", "a.sqlite").output
        #expect(left.contains("not saved  1 change  intent log  "), "\(left)")
        #expect(try await names() == ["milkX"])
    }

    @Test("hangups that keep coming do not put the end off")
    func hangups() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "milk")
        let terminal = try PseudoTerminal(
            sheaf, ["/bin/sh", "-c", "exec $SHEAF --store a.sqlite --slow-writes 1000s"])
        try await terminal.wait(for: "milk")
        try terminal.type("rX\r")
        try await terminal.wait(until: "the change") { _ in try hasLog() }
        var hangups = 0
        try await terminal.wait(until: "its end") { terminal in
            let process = try String(
                contentsOfFile: "/proc/\(terminal.process)/stat", encoding: .utf8)
            if process.contains(") Z ") { return true }
            kill(terminal.process, SIGHUP)
            hangups += 1
            try await Task.sleep(for: .milliseconds(100))
            return false
        }
        // The watchdog would have ended it after seventy.
        #expect(hangups < 50)
        #expect(try await terminal.waitForEnd() == .exited(128 + SIGHUP))
    }

    @Test("a terminal that takes nothing any more does not keep it from ending, nothing lost")
    func stalled() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "milk")
        let terminal = try await open()
        try await terminal.wait(for: "milk")
        try terminal.type("rX\r")
        try await terminal.wait(until: "the change") { _ in try hasLog() }
        terminal.isReading = false
        // More frames than the system buffers for a terminal without a reader.
        for _ in 0..<200 {
            try terminal.type("\u{c}")
            try await Task.sleep(for: .milliseconds(5))
        }
        kill(terminal.process, SIGTERM)
        #expect(try await terminal.waitForEnd() == .exited(128 + SIGTERM))
        #expect(try await names() == ["milkX"])
    }

    @Test("a terminal that is closed while the program is stopped ends it too")
    func closedWhileStopped() async throws {
        let terminal = try PseudoTerminal(
            sheaf, ["/bin/sh", "-i"], environment: ["PS1": "ready> ", "ENV": ""])
        try await terminal.wait(for: "ready> ")
        try terminal.type("sh -c 'echo $$ > pid; exec $SHEAF --store a.sqlite'\n")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("adraft")
        try await terminal.wait(for: "draft")
        try terminal.type([0x1a])
        try await terminal.wait(for: "Stopped")
        let text = String(decoding: try sheaf.bytes(of: "pid"), as: UTF8.self)
        let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        terminal.close()
        try await terminal.wait(until: "its end") { _ in kill(process, 0) != 0 }
        #expect(try await names() == ["draft"])
    }

    @Test("forty changes of size, and typing, leave it alive and still")
    func resizes() async throws {
        try await storm(of: 40, seed: 1)
    }

    @Test("a thousand do too", .enabled(if: Torture.isOn), arguments: 1...3)
    func manyResizes(seed: Int) async throws {
        try await storm(of: 1_000, seed: UInt64(seed))
    }

    private func storm(of count: Int, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let terminal = try await open()
        var added = 0
        for index in 0..<count {
            let isSmall = Int.random(in: 0..<4, using: &random) == 0
            terminal.resize(
                columns: .random(in: 1...(isSmall ? 3 : 250), using: &random),
                rows: .random(in: 1...(isSmall ? 3 : 90), using: &random))
            if index.isMultiple(of: 10) {
                try terminal.type("Aname\rt\u{3}?\u{3}/e\u{3}")
                added += 1
            }
            // Some sizes last long enough to be drawn, others do not.
            if Bool.random(using: &random) {
                try await Task.sleep(for: .milliseconds(.random(in: 0...4, using: &random)))
            }
        }
        terminal.resize(columns: 1, rows: 1)
        terminal.resize(columns: 80, rows: 20)
        try await terminal.wait(until: "its idleness") { _ in
            try await Self.isIdle(terminal.process)
        }
        terminal.forget()
        try terminal.type("\u{c}")
        try await terminal.wait(until: "the whole screen") {
            ["┬", " Tags ", " Items ", "one", "help"].allSatisfy($0.text.contains)
        }
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == .exited(0), "seed \(seed)")
        #expect(
            try await names() == ["one"] + Array(repeating: "name", count: added), "seed \(seed)")
    }

    /// Whether the process takes no processor time for a third of a second.
    private static func isIdle(_ process: pid_t) async throws -> Bool {
        let before = try ticks(of: process)
        try await Task.sleep(for: .milliseconds(330))
        return try ticks(of: process) == before
    }

    /// The processor time of the process so far, in the kernel's ticks: proc(5), fields 14 and 15.
    private static func ticks(of process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
}
