import Foundation
import Testing

/// Output paths that a user names, and files that others may have put there.
@Suite("Paths that are written to", .timeLimit(.minutes(1)))
struct WrittenPathTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        for name in ["a.sqlite", "a.json"] {
            _ = try await sheaf.run("add", "--store", name, "milk")
        }
    }

    /// The commands that write the file `out.json`.
    private static let writers = [
        "export --store a.sqlite --force --output out.json",
        "backup --store a.json --force out.json",
        "doctor --store a.sqlite --recover out.json", "demo --store out.json",
        "add --store out.json x", "import --store out.json --format lines in.txt",
        "restore --store out.json in.json",
    ]

    private func plant(_ name: String, leadingTo target: String, ofAnother: Bool = false) throws {
        try FileManager.default.createSymbolicLink(
            atPath: sheaf.path(name), withDestinationPath: target)
        if ofAnother { #expect(lchown(sheaf.path(name), 65534, 65534) == 0) }
    }

    private func run(_ command: String) async throws -> SheafBinary.Result {
        try await sheaf.shell("timeout 20 \"$SHEAF\" \(command) </dev/null")
    }

    @Test("nothing is made where a link leads to nothing", arguments: writers)
    func dangling(_ command: String) async throws {
        try sheaf.write("a\n", to: "in.txt")
        _ = try await sheaf.run("add", "--store", "in.json", "x")
        try plant("out.json", leadingTo: "nothing.json")
        let result = try await run(command)
        #expect(result.status == 73, "\(result.output)\(result.errors)")
        #expect(result.errors.contains("out.json: a dangling link"))
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("nothing.json")))
    }

    @Test(
        "nothing is written through a link of another user", .enabled(if: geteuid() == 0),
        arguments: writers)
    func ofAnother(_ command: String) async throws {
        try sheaf.write("a\n", to: "in.txt")
        for name in ["in.json", "victim.json"] {
            _ = try await sheaf.run("add", "--store", name, "x")
        }
        let before = try sheaf.bytes(of: "victim.json")
        try plant("out.json", leadingTo: "victim.json", ofAnother: true)
        let result = try await run(command)
        #expect(result.status != 0, "\(result.output)\(result.errors)")
        #expect(try sheaf.bytes(of: "victim.json") == before)
    }

    @Test("a link of the user is followed and stays one")
    func own() async throws {
        try sheaf.write("older", to: "real.json")
        try plant("one", leadingTo: "real.json")
        try plant("out.json", leadingTo: "one")
        for command in Self.writers.prefix(2) {
            #expect(try await run(command).status == 0)
            #expect(try sheaf.bytes(of: "real.json").count > 100)
            try sheaf.write("older", to: "real.json")
        }
        let manager = FileManager.default
        #expect(try manager.destinationOfSymbolicLink(atPath: sheaf.path("out.json")) == "one")
        #expect(try manager.destinationOfSymbolicLink(atPath: sheaf.path("one")) == "real.json")
    }

    @Test(
        "an existing file stays unless --force is given, and the list itself stays always",
        arguments: ["export --store a.sqlite --format json --output", "backup --store a.sqlite"])
    func existing(_ command: String) async throws {
        try sheaf.write("older", to: "out")
        for name in ["b.sqlite", "json:c"] {
            _ = try await sheaf.run("add", "--store", name, "theirs")
        }
        try plant("link", leadingTo: "a.sqlite")
        let names = ["a.sqlite", "b.sqlite", "c", "out"]
        let before = try names.map { try sheaf.bytes(of: $0) }
        for name in names + ["link"] {
            let result = try await run("\(command) \(name)")
            #expect(result.status == 73, "\(name): \(result.errors)")
            #expect(result.errors.contains(name))
        }
        for name in ["a.sqlite", "link"] {
            let result = try await run("\(command) \(name) --force")
            #expect(result.status == 73, "\(name): \(result.errors)")
            #expect(result.errors.contains("this is the list itself"))
        }
        #expect(try names.map { try sheaf.bytes(of: $0) } == before)
        for name in ["b.sqlite", "c", "out"] {
            #expect(try await run("\(command) \(name) --force").status == 0, "\(name)")
            #expect(try !before.contains(sheaf.bytes(of: name)))
        }
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "milk\n")
    }

    @Test(
        "a list that another process has open, or that has a journal, stays with --force too",
        arguments: [
            "export --store a.sqlite --format json --force --output",
            "backup --store a.sqlite --force",
        ])
    func openElsewhere(_ command: String) async throws {
        _ = try await sheaf.run("add", "--store", "b.sqlite", "theirs")
        let before = try sheaf.bytes(of: "b.sqlite")
        let open = try PseudoTerminal(sheaf, [SheafBinary.path, "--store", "b.sqlite"])
        try await open.wait(for: "theirs")
        let result = try await run("\(command) b.sqlite")
        #expect([73, 75].contains(result.status), "\(result.errors)")
        #expect(result.errors.contains("has this list open"))
        try open.type("q")
        _ = try await open.waitForEnd()
        try sheaf.write("", to: "b.sqlite-journal")
        let journal = try await run("\(command) b.sqlite")
        #expect(journal.status == 73)
        #expect(journal.errors.contains("b.sqlite-journal holds an unfinished write"))
        #expect(try sheaf.bytes(of: "b.sqlite") == before)
        // SQLite would play it into the list.
        for suffix in ["-journal", "-wal", "-shm"] {
            let part = try await run("\(command) b.sqlite\(suffix)")
            #expect(part.status == 73)
            #expect(part.errors.contains("belongs to b.sqlite"), "\(part.errors)")
        }
        #expect(try await run("\(command) alone-journal").status == 0)
    }

    @Test(
        "a JSON list that a screen has open is not replaced right after a command has written to it",
        arguments: [
            "export --store a.sqlite --force --output b.json",
            "backup --store c.json --force b.json", "restore --store b.json c.json",
        ])
    func openFormerly(_ command: String) async throws {
        _ = try await sheaf.run("add", "--store", "b.json", "theirs")
        _ = try await sheaf.run("add", "--store", "c.json", "mine")
        let open = try PseudoTerminal(sheaf, [SheafBinary.path, "--store", "b.json"])
        try await open.wait(for: "theirs")
        let result = try await sheaf.shell(
            """
            for name in one two three; do
                "$SHEAF" add --store b.json $name >/dev/null && "$SHEAF" \(command); echo $?
            done
            """)
        #expect(result.output == "75\n75\n75\n", "\(result.errors)")
        try open.type("q")
        _ = try await open.waitForEnd()
        let names = try await sheaf.run("list", "--store", "b.json").output
        #expect(names == "theirs\none\ntwo\nthree\n")
    }

    @Test(
        "no list gets a name for which SQLite would delete it, or another file",
        arguments: [
            "copy a.sqlite sqlite:NAME", "doctor --store a.sqlite --recover sqlite:NAME",
            "demo --items 5 --store sqlite:NAME", "add new --store sqlite:NAME",
            "copy a.sqlite json:NAME", "add new --store json:NAME",
        ])
    func companions(_ command: String) async throws {
        _ = try await sheaf.run("add", "--store", "b.sqlite", "theirs")
        for suffix in ["-journal", "-wal", "-shm"] {
            let name = "b.sqlite\(suffix)"
            let result = try await run(command.replacing("NAME", with: name))
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.contains("belongs to b.sqlite"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: sheaf.path(name)))
            guard command.contains("sqlite:") else { continue }
            try sheaf.write("mine", to: "new\(suffix)")
            let mirrored = try await run(command.replacing("NAME", with: "new"))
            #expect(mirrored.status == 73, "\(mirrored.errors)")
            #expect(mirrored.errors.contains("new\(suffix) holds an unfinished write"))
            #expect(try await sheaf.shell("cat new\(suffix); rm new\(suffix)").output == "mine")
        }
    }

    @Test(
        "no file gets the name of a draft, which the next command removes, or of an intent log",
        arguments: [
            "copy a.sqlite sqlite:", "copy a.sqlite json:", "add new --store json:",
            "export --store a.sqlite --format json --output ", "backup --store a.sqlite ",
        ])
    func drafts(_ command: String) async throws {
        let digits = String(repeating: "0a", count: 16)
        for name in [".b.sqlite.new-\(digits)", ".b.json.sheaf-new-\(digits)"] {
            let result = try await run(command + name)
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.contains("removed as drafts"), "\(result.errors)")
        }
        let log = ".b.json.intents-01a21281-bd9d-73de-af84-c84860a07a84"
        try sheaf.write("theirs", to: log)
        for force in command.contains("export") || command.contains("backup")
            ? ["", "--force "] : []
        {
            let result = try await run(
                command.replacing("--store a", with: "\(force)--store a") + log)
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.contains("intent logs have such names"), "\(result.errors)")
        }
        #expect(try sheaf.bytes(of: log) == Data("theirs".utf8))
        // Only a whole name is one.
        #expect(try await run(command + ".b.sqlite.new-f").status == 0)
    }

    @Test(
        "what killed commands left in the folder goes, also if the file exists and stays",
        arguments: [
            "export --store a.sqlite --output out.json", "backup --store a.json out.json",
        ])
    func abandoned(_ command: String) async throws {
        try sheaf.write("older", to: "out.json")
        let digits = (1...6).map { String(repeating: "\($0)", count: 32) }
        let result = try await sheaf.shell(
            """
            left() { mkdir -m 700 .$1.new-$2; echo '{' >.$1.new-$2/$1; }
            left out.json \(digits[0]); install -m 600 out.json .out.json.new-\(digits[1])
            left out.json \(digits[2]); exec 9<.out.json.new-\(digits[2]); flock 9
            left other.json \(digits[3]); echo mine >.out.json.new-ideas
            "$SHEAF" \(command); echo $?; ls -d .*.new-*
            """)
        let kept = [".out.json.new-\(digits[2])", ".out.json.new-ideas"]
        #expect(result.output == "73\n" + kept.map { "\($0)\n" }.joined(), "\(result.errors)")
        #expect(try sheaf.bytes(of: "out.json") == Data("older".utf8))
    }

    @Test("an export goes into what the shell has opened, between what others write there")
    func descriptors() async throws {
        let result = try await sheaf.shell(
            """
            e() { "$SHEAF" export --store a.sqlite --format lines --output "$1"; }
            { echo before; e /dev/stdout; echo after; } > file
            e /dev/stdout | sed 's/^/piped /'; e /dev/fd/7 7> seven; e /dev/null
            ln -s /dev/stdout link; e link
            e /dev/stdin </dev/null; echo status $?
            """)
        #expect(result.output == "piped milk\nmilk\nstatus 73\n", "\(result.errors)")
        #expect(result.errors.contains("/dev/stdin: was not opened for writing"))
        #expect(try sheaf.bytes(of: "file") == Data("before\nmilk\nafter\n".utf8))
        #expect(try sheaf.bytes(of: "seven") == Data("milk\n".utf8))
    }

    @Test("a FIFO that nobody reads is an error, and one that is read gets the list")
    func fifo() async throws {
        #expect(mkfifo(sheaf.path("out.json"), 0o600) == 0)
        for command in Self.writers.prefix(4) {
            let result = try await run(command)
            #expect(result.status == 73, "\(command): \(result.errors)")
        }
        let read = try await sheaf.shell(
            """
            exec 3<>out.json; "$SHEAF" export --store a.sqlite --format lines --output out.json
            head -n 1 <&3
            """)
        #expect(read.output == "milk\n", "\(read.errors)")
    }

    @Test("a file that may not be written to is not replaced", arguments: ["sqlite", "json"])
    func withdrawnRight(_ kind: String) async throws {
        _ = try await sheaf.run("add", "--store", "b.\(kind)", "x")
        let before = try sheaf.bytes(of: "b.\(kind)")
        // Root, whom permissions do not stop, becomes another user, who may replace files in the
        // folder.
        let result = try await sheaf.shell(
            """
            if [ "$(id -u)" = 0 ]; then
                chown -R 65534:65534 .; set -- setpriv --reuid=65534 --regid=65534 --clear-groups
            fi
            chmod 400 b.\(kind)
            "$@" "$SHEAF" add --store b.\(kind) y; echo add $?
            "$@" "$SHEAF" export --store a.sqlite --format json --force --output b.\(kind); echo export $?
            """)
        #expect(result.output == "add 74\nexport 73\n", "\(result.errors)")
        #expect(try sheaf.bytes(of: "b.\(kind)") == before)
    }

    @Test(
        "a list that a group shares keeps its group, or says how to share its folder",
        .enabled(if: geteuid() == 0))
    func sharedByGroup() async throws {
        let result = try await sheaf.shell(
            """
            run() { user=$1; shift; setpriv --reuid=$user --regid=$user --groups=$user,60 "$SHEAF" "$@"; }
            chmod 755 .; mkdir -m 777 local shared; chgrp 60 shared; chmod 770 shared
            export XDG_STATE_HOME=$PWD/local
            for kind in sqlite json; do
                run 61001 add --store shared/l.$kind one >/dev/null
                chgrp 60 shared/l.$kind; chmod 660 shared/l.$kind
            done
            for kind in sqlite json; do
                run 61002 doctor --store shared/l.$kind | grep -c 'the list cannot be written to'
            done
            run 61002 add --store shared/l.sqlite two; echo $?
            run 61001 list --store shared/l.sqlite
            run 61002 add --store shared/l.json two >/dev/null; echo $?
            run 61001 add --store shared/l.json three >/dev/null; echo $?
            run 61002 list --store shared/l.json
            stat -c '%g %a' shared/l.json
            chmod g+s shared
            run 61002 add --store shared/l.sqlite two >/dev/null; echo $?
            run 61001 list --store shared/l.sqlite
            """)
        #expect(
            result.output
                == "1\n0\n74\none\n0\n0\none\ntwo\nthree\n60 660\n0\none\ntwo\n",
            "\(result.output)\(result.errors)")
        #expect(result.errors.contains("chmod g+s"), "\(result.errors)")
    }

    @Test(
        "another user's files in a sticky folder do not keep a list from being saved",
        .enabled(if: geteuid() == 0))
    func stickyFolder() async throws {
        _ = try await sheaf.run("add", "--store", "list.json", "x")
        try sheaf.write("", to: ".list.json.sheaf-new")
        let result = try await sheaf.shell(
            """
            chmod 1777 .; chown 65534:65534 list.json
            setpriv --reuid=65534 --regid=65534 --clear-groups "$SHEAF" add --store list.json y
            """)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await sheaf.run("list", "--store", "list.json").output == "x\ny\n")
        let other = try await sheaf.shell(
            """
            chmod 666 list.json; run() { setpriv --reuid=65533 --regid=65533 --clear-groups "$SHEAF" "$@"; }
            run add --store list.json z; echo $?; run doctor --store list.json
            """)
        #expect(other.output.hasPrefix("74\n"), "\(other.output)")
        for text in [other.errors, other.output] {
            #expect(text.contains("only that user may replace it"), "\(text)")
        }
        let replaced = try await sheaf.shell(
            """
            run() { setpriv --reuid=65533 --regid=65533 --clear-groups "$SHEAF" "$@"; }
            run export --store list.json --format json --force --output .list.json.sheaf-new; echo $?
            run backup --store list.json --force .list.json.sheaf-new; echo $?
            """)
        #expect(replaced.output == "73\n73\n", "\(replaced.errors)")
    }

    @Test("a relative path in a folder that is gone is an error, and nothing is made elsewhere")
    func folderGone() async throws {
        let name = "sheaf-\(UUID().uuidString)"
        for command in [
            "add --store \(name) x", "add --store json:\(name) x", "add --store ../\(name) x",
            "list --store \(name)", "demo --store \(name)", "doctor --store \(name)",
            "import --store \(name) --format lines \(name)", "restore --store \(name)",
            "export --store ../a.sqlite --output \(name)", "backup --store ../a.sqlite \(name)",
            "export --store \(sheaf.path("a.sqlite")) --output \(name)",
            "backup --store \(sheaf.path("a.sqlite")) \(name)",
            "restore --store \(sheaf.path("a.sqlite")) \(name)",
            "doctor --store \(sheaf.path("a.sqlite")) --recover \(name)",
            "import --store \(sheaf.path("a.sqlite")) --format lines \(name)",
        ] {
            let result = try await sheaf.shell(
                "mkdir gone; cd gone; rmdir ../gone; timeout 20 \"$SHEAF\" \(command)")
            #expect([66, 73].contains(result.status), "\(command): \(result.status)")
            let text = result.errors + result.output
            #expect(
                text.contains("the working folder no longer exists")
                    || text.contains("No such file"),
                "\(command): \(text)")
            for left in ["/\(name)", sheaf.path(name)] {
                #expect(unlink(left) != 0, "\(command) made \(left)")
            }
        }
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "milk\n")
    }

    @Test("a home that is relative or empty is none", arguments: ["", "home", "."])
    func home(_ home: String) async throws {
        let name = "sheaf-\(UUID().uuidString)"
        let result = try await sheaf.shell(
            """
            export HOME='\(home)'; for variable in STATE DATA CONFIG; do
                export XDG_${variable}_HOME='\(home)'; done
            getent() { :; }; "$SHEAF" add --store 'sqlite:~/\(name)' x
            "$SHEAF" list --store a.sqlite
            """)
        #expect(result.output.hasSuffix("milk\n"))
        let passwordHome = getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? ""
        #expect(unlink("/\(name)") != 0)
        _ = unlink("\(passwordHome)/\(name)")
        let made = try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path)
        #expect(made.allSatisfy { !["~", "home", "sheaf", name].contains($0) }, "\(made)")
    }
}
