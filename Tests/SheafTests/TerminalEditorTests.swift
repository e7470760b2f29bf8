import Testing

/// Notes that the built program has the user's editor change.
@Suite("The editor in a terminal")
struct TerminalEditorTests {
    private let sheaf: SheafBinary

    init() throws { sheaf = try SheafBinary() }

    /// Opens the note of the item `one` in `editor`, and sends SIGTERM to the program once the
    /// editor prints "editing".
    private func terminate(during editor: String) async throws -> TmuxSession {
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "export TMPDIR=$PWD; EDITOR='\(editor)' sh -c"
                + " 'echo $$ > pid; exec $SHEAF --store a.sqlite'; echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        try await terminal.wait(for: "editing")
        #expect(try await sheaf.shell("kill -TERM $(cat pid)").status == 0)
        return terminal
    }

    @Test("what an editor saved before it failed is kept, and named")
    func failedEditor() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "export TMPDIR=$PWD; EDITOR='sh -c \"echo precious > \\$1; exit 3\" sh'"
                + " $SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        try await terminal.wait(for: "Edited text kept in ")
        #expect(try await sheaf.shell("cat sheaf-note-*").output == "precious\n")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
    }

    @Test(
        "an editor that is killed, or removes the file, changes no note",
        arguments: [
            ("sh -c \": > \\$1; kill -9 \\$\\$\" sh", "was killed"),
            ("sh -c \": > \\$1; exit 3\" sh", "ended with 3"), ("rm", "No such file"),
            ("sh -c \"rm \\$1; mkfifo \\$1\" sh", "it is not a file"),
            ("sh -c \"rm \\$1; ln -s /dev/zero \\$1\" sh", "it became a link"),
            ("sh -c \"(sleep 20; echo late > \\$1) &\" sh", "is not read again, note unchanged"),
            ("(sleep 20) & kill -9 $$; :", "is not read again: "),
        ])
    func killedEditor(editor: String, reason: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "--note", "precious")
        let terminal = try await TmuxSession(sheaf, columns: 200)
        try terminal.run(
            "export TMPDIR=$PWD; EDITOR='\(editor)' $SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        let screen = try await terminal.wait(for: reason)
        #expect(screen.contains("sheaf-note-") && !screen.contains("Error Domain"))
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        let item = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        #expect(item.contains("precious"))
    }

    @Test("an editor whose name is blank is not one")
    func blankEditor() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let script = "printf '#!/bin/sh\\necho edited > \"$1\"\\n' > vi; chmod +x vi"
        #expect(try await sheaf.shell(script).status == 0)
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "export TMPDIR=$PWD PATH=$PWD:$PATH; VISUAL= EDITOR='   ' $SHEAF --store a.sqlite;"
                + " echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        try await terminal.wait(for: "○ one ≡")
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
    }

    @Test("keys that are typed while an editor does not read them come after its note")
    func keysDuringEditor() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "two")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "export TMPDIR=$PWD; EDITOR='sh -c \"until [ -e go ]; do sleep 0.05; done;"
                + " echo saved > \\$1\" sh' $SHEAF --store a.sqlite; echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        #expect(try await sheaf.shell("until ls sheaf-note-*; do sleep 0.05; done").status == 0)
        try terminal.type("dd")
        #expect(try await sheaf.shell("touch go").status == 0)
        let screen = try await terminal.wait(for: "Deleted: “one”")
        #expect(!screen.contains("○ one"))
        try terminal.type("q")
        try await terminal.wait(for: "status 0")
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output.contains("two"))
    }

    @Test("SIGTERM while a note is edited ends the editor and keeps what it had saved and the note")
    func terminateEditor() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "--note", "precious")
        let terminal = try await terminate(
            during: "sh -c \"echo saved > \\$1; printf %s%s edit ing; sleep 100\" sh")
        try await terminal.wait(for: "status 143")
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        #expect(json.contains("\"saved\\nwas: precious\""))
    }

    @Test("doctor names the note that was being edited when the screen was killed")
    func killedScreen() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "export TMPDIR=$PWD; EDITOR='sh -c \"echo precious > \\$1; echo edit\"ing\"; sleep 9\" sh'"
                + " sh -c 'echo $$ > pid; exec $SHEAF --store a.sqlite'; echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("e")
        try await terminal.wait(for: "editing")
        let doctor = "TMPDIR=$PWD $SHEAF doctor --store a.sqlite"
        #expect(try await !sheaf.shell(doctor).output.contains("sheaf-note-"))
        #expect(try await sheaf.shell("kill -KILL $(cat pid)").status == 0)
        try await terminal.wait(for: "status 137")
        let output = try await sheaf.shell("cat sheaf-note-*; \(doctor)").output
        #expect(output.hasPrefix("precious\n"))
        #expect(
            output.contains(
                "note     note left by a screen that has ended: \(sheaf.path("sheaf-note-"))"))
    }

    @Test("an editor that goes on after SIGTERM keeps its file")
    func survivingEditor() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        try sheaf.write(
            """
            exec 3>>"$1"; echo half >&3; echo edit''ing
            (trap '' HUP TERM; until [ -e go ]; do sleep 0.05; done; echo rest >&3) & wait
            """, to: "editor")
        let terminal = try await terminate(during: "bash ./editor")
        try await terminal.wait(for: "The editor still runs.")
        try await terminal.wait(for: "status 143")
        let file = "until grep rest sheaf-note-*; do sleep 0.05; done; cat sheaf-note-*"
        #expect(try await sheaf.shell("touch go; \(file)").output == "rest\nhalf\nrest\n")
    }
}
