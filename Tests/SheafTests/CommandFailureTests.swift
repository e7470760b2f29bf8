import Foundation
import SheafTestSupport
import Testing

/// Files that cannot be read or written, and output that cannot be printed, on the built program.
@Suite("Commands that cannot do their work")
struct CommandFailureTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill([
            "aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three", "cccc0004": "four",
        ])
    }

    @Test(
        "if another list takes the list's name while it is written, the error names a copy",
        .needs(.strace),
        arguments: ["mv a.sqlite away.sqlite; cp b.sqlite a.sqlite", "mv b.sqlite a.sqlite"])
    func replacedMeanwhile(_ command: String) async throws {
        for name in ["a", "b"] {
            #expect(try await sheaf.run("add", "--store", "\(name).sqlite", name).status == 0)
        }
        let result = try await sheaf.shell(
            """
            strace -f -qq -o trace -e trace=fdatasync -e inject=fdatasync:delay_enter=300000 \
                "$SHEAF" add --store a.sqlite late & writer=$!
            until [ -e a.sqlite-journal ]; do :; done
            \(command); wait $writer
            """)
        #expect(result.status == 65)
        #expect(result.errors.contains("the file was replaced: this is another list"))
        let copy = "a.sqlite.replaced-1"
        #expect(result.errors.contains("The list as it was, with the change, is in \(copy)."))
        #expect(try await sheaf.names(copy).last == "late")
        #expect(try await sheaf.names() == ["b"])
    }

    @Test("a missing store is 66, and none is made")
    func missingStore() async throws {
        for command in [
            "done bbbb", "delete bbbb", "rename bbbb x", "move bbbb --after cccc", "tag list",
            "tag add t bbbb", "tag remove t bbbb", "tag rename t u", "tag recolor t red",
            "tag merge t u", "tag delete t", "tag", "view", "view list", "view add v",
            "view rename v w", "view move v --before w", "view delete v",
        ] {
            let result = try await sheaf.shell("\"$SHEAF\" \(command) --store none.sqlite")
            #expect(result.status == 66, "\(command): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("none.sqlite")))
    }

    @Test("a store that cannot be written to is 74, and says why")
    func readOnlyStore() async throws {
        // Root, whom permissions do not stop, becomes another user.
        let line = """
            chmod 755 .; chmod 444 a.sqlite
            if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=65534 --clear-groups; else chmod 555 .; fi
            "$@" "$SHEAF" done --store a.sqlite bbbb; status=$?; chmod 755 .; exit $status
            """
        let result = try await sheaf.shell(line)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("read-only"))
        #expect(try await sheaf.doneNames().isEmpty)
    }

    @Test("a list that may not be read is told as that", arguments: ["sqlite", "json"])
    func unreadableStore(_ kind: String) async throws {
        _ = try await sheaf.run("add", "--store", "b.\(kind)", "x")
        let result = try await sheaf.shell(
            """
            if [ "$(id -u)" = 0 ]; then
                chown -R 65534:65534 .; set -- setpriv --reuid=65534 --regid=65534 --clear-groups
            fi
            chmod 000 b.\(kind); "$@" "$SHEAF" list --store b.\(kind); echo list $?
            "$@" "$SHEAF" add --store b.\(kind) x; echo add $?
            "$@" "$SHEAF" doctor --store b.\(kind)
            """)
        #expect(result.output.hasPrefix("list 66\nadd 73\n"), "\(result.output)")
        #expect(result.errors.contains("you may not read it (Permission denied)"))
        #expect(result.output.contains("problem  you may not read it"), "\(result.output)")
        #expect(!(result.errors + result.output).contains("read-only"), "\(result)")
    }

    @Test("a store that another process has locked is waited for, and 75 in the end")
    func lockedStore() async throws {
        let line = """
            mkfifo go; sqlite3 -cmd ".timeout 20000" a.sqlite < go & exec 3> go
            echo "begin immediate; select 1;" >&3
            until ! sqlite3 a.sqlite 'begin immediate; rollback' 2>/dev/null; do :; done
            "$SHEAF" done --store a.sqlite bbbb; echo status $?
            echo "commit;" >&3; exec 3>&-; wait
            "$SHEAF" done --store a.sqlite bbbb
            """
        let result = try await sheaf.shell(line)
        #expect(result.output.contains("status 75"), "\(result.output) \(result.errors)")
        #expect(result.output.hasSuffix("Marked “three” done.\n"))
    }

    @Test("a closed pipe does not keep an edit from being made")
    func closedPipe() async throws {
        let result = try await sheaf.shell("\"$SHEAF\" delete --store a.sqlite bbbb | true")
        #expect(result.errors.isEmpty)
        #expect(try await sheaf.names() == ["one", "two", "four"])
    }

    @Test("an edit that is done has not failed because that could not be printed")
    func fullOutput() async throws {
        for (command, words) in [
            ("done --store a.sqlite bbbb", "Marked “three” done."),
            ("add --store a.sqlite five", "-"),
            ("tag add --store a.sqlite book bbbb", "Added the tag"),
            ("demo --store b.sqlite", "Filled"),
            ("import --store b.json fill.json", "Imported 4 items."),
            ("backup --store a.sqlite c.sqlite", "Backed up"),
            ("restore --store a.sqlite c.sqlite", "Restored"),
            ("doctor --store a.sqlite --recover d.sqlite", "Recovered"),
        ] {
            for output in [">/dev/full", ">&-"]
            where output == ">/dev/full" || command.hasPrefix("add") {
                let result = try await sheaf.shell("\"$SHEAF\" \(command) \(output)")
                #expect(result.status == 0, "\(command) \(output): \(result.errors)")
                #expect(result.errors.hasPrefix("sheaf: standard output: cannot write: "))
                #expect(result.errors.contains(words), "\(command): \(result.errors)")
            }
        }
        #expect(try await sheaf.names() == ["one", "two", "three", "four", "five", "five"])
    }

    @Test(
        "what is there to print alone fails with 74 if it cannot",
        arguments: [
            "list --store a.sqlite", "list --store a.sqlite --format table",
            "list --store a.sqlite --format json", "export --store a.sqlite",
            "export --store a.sqlite --output /dev/full", "tag list --store a.sqlite --format json",
            "doctor --store a.sqlite", "keys", "--help", "help list", "list --help", "--version",
        ])
    func fullListing(_ command: String) async throws {
        for output in [">/dev/full", ">&-"] {
            if output == ">&-", command.hasSuffix("/dev/full") { continue }
            let result = try await sheaf.shell("\"$SHEAF\" \(command) \(output)")
            #expect(result.status == 74, "\(command) \(output): \(result.errors)")
            #expect(result.errors.contains("cannot write: "))
        }
    }

    @Test("what is written where standard output and error were goes into no file")
    func closedDescriptors() async throws {
        let before = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        for store in ["a.sqlite", "a.json"] {
            _ = try await sheaf.run("import", "--store", "a.json", "fill.json")
            _ = try await sheaf.shell(
                """
                "$SHEAF" list --store \(store) <&- >&- 2>&-
                "$SHEAF" list --store \(store) nothing --format x <&- >&- 2>&-
                "$SHEAF" export --store \(store) --force --output out.json <&- >&- 2>&-
                "$SHEAF" done --store \(store) nothing <&- >&- 2>&-
                """)
            let list = try await sheaf.run("list", "--store", store, "--format", "json").output
            #expect(list.split(separator: "\n").count == before.split(separator: "\n").count)
            let export = try await sheaf.run("export", "--store", store, "--format", "json")
            #expect(try sheaf.bytes(of: "out.json") == Data(export.output.utf8))
        }
    }

    /// Where nothing random can be opened, Foundation's ids are zero.
    @Test(
        "items have ids of their own where there are no devices",
        .enabled(if: succeeds("unshare", "-m", "mount", "-t", "tmpfs", "none", "/dev")))
    func noDevices() async throws {
        let result = try await sheaf.shell(
            """
            unshare -m sh -c 'mount -t tmpfs none /dev
                "$SHEAF" add --store new.sqlite x y; "$SHEAF" add --store new.sqlite --tag t z
                "$SHEAF" list --store new.sqlite'
            """)
        #expect(result.output.hasSuffix("\nx\ny\nz\n"), "\(result)")
        #expect(Set(result.output.split(separator: "\n")).count == 6)
    }

    @Test("too few files or threads, and files that grow too large, end in a sentence")
    func limits() async throws {
        // A limit of threads holds for a user, and not for root. Only the screen needs any.
        let result = try await sheaf.shell(
            """
            if [ "$(id -u)" = 0 ]; then
                chown -R 4242:4242 .; set -- setpriv --reuid=4242 --regid=4242 --clear-groups
            fi
            for files in 4 5 6 7 8 10; do
                (ulimit -n $files; exec "$SHEAF" add --store a.sqlite x); echo $?
            done
            timeout 20 "$@" prlimit --nproc=0 "$SHEAF" list --store a.sqlite --limit 1; echo $?
            TERM=xterm timeout 20 "$@" \\
                script -qec 'prlimit --nproc=0 "$SHEAF" --store a.sqlite' /dev/null </dev/null >&2; echo $?
            (ulimit -f 0; exec "$SHEAF" add --store new.sqlite x); echo $?
            (ulimit -f 0; exec "$SHEAF" add --store new.json x); echo $?
            """)
        #expect(result.output == "1\n1\n1\n1\n1\n1\none\n0\n1\n74\n74\n", "\(result.errors)")
        #expect(result.errors.contains("too few files may be open"))
        #expect(result.errors.contains("cannot start a thread"))
        #expect(try await sheaf.names().count == 4)
    }
}
