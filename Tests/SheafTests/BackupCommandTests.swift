import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

/// `backup`, `restore` and `doctor` as they are typed.
@Suite("Backup, restore and doctor")
struct BackupCommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
        try sheaf.write("{\"done\": false}", to: "unrelated.json")
    }

    @Test("a list comes back from its backup, and what it was is kept")
    func roundTrip() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "kept")
        let made = try await sheaf.run("backup", "--store", "a.sqlite", "b.sqlite")
        #expect(made.output == "Backed up 1 item to b.sqlite.\n")
        #expect(try await sheaf.run("backup", "--store", "a.sqlite", "b.sqlite").status == 73)
        #expect(
            try await sheaf.run("backup", "--store", "a.sqlite", "a.sqlite", "--force").status == 73
        )
        _ = try await sheaf.run("add", "--store", "a.sqlite", "later")
        let restored = try await sheaf.run("restore", "--store", "a.sqlite", "b.sqlite")
        #expect(
            restored.output.hasPrefix("Restored 1 item to a.sqlite; the previous list is kept in "))
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "kept\n")
        let listed = try await sheaf.run("restore", "--store", "a.sqlite").output
        #expect(listed.contains("2 items  before a restore"))
        #expect(listed.contains("1 item  daily backup"))
    }

    @Test("a backup of another list does not replace the one that is not named")
    func otherList() async throws {
        _ = try await sheaf.run("add", "mine")
        _ = try await sheaf.run("backup", "own.sqlite")
        _ = try await sheaf.run("add", "--store", "b.sqlite", "theirs")
        _ = try await sheaf.run("backup", "--store", "b.sqlite", "backup.sqlite")
        let refused = try await sheaf.run("restore", "backup.sqlite")
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(refused.errors.contains("backup of another list"))
        #expect(try await sheaf.run("list").output == "mine\n")
        _ = try await sheaf.run("delete", "--where", "mine", "--yes")
        #expect(try await sheaf.run("restore", "own.sqlite").status == 0)
        #expect(try await sheaf.run("list").output == "mine\n")
        let named = try await sheaf.run("restore", "backup.sqlite", "--store", "a.sqlite")
        #expect(named.status == 0, "\(named.errors)")
    }

    @Test(
        "backups of another list that was at the path are labelled, and a restore of one says so",
        arguments: ["sqlite", "json"])
    func labelled(_ kind: String) async throws {
        let list = ["--store", "a.\(kind)"]
        _ = try await sheaf.run(["add", "old"] + list)
        _ = try await sheaf.run(["add", "older"] + list)
        #expect(unlink(sheaf.path("a.\(kind)")) == 0)
        _ = try await sheaf.run(["add", "new"] + list)
        _ = try await sheaf.run(["add", "newer"] + list)
        let lines = try await sheaf.run(["restore"] + list).output.split(separator: "\n")
        #expect(lines.count == 2)
        let other = try #require(lines.first { $0.contains("daily backup, of another list  ") })
        let own = try #require(lines.first { $0.contains("daily backup  ") })
        #expect(try await sheaf.run(["list"] + list).output == "new\nnewer\n")
        let path = String(try #require(other.split(separator: " ").last))
        let restored = try await sheaf.run(["restore", path] + list)
        #expect(
            restored.output.hasPrefix(
                "Restored 1 item of another list to a.\(kind); the previous list is kept in "))
        #expect(try await sheaf.run(["list"] + list).output == "old\n")
        // The two have changed their parts.
        let again = try await sheaf.run(["restore"] + list).output.split(separator: "\n")
        #expect(again.contains { $0.contains("before a restore, of another list  ") })
        #expect(again.contains { $0.contains("daily backup  ") && $0.hasSuffix(path) })
        let ownPath = String(try #require(own.split(separator: " ").last))
        _ = try await sheaf.run(["restore", ownPath] + list)
        let same = try await sheaf.run(["restore", ownPath] + list)
        #expect(same.output.hasPrefix("Restored 1 item to a.\(kind); "))
    }

    @Test(
        "backups of a list that has moved are listed, and none of a list that took its place",
        arguments: ["sqlite", "json"])
    func moved(_ kind: String) async throws {
        func restore(_ path: String) async throws -> SheafBinary.Result {
            try await sheaf.run("restore", "--store", path)
        }
        #expect(try await sheaf.shell("mkdir before").status == 0)
        for name in ["one", "two"] {
            _ = try await sheaf.run("add", "--store", "before/a.\(kind)", name)
        }
        #expect(try await sheaf.shell("mv before after").status == 0)
        #expect(try await sheaf.shell("mkdir before").status == 0)
        for name in ["three", "four"] {
            _ = try await sheaf.run("add", "--store", "before/a.\(kind)", name)
        }
        let listed = try await restore("after/a.\(kind)").output
        #expect(listed.split(separator: "\n").count == 1)
        #expect(listed.contains("1 item  daily backup of a former path  "))
        let doctor = try await sheaf.run("doctor", "--store", "after/a.\(kind)").output
        #expect(doctor.contains("backups: none for this path; 1 of a former path, the newest "))
        let path = String(try #require(listed.split(separator: " ").last).dropLast())
        let restored = try await sheaf.run("restore", path, "--store", "after/a.\(kind)")
        #expect(restored.output.hasPrefix("Restored 1 item to after/a.\(kind); "))
        _ = try await sheaf.run("add", "--store", "new.\(kind)", "one")
        #expect(try await restore("new.\(kind)").errors.contains("no backups for this path yet"))
        let new = try await sheaf.run("doctor", "--store", "new.\(kind)").output
        #expect(new.contains("backups: none for this path\n"))
    }

    @Test(
        "a restored list keeps its permissions, and has no second name",
        arguments: ["sqlite", "json"])
    func restored(_ kind: String) async throws {
        let list = ["--store", "a.\(kind)"]
        _ = try await sheaf.run(["add", "one"] + list)
        _ = try await sheaf.run(["backup", "b.\(kind)"] + list)
        #expect(chmod(sheaf.path("a.\(kind)"), 0o660) == 0)
        #expect(try await sheaf.run(["restore", "b.\(kind)"] + list).status == 0)
        var status = stat()
        #expect(stat(sheaf.path("a.\(kind)"), &status) == 0 && status.st_mode & 0o777 == 0o660)
        #expect(status.st_nlink == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: sheaf.path("."))
        #expect(names.filter { $0.contains("before-restore") } == ["a.\(kind).before-restore-1"])
    }

    @Test(
        "doctor tells of a list that has two names, and which risk that is",
        arguments: [("sqlite", "can damage it"), ("json", "keep the list as it is now")])
    func hardLink(kind: String, risk: String) async throws {
        let (name, other) = ("a.\(kind)", "b.\(kind)")
        _ = try await sheaf.run("add", "--store", name, "mine")
        #expect(try await !sheaf.run("doctor", "--store", name).output.contains("hard links"))
        #expect(link(sheaf.path(name), sheaf.path(other)) == 0)
        let output = try await sheaf.run("doctor", "--store", name).output
        #expect(output.contains("warning  the file has 2 names (hard links)"), "\(output)")
        #expect(output.contains(risk), "\(output)")
        #expect(output.contains("can damage it") == (kind == "sqlite"))
    }

    @Test("a recovery that cannot make its private copy names TMPDIR")
    func noFolderForCopy() async throws {
        try sheaf.write(String(repeating: "\0", count: 10_000), to: "a.sqlite")
        let result = try await sheaf.shell(
            "TMPDIR=$PWD/missing \"$SHEAF\" doctor --store a.sqlite --recover b.sqlite")
        #expect(result.status != 0)
        #expect(result.errors.contains("missing: No such file or directory"), "\(result.errors)")
        #expect(result.errors.contains("TMPDIR"), "\(result.errors)")
    }

    @Test("a path that is too long for SQLite is refused with that reason")
    func longPath() async throws {
        let folder = String(repeating: "f", count: 200)
        let long = "\(folder)/\(folder)/\(folder)/a.sqlite"
        let parent = sheaf.path("\(folder)/\(folder)/\(folder)")
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        for command in [
            "add --store \(long) two", "backup --store a.sqlite \(long)", "demo --store \(long)",
            "copy a.sqlite \(long)", "copy a.sqlite \(String(repeating: "n", count: 207)).sqlite",
        ] {
            let result = try await sheaf.run(command.split(separator: " ").map(String.init))
            #expect(result.status == 73, "\(command): \(result.errors)")
            #expect(
                result.errors.contains("longer than the 504 bytes that SQLite can open"),
                "\(command): \(result.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent).isEmpty)
        try FileManager.default.copyItem(
            atPath: sheaf.path("a.sqlite"), toPath: parent + "/a.sqlite")
        let result = try await sheaf.run("list", "--store", long)
        #expect(result.errors.contains("longer than the 504 bytes that SQLite can open"))
    }

    @Test("adding to a large list does not wait for the backup of the day")
    func longDaily() async throws {
        let line = "seq -f %0200.0f 30000 | \"$SHEAF\" import --store a.sqlite --format lines -"
        #expect(try await sheaf.shell(line).status == 0)
        #expect(try await sheaf.run("add", "--store", "a.sqlite", "x").status == 0)
        let wait = """
            for i in $(seq 200); do ls .local/state/sheaf/backups/*/*.sqlite 2>/dev/null && exit; sleep 0.1; done
            """
        let path = try await sheaf.shell(wait).output.trimmed
        let backup = try await sheaf.run("count", "--store", path)
        #expect(backup.output == "30001\n")
    }

    @Test("a backup of the day that cannot be made stops no work, and doctor tells")
    func noDaily() async throws {
        try sheaf.write("", to: ".local")
        for _ in 0..<2 {
            let result = try await sheaf.run("add", "--store", "a.sqlite", "x")
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
        }
        let doctor = try await sheaf.run("doctor", "--store", "a.sqlite")
        #expect(doctor.status == 0)
        #expect(doctor.output.contains("warning  daily backups cannot be made"))
    }

    @Test("doctor's status tells what it found")
    func statuses() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "x")
        #expect(try await sheaf.run("doctor", "--store", "a.sqlite").status == 0)
        #expect(try await sheaf.run("doctor", "--store", "none.sqlite").status == 66)
        try sheaf.write("", to: "empty.sqlite")
        let empty = try await sheaf.run("doctor", "--store", "empty.sqlite")
        #expect(empty.status == 65)
        #expect(empty.errors.isEmpty)
        let foreign = try await sheaf.run("doctor", "--store", "unrelated.json")
        #expect(foreign.status == 65)
        #expect(!foreign.output.contains("chmod"))
        #expect(try await sheaf.run("restore", "--store", "none.sqlite").status == 66)
    }

    /// Makes `a.sqlite`, larger than the limit for a complete check before a write, with an index
    /// that lacks most rows of its table.
    private func makeDamaged(
        _ index: String = "items_by_commit", _ columns: String = "commit_number"
    ) async throws {
        #expect(try await sheaf.run("demo", "--store", "a.sqlite", "--items", "5000").status == 0)
        let whole = "CREATE INDEX \(index) ON items (\(columns))"
        for (sql, isBuilt) in [(whole + " WHERE rowid < 9", true), (whole, false)] {
            let script = """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = '\(sql)' WHERE name = '\(index)';
                """
            #expect(try await sheaf.shell("sqlite3 a.sqlite \"\(script)\"").status == 0)
            guard isBuilt else { continue }
            #expect(try await sheaf.shell("sqlite3 a.sqlite 'REINDEX \(index)'").status == 0)
        }
    }

    private static let noBackup = "The list is damaged; no backup was made. Run 'sheaf doctor'"

    @Test("a command that cannot make the backup of the day because of damage says so each time")
    func damagedBackup() async throws {
        try await makeDamaged()
        #expect(try await sheaf.run("doctor", "--store", "a.sqlite").status == 65)
        for _ in 0..<2 {
            let added = try await sheaf.run("add", "--store", "a.sqlite", "one")
            #expect(added.status == 0)
            #expect(added.errors == "sheaf: \(Self.noBackup).\n")
        }
        let text = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "lines", "-", input: "two")
        #expect(text.errors.contains(Self.noBackup))
    }

    @Test("a list whose damage hides items is not exported or copied in part")
    func damagedExport() async throws {
        try await makeDamaged("items_by_rank", "rank, id")
        try sheaf.write("precious", to: "old.json")
        for words in [["export", "--store", "a.sqlite"], ["copy", "a.sqlite"]] {
            let target = words[0] == "export" ? ["-o", "old.json", "--force"] : ["new.json"]
            let outcome = try await sheaf.run(words + target)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("the list is damaged"))
            #expect(outcome.errors.contains("'sheaf doctor' shows what can be saved."))
        }
        #expect(try await sheaf.shell("cat old.json; ls new.json").output == "precious")
    }

    @Test("so does the screen, in a message")
    func damagedBackupOnScreen() async throws {
        try await makeDamaged()
        let terminal = try await TmuxSession(sheaf, columns: 100)
        try terminal.run("$SHEAF --store a.sqlite")
        try await terminal.wait(for: Self.noBackup)
        try terminal.type("q")
    }

    @Test("doctor recovers a damaged list into a new one, and never over a file")
    func recovers() async throws {
        _ = try await sheaf.run("demo", "--store", "a.json", "--items", "20")
        try sheaf.bytes(of: "a.json").prefix(3900)
            .write(to: URL(fileURLWithPath: sheaf.path("cut.json")))
        let first = try await sheaf.run("doctor", "--store", "cut.json", "--recover", "new.json")
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("Recovered "))
        #expect(first.errors.contains("left out"))
        #expect(try await sheaf.run("doctor", "--store", "new.json").status == 0)
        #expect(
            try await sheaf.run("doctor", "--store", "cut.json", "--recover", "new.json").status
                == 73)
    }

    @Test(
        "a recovery that ends half-way leaves no list under the name",
        arguments: ["sqlite", "json"])
    func endedRecovery(_ kind: String) async throws {
        _ = try await sheaf.run("demo", "--store", "a.\(kind)", "--items", "3000")
        // The system kills it for a file that grows too large.
        let result = try await sheaf.shell(
            "ulimit -f 300; \"$SHEAF\" doctor --store a.\(kind) --recover new.\(kind)")
        #expect(result.status != 0)
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("new.\(kind)")))
    }

    /// The writer adds two items in each commit, in order, so that a moment is an even number of
    /// them without a gap.
    @Test(
        "backups taken while another process writes are each whole and of one moment",
        arguments: ["sqlite", "json"])
    func whileWriting(_ kind: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "0", "0")
        let result = try await sheaf.shell(
            """
            (i=1; while [ ! -e stop ] && [ $i -lt 400 ]; do
                "$SHEAF" add --store a.\(kind) $i $i >/dev/null || exit; i=$((i + 1)); done) &
            for n in 1 2 3 4 5 6 7 8 9 10; do
                "$SHEAF" backup --store a.\(kind) b$n.\(kind) >/dev/null || echo failed
            done
            touch stop; wait
            """)
        #expect(result.output.isEmpty, "\(result.errors)")
        #expect(result.errors.isEmpty)
        var counts: [Int] = []
        for number in 1...10 {
            let names = try await sheaf.run("list", "--store", "b\(number).\(kind)").output
                .split(separator: "\n").map(String.init)
            #expect(names == (0..<names.count / 2).flatMap { ["\($0)", "\($0)"] })
            #expect(try await sheaf.run("doctor", "--store", "b\(number).\(kind)").status == 0)
            counts.append(names.count)
        }
        #expect(Set(counts).count > 1, "nothing was written meanwhile")
    }

    @Test("a wrong number and a mistyped option are told as what they are")
    func wrongOptions() async throws {
        let limit = try await sheaf.run("list", "--store", "a.sqlite", "--limit", "-1")
        #expect(limit.status == 64)
        #expect(limit.errors.contains("--limit takes a number, 0 or more."))
        let option = try await sheaf.run("--stroe", "a.sqlite")
        #expect(option.status == 64)
        #expect(option.errors.contains("'--stroe'"))
        let word = try await sheaf.run("--read-only", "nonsense")
        #expect(word.status == 64)
        #expect(word.errors.contains("'nonsense'"))
    }

    @Test("an import names what it left out in the order of the text")
    func orderOfLeftOut() async throws {
        try Data("# h\n\nparagraph\n\n- a\n".utf8 + [0xFF] + "\n- b\n\nother\n".utf8)
            .write(to: URL(fileURLWithPath: sheaf.path("x.md")))
        let errors = try await sheaf.run("import", "--store", "a.sqlite", "--skip-bad", "x.md")
            .errors
        let lines = errors.matches(of: /x\.md:(\d+):/).compactMap { Int($0.output.1) }
        #expect(lines == [3, 6, 9])
    }

    @Test(
        "unsaved changes of a damaged list wait for the restored one, and are named until it comes",
        arguments: StoreURL.Backend.allCases, [true, false])
    func damagedList(_ kind: StoreURL.Backend, isOfAnother: Bool) async throws {
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "one")
        _ = try await sheaf.run("add", "--store", "b.\(kind)", "two")
        let source = isOfAnother ? "b.\(kind)" : "a.\(kind)"
        _ = try await sheaf.run("backup", "--store", source, "backup.\(kind)")
        try await leaveLog(kind)
        _ = try await sheaf.shell("cp a.\(kind) whole; echo damaged > a.\(kind)")
        let restored = try await sheaf.run(
            "restore", "--store", "a.\(kind)", "backup.\(kind)")
        #expect(restored.status == 0, "\(restored.errors)")
        let names = try await sheaf.names("a.\(kind)").sorted()
        #expect(names == (isOfAnother ? ["two"] : ["left", "one"]))
        guard isOfAnother else { return }
        let reason = "these unsaved changes are of another list"
        #expect(restored.errors.contains(reason), "\(restored.errors)")
        #expect(try await sheaf.run("list", "--store", "a.\(kind)").errors.contains(reason))
        let again = try await sheaf.run("restore", "--store", "a.\(kind)", "whole")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await sheaf.names("a.\(kind)").sorted() == ["left", "one"])
    }

    @Test("a log that was copied with its folder is applied to the list beside it")
    func copiedFolder() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        try await leaveLog(.sqlite)
        _ = try await sheaf.shell("mkdir b; cp a.sqlite .a.sqlite.intents-* b")
        let log = try await sheaf.shell("ls b/.a.sqlite.intents-*[0-9a-f]").output
            .trimmingCharacters(in: .newlines)
        _ = try await sheaf.shell("cp -R b c")
        let applied = try await sheaf.run("restore", log)
        #expect(
            applied.output
                == "Applied 1 change to \(sheaf.path("b/a.sqlite")); the file was removed.\n",
            "\(applied)")
        let bare = try await sheaf.shell("cd c && \"$SHEAF\" restore .a.sqlite.intents-*[0-9a-f]")
        #expect(
            bare.output
                == "Applied 1 change to \(sheaf.path("c/a.sqlite")); the file was removed.\n",
            "\(bare)")
        #expect(try await sheaf.names("b/a.sqlite").sorted() == ["left", "one"])
    }

    @Test("what a killed run had not saved goes to the list that is set aside, not to the backup")
    func killedRun() async throws {
        _ = try await sheaf.run("add", "one", "--store", "a.sqlite")
        _ = try await sheaf.run("backup", "backup.sqlite", "--store", "a.sqlite")
        let terminal = try await TmuxSession(sheaf)
        try terminal.run(
            "sh -c 'echo $$ > pid; exec $SHEAF --store a.sqlite --slow-writes 600s';"
                + " echo status $?")
        try await terminal.wait(for: "○ one")
        try terminal.type("atwo\r")
        try await terminal.wait(for: "○ two")
        #expect(try await sheaf.shell("kill -KILL $(cat pid)").status == 0)
        try await terminal.wait(for: "status 137")
        #expect(try await sheaf.run("restore", "backup.sqlite", "--store", "a.sqlite").status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "one\n")
        let aside = try await sheaf.run("list", "--store", "sqlite:a.sqlite.before-restore-1")
        #expect(aside.output == "one\ntwo\n")
    }

    /// Leaves a log beside `a.KIND` with a new item, as a killed session does.
    @MainActor
    private func leaveLog(_ kind: StoreURL.Backend) async throws {
        let url = StoreURL(kind, path: sheaf.path("a.\(kind)"))
        let location = try FileLocation(url, environment: sheaf.environment)
        // The log takes the list's identity from here.
        let list = try await location.open(.readWrite)
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["left"]))
        try location.leaveLog(changes)
        await list.storage.close()
    }

    @Test(
        "a backup has what a killed session left, or says that it lacks it",
        arguments: StoreURL.Backend.allCases)
    func leftChanges(_ kind: StoreURL.Backend) async throws {
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "one")
        try await leaveLog(kind)
        let locked = try await sheaf.shell(
            """
            if [ "$(id -u)" = 0 ]; then
                chown -R 65534:65534 .; set -- setpriv --reuid=65534 --regid=65534 --clear-groups
            fi
            chmod 400 a.\(kind); chmod 555 .; mkdir -m 777 /tmp/$$ && "$@" "$SHEAF" backup --store a.\(kind) /tmp/$$/b
            s=$?; rm -r /tmp/$$; chmod 755 .; chmod 600 a.\(kind)
            chown -R "$(id -u):$(id -g)" .; exit $s
            """)
        #expect(locked.status == 0, "\(locked.errors)")
        #expect(locked.output.hasPrefix("Backed up 1 item to "), "\(locked.output)")
        #expect(
            locked.errors.contains("Not in the list: 1 unsaved change of an interrupted session."),
            "\(locked.errors)")
        let made = try await sheaf.run("backup", "--store", "a.\(kind)", "b.\(kind)")
        #expect(made.output == "Backed up 2 items to b.\(kind).\n")
        #expect(made.errors == "sheaf: Recovered 1 unsaved change of an interrupted session\n")
        #expect(try await sheaf.run("list", "--store", "a.\(kind)").errors.isEmpty)
        #expect(try await sheaf.names("b.\(kind)").sorted() == ["left", "one"])
    }

    @Test(
        "the backup of the day is made after a command has taken in what a killed session left",
        arguments: StoreURL.Backend.allCases)
    func leftBeforeDaily(_ kind: StoreURL.Backend) async throws {
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "one")
        try await leaveLog(kind)
        _ = try await sheaf.run("add", "--store", "a.\(kind)", "two")
        let listed = try await sheaf.run("restore", "--store", "a.\(kind)").output
        #expect(listed.contains("2 items  daily backup"), "\(listed)")
        #expect(listed.split(separator: "\n").count == 1)
    }

    @Test(
        "what root puts in the place of a file keeps its owner, group and permissions",
        arguments: ["sqlite", "json"])
    func owner(_ kind: String) async throws {
        guard geteuid() == 0 else { return }
        let result = try await sheaf.shell(
            """
            "$SHEAF" add --store a.\(kind) one; "$SHEAF" backup --store a.\(kind) b.\(kind)
            cp b.\(kind) c.\(kind); cp b.\(kind) d.json
            chown 65534:60 a.\(kind) c.\(kind) d.json; chmod 640 a.\(kind); chmod 664 c.\(kind) d.json
            "$SHEAF" restore --store a.\(kind) b.\(kind)
            "$SHEAF" backup --store a.\(kind) --force c.\(kind)
            "$SHEAF" export --store a.\(kind) --force --output d.json
            stat -c '%n %u %g %a' a.\(kind) c.\(kind) d.json >owners
            """)
        #expect(result.status == 0, "\(result.errors)")
        let owners = String(decoding: try sheaf.bytes(of: "owners"), as: UTF8.self)
        #expect(
            owners
                == "a.\(kind) 65534 60 640\nc.\(kind) 65534 60 664\nd.json 65534 60 664\n")
    }

    @Test("who cannot keep the group of a file gives no other group its rights")
    func lostGroup() async throws {
        guard geteuid() == 0 else { return }
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        let result = try await sheaf.shell(
            """
            chown -R 65534:65534 .; for n in b c d; do : >$n; chown 65534:60 $n; done
            chmod 664 b c; chmod 660 d
            run() { setpriv --reuid=65534 --regid=65534 --clear-groups "$SHEAF" "$@" >&2; }
            run backup --store a.sqlite --force b; run export --store a.sqlite --force --output c
            run backup --store a.sqlite --force d; stat -c '%n %u %g %a' b c d
            """)
        #expect(
            result.output == "b 65534 65534 644\nc 65534 65534 644\nd 65534 65534 600\n",
            "\(result.errors)")
    }

    @Test("a backup is not given the name of a list of another kind")
    func nameOfOtherKind() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        _ = try await sheaf.run("add", "--store", "a.json", "one")
        let nameless = try await sheaf.run("backup", "--store", "a.sqlite", "")
        #expect(nameless.status == 64)
        #expect(nameless.errors.contains("The file to write has no name."), "\(nameless.errors)")
        for name in [
            "sqlite:x.sqlite", "json:x.json", "SQLITE:x.sqlite", "Json:x.json", "file:x.sqlite",
        ] {
            let result = try await sheaf.run("backup", "--store", "a.sqlite", name)
            #expect(result.status == 64)
            #expect(result.errors.contains("name the file alone: x."), "\(result.errors)")
        }
        for (kind, file, hint) in [
            ("sqlite", "x.json", "x.sqlite"), ("sqlite", "x.JSON", "x.sqlite"),
            ("json", "x.sqlite", "x.json"), ("json", "./x.db", "./x.json"),
        ] {
            let result = try await sheaf.run("backup", "--store", "a.\(kind)", file)
            #expect(result.status == 64, "\(file): \(result.output)")
            #expect(
                result.errors.contains("a list of the same kind: name it \(hint)."),
                "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: sheaf.path(file)))
        }
        for (kind, file) in [("sqlite", "x.db"), ("json", "x.bak"), ("sqlite", "x")] {
            #expect(try await sheaf.run("backup", "--store", "a.\(kind)", file).status == 0)
        }
    }
}
