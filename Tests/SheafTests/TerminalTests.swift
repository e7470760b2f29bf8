import Foundation
import Testing

/// The built program in a real terminal, as a person uses it.
@Suite("In a terminal", .serialized)
struct TerminalTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func names() async throws -> [String] {
        try await sheaf.names()
    }

    /// A terminal with the program open on a store that holds `names`.
    private func open(
        _ names: [String] = [], options: String = "", columns: Int = 80, rows: Int = 20
    ) async throws -> TmuxSession {
        if !names.isEmpty {
            let text = names.joined(separator: "\n")
            _ = try await sheaf.run(
                "import", "--store", "a.sqlite", "--format", "lines", "-", input: text)
            // The tests know how many rows the tags pane has.
            _ = try await sheaf.run("view", "delete", "Agenda", "--store", "a.sqlite")
        }
        let terminal = try await TmuxSession(sheaf, columns: columns, rows: rows)
        try terminal.run("$SHEAF --store a.sqlite \(options); echo status $?")
        try await terminal.wait(for: "✓ saved")
        // That may be said before the list is there.
        if let name = names.first { try await terminal.wait(for: "○ \(name)") }
        return terminal
    }

    @Test("a terminal of an old type with more lines than that says is drawn whole")
    func tallTerminal() async throws {
        let lines = (1...40).map { "item \($0)" }.joined(separator: "\n")
        _ = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-", input: lines)
        for type in ["vt100", "vt220"] {
            let terminal = try await TmuxSession(sheaf, columns: 80, rows: 30)
            try terminal.run("TERM=\(type) $SHEAF --store a.sqlite")
            try await terminal.wait(for: "○ item 26")
            try terminal.type("G")
            try await terminal.wait(for: "○ item 40")
            try terminal.type("gg")
            let screen = try await terminal.wait(for: "○ item 26").split(separator: "\n")
            #expect(screen.dropLast().last?.hasPrefix("───") == true, "\(type)")
            #expect(screen.filter { $0.contains("○ item ") }.count == 26, "\(type)")
        }
    }

    @Test("what is typed is there after quitting and opening again")
    func reopen() async throws {
        let terminal = try await open()
        try terminal.type("a")
        try await terminal.wait(for: "ADD")
        try terminal.type("日本語 👩‍👩‍👧‍👦 cafe\u{301}")
        try terminal.press("Enter")
        try terminal.type("aSecond")
        try terminal.press("Enter")
        try terminal.type("kx")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["日本語 👩‍👩‍👧‍👦 cafe\u{301}", "Second"])
        #expect(Array(try await names()[0].utf8) == Array("日本語 👩‍👩‍👧‍👦 cafe\u{301}".utf8))
        try terminal.run("clear; $SHEAF --store a.sqlite")
        let screen = try await terminal.wait(for: "Second")
        #expect(screen.contains("✓ 日本語 👩 café"))
    }

    @Test("an edited list: filter, create, rename, move, tag, done, delete, undo, quit")
    func wholeLoop() async throws {
        let terminal = try await open((1...700).map { "package-\($0)" }, columns: 100, rows: 30)
        try terminal.type("/package-70")
        try await terminal.wait(for: "2 of 700")
        try terminal.press("Escape")
        try await terminal.wait(for: "700 open")
        try terminal.type("jja日本語 👩‍👩‍👧‍👦 café")
        try terminal.press("Enter")
        try terminal.type("r")
        try await terminal.wait(for: "RENAME")
        try terminal.type("!")
        try terminal.press("Enter")
        try terminal.type("KKtnew")
        try await terminal.wait(for: "create “new”")
        try terminal.press("Enter")
        try terminal.type("xddu")
        try await terminal.wait(for: "Undid: delete")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(
            try await names().prefix(4) == [
                "package-1", "日本語 👩‍👩‍👧‍👦 café!", "package-2", "package-3",
            ])
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        let line = try #require(json.split(separator: "\n").first { $0.contains("日本語") })
        #expect(line.contains("\"new\""))
        #expect(line.contains("\"done\": true") || line.contains("\"done\":true"))
    }

    @Test("the last view and selection come back, with the items pane")
    func remembered() async throws {
        let terminal = try await open(["one", "two", "three"])
        try terminal.type("jxt")
        try terminal.type("new")
        try await terminal.wait(for: "create “new”")
        try terminal.press("Enter")
        try terminal.type("hjj")
        try await terminal.wait(for: "1 of 3")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        try terminal.run("clear; $SHEAF --store ./a.sqlite; echo status $?")
        try await terminal.wait(for: "1 of 3   #new")
        try await terminal.wait(for: "ITEMS")
        try terminal.type("hggq")
        try await terminal.wait(for: "status 0")
        try terminal.run("clear; $SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "▌ ✓ two")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
    }

    @Test("any size works, down to one cell, and back")
    func resize() async throws {
        let terminal = try await open(["one", "two", "three"])
        for (columns, rows) in [(40, 10), (10, 3), (2, 2), (1, 1), (3, 1), (120, 40), (80, 20)] {
            try terminal.resize(columns: columns, rows: rows)
        }
        try await terminal.wait(until: "the whole screen") {
            $0.contains("three") && $0.contains("─ Tags") && $0.contains("? help")
        }
        try terminal.resize(columns: 10, rows: 3)
        try await terminal.wait(until: "a small screen") {
            $0.contains("○ one") && !$0.contains("Tags")
        }
        try terminal.type("ddq")
        try terminal.resize(columns: 80, rows: 20)
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["two", "three"])
    }

    @Test("^Z keeps the draft, saves and stops; fg goes on; the terminal is as it was")
    func suspend() async throws {
        let terminal = try await open(["one"])
        try terminal.type("adraft")
        try await terminal.wait(for: "draft")
        try terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        #expect(try await names() == ["one", "draft"])
        // The awaited text is not in the line itself, which the terminal echoes.
        try terminal.run("clear; stty -a | grep -q ' icanon' && echo is 'canonical'")
        try await terminal.wait(for: "is canonical")
        try terminal.run("fg")
        try await terminal.wait(for: "─ Items")
        try terminal.type("x")
        try await terminal.wait(for: "✓ draft")
        try terminal.type("q")
        try await terminal.wait(until: "the shell") {
            $0.contains("ready>") && !$0.contains("─ Items")
        }
    }

    @Test("kill %1 ends a suspended screen, also after bg")
    func terminateSuspended() async throws {
        for command in ["kill %1", "bg; sleep 1; kill %1"] {
            let terminal = try await open(["one"])
            try terminal.type("adraft")
            try await terminal.wait(for: "draft")
            try terminal.press("C-z")
            try await terminal.wait(for: "Stopped")
            // Goes on once there is no such job.
            try terminal.run("clear; \(command); while kill -0 %1; do sleep 0.1; done 2>/dev/null")
            try terminal.run("stty -a | grep -q ' icanon' && echo is 'canonical'")
            try await terminal.wait(for: "is canonical")
            #expect(try await names() == ["one", "draft"])
            _ = try await sheaf.shell("rm a.sqlite")
        }
    }

    @Test("SIGTERM in the middle of an edit keeps the draft and restores the terminal")
    func terminate() async throws {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "stty -g > before; sh -c 'echo $$ > pid; exec $SHEAF --store a.sqlite'; echo status $?;"
                + " stty -g > after")
        try await terminal.wait(for: "✓ saved")
        try terminal.type("ahalf a na")
        try await terminal.wait(for: "half a na")
        #expect(try await sheaf.shell("kill -TERM $(cat pid)").status == 0)
        try await terminal.wait(for: "status 143")
        #expect(try await names() == ["half a na"])
        try terminal.run("clear; cmp before after && echo the 'same'")
        try await terminal.wait(for: "the same")
    }

    @Test("a terminal that goes away ends the program, with the draft saved")
    func hangup() async throws {
        var terminal: TmuxSession? = try await open(["one"])
        try terminal?.type("adraft")
        try await terminal?.wait(for: "draft")
        terminal = nil
        let deadline = ContinuousClock.now + TmuxSession.timeout
        while try await names() != ["one", "draft"], ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await names() == ["one", "draft"])
    }

    @Test("a paste into a line is one insertion, and elsewhere items after a question")
    func paste() async throws {
        let terminal = try await open(["one", "two"])
        try terminal.paste("dd\nqq\n")
        try await terminal.wait(for: "Paste 2 items below “one”?")
        try terminal.press("Escape")
        try await terminal.wait(for: "Paste 2 items", toShow: false)
        try terminal.paste("three\r\n\nfour")
        try await terminal.wait(for: "Paste 2 items below “one”?")
        try terminal.type("y")
        try await terminal.wait(for: "2 items pasted")
        try terminal.type("gg")
        try terminal.type("a")
        try terminal.paste("x\ny dd")
        try await terminal.wait(for: "x y dd")
        try terminal.press("Enter")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["one", "x y dd", "three", "four", "two"])
    }

    @Test("a deleted item that undo brings back at once is on disk")
    func deleteAndUndo() async throws {
        let terminal = try await open(["one", "two", "three"])
        try terminal.type("jdduq")
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["one", "two", "three"])
    }

    @Test("rows reach the disk while typing goes on without pause")
    func boundedStaleness() async throws {
        let terminal = try await open()
        var counts: Set<Int> = []
        let end = ContinuousClock.now + TmuxSession.timeout
        var number = 0
        while counts.count < 3, ContinuousClock.now < end {
            number += 1
            try terminal.type("aitem \(number)\r")
            if number.isMultiple(of: 20) {
                let count = try await sheaf.shell("sqlite3 a.sqlite 'select count(*) from items'")
                counts.insert(
                    Int(count.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
            }
        }
        #expect(counts.count > 2, "counts seen: \(counts.sorted())")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await names().count == number)
    }

    @Test("while every write fails the status says so, editing goes on, and quitting asks")
    func failingWrites() async throws {
        let terminal = try await open(["one"], options: "--fail-writes 1")
        try terminal.type("x")
        try await terminal.wait(for: "NOT SAVED")
        try terminal.type("atwo")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ two")
        try terminal.type("q")
        try await terminal.wait(for: "Quit with 2")
        try terminal.type("n")
        try await terminal.wait(for: "Quit with 2", toShow: false)
        try terminal.type("q")
        try await terminal.wait(for: "Quit with 2")
        try terminal.type("d")
        try await terminal.wait(for: "status 74")
        #expect(try await names() == ["one"])
    }

    @Test("a store that is locked is waited for, and all is saved once it is free")
    func locked() async throws {
        let terminal = try await open(["one"])
        let other = try await TmuxSession(sheaf)
        try other.run("sqlite3 a.sqlite")
        try await other.wait(for: "sqlite>")
        try other.run("begin immediate; select 'have' || 'it';")
        try await other.wait(for: "haveit")
        try terminal.type("x")
        try await terminal.wait(for: "✓ one")
        try await terminal.wait(for: "NOT SAVED")
        try terminal.type("atwo")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ two")
        try other.run("commit;")
        try await terminal.wait(for: "✓ saved")
        #expect(try await names() == ["one", "two"])
        #expect(try await sheaf.doneNames() == ["one"])
    }

    @Test("a store that is locked at start is waited for behind the screen, which says so")
    func lockedAtStart() async throws {
        try await sheaf.fill(["aaaa0001": "one"])
        let other = try await TmuxSession(sheaf)
        try other.run("sqlite3 a.sqlite")
        try await other.wait(for: "sqlite>")
        try other.run("begin exclusive; select 'have' || 'it';")
        try await other.wait(for: "haveit")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "loading… locked by another process")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        try terminal.run("clear; $SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "loading… locked by another process")
        try terminal.type("atwo\r")
        try await terminal.wait(for: "○ two")
        try other.run("commit;")
        try await terminal.wait(until: "all") { $0.contains("2 open") && $0.contains("✓ saved") }
        #expect(try await Set(names()) == ["one", "two"])
    }

    @Test("the note is edited in the user's editor, which has the terminal meanwhile")
    func note() async throws {
        let terminal = try await open(["one"])
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        try terminal.run(
            "clear; EDITOR='sh -c \"read line; echo \\$line > \\$1\" sh' $SHEAF --store a.sqlite")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        try await terminal.wait(for: "─ Items", toShow: false)
        try terminal.run("what the note says")
        try await terminal.wait(for: "one ≡")
        try terminal.type("q")
        try await terminal.wait(for: "ready>")
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        #expect(json.contains("what the note says"))
    }

    @Test("what a command changes meanwhile and what the screen changes are both on disk")
    func commandBeside() async throws {
        try await sheaf.fill(["aaaa0001": "one", "bbbb0002": "two", "cccc0003": "three"])
        let terminal = try await open()
        try await terminal.wait(for: "○ one")
        try terminal.type("x")
        try await terminal.wait(for: "✓ one")
        #expect(try await sheaf.edit("rename", ["bbbb", "renamed"]).status == 0)
        #expect(try await sheaf.edit("tag add", ["new", "cccc"]).status == 0)
        try terminal.type("jjr")
        try await terminal.wait(for: "RENAME")
        #expect(try await sheaf.edit("move", ["bbbb", "--before", "aaaa"]).status == 0)
        try terminal.press("Escape")
        try await terminal.wait(for: "ITEMS")
        try terminal.type("ggAlast")
        try terminal.press("Enter")
        try await terminal.wait(for: "○ last")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await names() == ["renamed", "one", "three", "last"])
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        let lines = json.split(separator: "\n")
        #expect(lines.contains { $0.contains("\"one\"") && $0.contains("\"done\": true") })
        #expect(lines.contains { $0.contains("\"three\"") && $0.contains("\"new\"") })
    }

    @Test("commands print names in a terminal without control sequences, in colour")
    func commandOutput() async throws {
        try await sheaf.fill(["aaaa0001": "one"])
        _ = try await sheaf.edit("tag add", ["t\u{1B}[2J", "aaaa"])
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("$SHEAF tag --store a.sqlite")
        try await terminal.wait(for: "#t␛[2J  blue     1")
        try terminal.run("$SHEAF tag list --format lines --store a.sqlite")
        try await terminal.wait(until: "the line") { $0.contains("\nt␛[2J") }
        try terminal.run("$SHEAF rename --store a.sqlite aaaa $'n\\e[2Jew'")
        try await terminal.wait(for: "Renamed “one” to “n␛[2Jew”.")
    }

    @Test("a terminal type that is missing or unknown gets a sentence, and no store is made")
    func terminalType() async throws {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run("env -u TERM $SHEAF --store a.sqlite")
        try await terminal.wait(for: "TERM is not set")
        try terminal.run("clear; TERM=nonsense $SHEAF --store a.sqlite")
        try await terminal.wait(for: "'nonsense' is unknown")
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("a.sqlite")))
    }
}
