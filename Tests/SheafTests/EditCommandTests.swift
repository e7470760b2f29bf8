import Foundation
import SheafTestSupport
import Testing

/// The commands that edit items, on the built program.
@Suite("Commands that edit items")
struct EditCommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
        try sheaf.fill([
            "aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three", "cccc0004": "four",
        ])
    }

    private func names() throws -> [String] {
        try sheaf.run("list", "--store", "a.sqlite").output.split(separator: "\n").map(String.init)
    }

    /// The items as `list` gives them, by name.
    private func items() throws -> [String: [String: Any]] {
        let data = Data(
            try sheaf.run("list", "--store", "a.sqlite", "--format", "json").output.utf8)
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return Dictionary(
            list.map { ($0["name"] as? String ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func doneNames() throws -> [String] {
        try items().filter { $0.value["done"] as? Bool ?? false }.keys.sorted()
    }

    /// Runs a command that edits the store.
    private func edit(_ command: String, _ rest: String...) throws -> SheafBinary.Result {
        try sheaf.edit(command, rest)
    }

    @Test("done marks items done, in any spelling of their ids, and says which")
    func done() throws {
        let one = try edit("done", "BBBB")
        #expect(one.status == 0)
        #expect(one.output == "Marked “three” done.\n")
        let two = try edit("done", "aaaa0001-0000", "CCCC0004000040008000000000000000", "cccc0004")
        #expect(two.output == "Marked 2 items done.\n")
        #expect(try doneNames() == ["four", "one", "three"])
        #expect(
            try edit("done", "--undo", "bbbb", "aaaa0002").output == "Marked “three” not done.\n")
        #expect(try doneNames() == ["four", "one"])
    }

    @Test("an item that is done already keeps its time")
    func doneTwice() throws {
        _ = try edit("done", "bbbb")
        let before = try sheaf.bytes(of: "a.sqlite")
        let again = try edit("done", "bbbb")
        #expect(again.status == 0)
        #expect(again.output == "Nothing to change.\n")
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("rename gives a name, byte for byte, and keeps the rest")
    func rename() throws {
        let name = "日本語 👩‍👩‍👧‍👦 cafe\u{301} \u{1B}[31m"
        let result = try edit("rename", "bbbb", name)
        #expect(result.status == 0)
        #expect(!result.output.contains("\u{1B}"))
        #expect(try sheaf.run("list", "--store", "a.sqlite").output == "one\ntwo\n\(name)\nfour\n")
        _ = try edit("rename", "bbbb", "café")
        _ = try edit("rename", "bbbb", "cafe\u{301}")
        #expect(Array(try names()[2].utf8) == Array("cafe\u{301}".utf8))
        #expect(try edit("rename", "bbbb", "cafe\u{301}").output == "Nothing to change.\n")
        for arguments in [["bbbb", " \t"], ["bbbb"], ["bbbb", "two", "words"]] {
            #expect(try sheaf.edit("rename", arguments).status == 64)
        }
        #expect(try names()[2] == "cafe\u{301}")
    }

    @Test("delete takes items out of the list, and nothing else")
    func delete() throws {
        let result = try edit("delete", "aaaa0002", "cccc", "aaaa0002")
        #expect(result.output == "Deleted 2 items.\n")
        #expect(try names() == ["one", "three"])
        let again = try edit("delete", "cccc")
        #expect(again.status == 1)
        #expect(again.errors.contains("cccc: no item"))
    }

    @Test("move puts items beside another one, several in the order that is given")
    func move() throws {
        let first = try edit("move", "cccc", "--before", "aaaa0001")
        #expect(first.output == "Moved “four” before “one”.\n")
        #expect(try names() == ["four", "one", "two", "three"])
        #expect(try edit("move", "bbbb", "cccc", "--after", "aaaa0001").status == 0)
        #expect(try names() == ["one", "three", "four", "two"])
        for nowhere in [["bbbb", "--after", "bbbb"], ["bbbb", "cccc", "--after", "aaaa0001"]] {
            #expect(try sheaf.edit("move", nowhere).output == "Nothing to change.\n")
        }
        #expect(try edit("move", "aaaa0001", "bbbb", "--before", "bbbb").output.contains("Nothing"))
        #expect(try names() == ["one", "three", "four", "two"])
        #expect(try edit("move", "bbbb").status == 64)
        #expect(try edit("move", "bbbb", "--after", "cccc", "--before", "cccc").status == 64)
        #expect(try edit("move", "bbbb", "--after", "eeee").status == 1)
    }

    @Test("a move writes the rows that moved and no other")
    func rowsOfMove() throws {
        let ranks =
            "\"$SHEAF\" list --store a.sqlite >/dev/null; sqlite3 a.sqlite 'select name, rank from items order by name'"
        let before = try sheaf.shell(ranks).output.split(separator: "\n")
        _ = try edit("move", "cccc", "--before", "aaaa0001")
        let after = try sheaf.shell(ranks).output.split(separator: "\n")
        #expect(zip(before, after).filter { $0 != $1 }.map { $0.0.prefix(4) } == ["four"])
    }

    @Test("an ambiguous id gets the items to choose from, without control sequences")
    func ambiguous() throws {
        _ = try edit("rename", "aaaa0002", "t\u{1B}]0;x\u{7}wo\u{202E}")
        let result = try edit("delete", "aaaa", "bbbb")
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("sheaf: aaaa: several items"))
        #expect(result.errors.contains("\n  aaaa0001-0000-4000-8000-000000000000  “one”\n"))
        #expect(result.errors.contains("\n  aaaa0002-"))
        #expect(!result.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(try names().count == 4)
    }

    @Test(
        "an id that is wrong gets a sentence and a status, and nothing is changed",
        arguments: [
            ("ffff", 1), ("ffff0000-0000-4000-8000-000000000000", 1), ("aaaa", 1), ("abc", 64),
            ("", 64), ("milk", 64), ("\u{1B}[31mmilk", 64),
            ("aaaa0001-0000-4000-8000-0000000000000", 64),
        ] as [(String, Int32)])
    func wrong(id: String, status: Int32) throws {
        let before = try sheaf.bytes(of: "a.sqlite")
        for arguments in [
            ["done", "bbbb", id], ["delete", "bbbb", id], ["rename", id, "x"],
            ["move", "bbbb", id, "--before", "aaaa0001"], ["move", "bbbb", "--before", id],
            ["tag", "add", "new", "bbbb", id], ["tag", "remove", "new", "bbbb", id],
        ] {
            let words = arguments[0] == "tag" ? 2 : 1
            let result = try sheaf.edit(
                arguments.prefix(words).joined(separator: " "), Array(arguments.dropFirst(words)))
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.hasPrefix("sheaf: "))
            #expect(!result.errors.contains("\u{1B}"))
            #expect(result.output.isEmpty)
        }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("- reads ids from standard input, and names the line that is none")
    func standardInput() throws {
        let result = try sheaf.run(
            "done", "--store", "a.sqlite", "-", input: "bbbb\n\n  aaaa0001 \ncccc")
        #expect(result.output == "Marked 3 items done.\n")
        let bad = try sheaf.run("done", "--store", "a.sqlite", "--undo", "-", input: "bbbb\nmilk\n")
        #expect(bad.status == 65)
        #expect(bad.errors.contains("standard input:2: milk"))
        #expect(try doneNames() == ["four", "one", "three"])
        let none = try sheaf.run("delete", "--store", "a.sqlite", "-", input: "\n")
        #expect(none.status == 0)
        #expect(none.output == "Nothing to change.\n")
        #expect(try names().count == 4)
    }

    @Test("the ids that list prints are ids that commands take")
    func pipe() throws {
        let line =
            "\"$SHEAF\" list --store a.sqlite --format table t | cut -d' ' -f1"
            + " | \"$SHEAF\" done --store a.sqlite -"
        #expect(try sheaf.shell(line).output == "Marked 2 items done.\n")
        #expect(try doneNames() == ["three", "two"])
    }

    @Test("a table shows as much of the ids as tells its items apart")
    func idColumn() throws {
        try sheaf.write(
            """
            [{"id": "aaaa0001-0000-4000-8000-000000000001", "name": "near"}]
            """, to: "near.json")
        _ = try sheaf.run("import", "--store", "a.sqlite", "near.json")
        let table = try sheaf.run("list", "--store", "a.sqlite", "--format", "table").output
        let ids = table.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(ids.count == 5)
        #expect(Set(ids).count == 5)
        let short = try sheaf.run("list", "--store", "a.sqlite", "--format", "table", "four").output
        #expect(short.hasPrefix("cccc0004  "))
    }

    @Test("the commands work on a JSON store too")
    func jsonStore() throws {
        let lines = """
            set -e
            "$SHEAF" import --store a.json fill.json
            "$SHEAF" move --store a.json cccc aaaa0001 --after bbbb
            "$SHEAF" done --store a.json aaaa0002
            "$SHEAF" rename --store a.json bbbb 3
            "$SHEAF" tag add --store a.json t bbbb cccc
            "$SHEAF" tag add --store a.json u cccc
            "$SHEAF" tag merge --store a.json u t
            "$SHEAF" delete --store a.json aaaa0001
            """
        let result = try sheaf.shell(lines)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try sheaf.run("list", "--store", "a.json").output == "two\n3\nfour\n")
        #expect(
            try sheaf.run("tag", "list", "--store", "a.json", "--format", "table").output
                == "#t  blue     2\n")
        #expect(try sheaf.run("done", "--store", "a.json", "aaa0").status == 1)
    }

    @Test("a missing store is 66, and none is made")
    func missingStore() throws {
        for command in [
            "done bbbb", "delete bbbb", "rename bbbb x", "move bbbb --after cccc", "tag list",
            "tag add t bbbb", "tag remove t bbbb", "tag rename t u", "tag recolour t red",
            "tag merge t u", "tag delete t", "tag",
        ] {
            let result = try sheaf.shell("\"$SHEAF\" \(command) --store none.sqlite")
            #expect(result.status == 66, "\(command): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("none.sqlite")))
    }

    @Test("a store that cannot be written to is 74, and says why")
    func readOnlyStore() throws {
        // Root, whom permissions do not stop, becomes nobody.
        let line = """
            chmod 755 .; chmod 444 a.sqlite
            if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=65534 --clear-groups; else chmod 555 .; fi
            "$@" "$SHEAF" done --store a.sqlite bbbb; status=$?; chmod 755 .; exit $status
            """
        let result = try sheaf.shell(line)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("read-only"))
        #expect(try doneNames().isEmpty)
    }

    @Test("a store that another process has locked is waited for, and 75 in the end")
    func lockedStore() throws {
        let line = """
            mkfifo go; sqlite3 a.sqlite < go & exec 3> go
            echo "begin immediate; select 1;" >&3
            until ! sqlite3 a.sqlite 'begin immediate; rollback' 2>/dev/null; do :; done
            "$SHEAF" done --store a.sqlite bbbb; echo status $?
            echo "commit;" >&3; exec 3>&-; wait
            "$SHEAF" done --store a.sqlite bbbb
            """
        let result = try sheaf.shell(line)
        #expect(result.output.contains("status 75"), "\(result.output) \(result.errors)")
        #expect(result.output.hasSuffix("Marked “three” done.\n"))
    }

    @Test("a closed pipe does not keep an edit from being made")
    func closedPipe() throws {
        let result = try sheaf.shell("\"$SHEAF\" delete --store a.sqlite bbbb | true")
        #expect(result.errors.isEmpty)
        #expect(try names() == ["one", "two", "four"])
    }

    @Test("an edit that is done has not failed because that could not be printed")
    func fullOutput() throws {
        for (command, words) in [
            ("done --store a.sqlite bbbb", "Marked “three” done."),
            ("add --store a.sqlite five", "-"),
            ("tag add --store a.sqlite book bbbb", "Tagged"), ("demo --store b.sqlite", "Filled"),
            ("import --store b.json fill.json", "Imported 4 items."),
            ("backup --store a.sqlite c.sqlite", "Backed up"),
            ("restore --store a.sqlite c.sqlite", "Restored"),
            ("doctor --store a.sqlite --recover d.sqlite", "Recovered"),
        ] {
            for output in [">/dev/full", ">&-"]
            where output == ">/dev/full" || command.hasPrefix("add") {
                let result = try sheaf.shell("\"$SHEAF\" \(command) \(output)")
                #expect(result.status == 0, "\(command) \(output): \(result.errors)")
                #expect(result.errors.hasPrefix("sheaf: standard output: cannot write: "))
                #expect(result.errors.contains(words), "\(command): \(result.errors)")
            }
        }
        #expect(try names() == ["one", "two", "three", "four", "five", "five"])
    }

    @Test(
        "what is there to print alone fails with 74 if it cannot",
        arguments: [
            "list --store a.sqlite", "list --store a.sqlite --format table",
            "list --store a.sqlite --format json", "export --store a.sqlite",
            "export --store a.sqlite --output /dev/full", "tag list --store a.sqlite --format json",
            "doctor --store a.sqlite", "keys", "--help", "help list", "list --help", "--version",
        ])
    func fullListing(_ command: String) throws {
        for output in [">/dev/full", ">&-"] {
            if output == ">&-", command.hasSuffix("/dev/full") { continue }
            let result = try sheaf.shell("\"$SHEAF\" \(command) \(output)")
            #expect(result.status == 74, "\(command) \(output): \(result.errors)")
            #expect(result.errors.contains("cannot write: "))
        }
    }

    @Test("what is written where standard output and error were goes into no file")
    func closedDescriptors() throws {
        let before = try sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        for store in ["a.sqlite", "a.json"] {
            _ = try sheaf.run("import", "--store", "a.json", "fill.json")
            _ = try sheaf.shell(
                """
                "$SHEAF" list --store \(store) <&- >&- 2>&-
                "$SHEAF" list --store \(store) nothing --format x <&- >&- 2>&-
                "$SHEAF" export --store \(store) --output out.json <&- >&- 2>&-
                "$SHEAF" done --store \(store) nothing <&- >&- 2>&-
                """)
            let list = try sheaf.run("list", "--store", store, "--format", "json").output
            #expect(list.split(separator: "\n").count == before.split(separator: "\n").count)
            #expect(try sheaf.bytes(of: "out.json").last == UInt8(ascii: "\n"))
        }
    }

    @Test("thousands of ids, words and names are taken as they are given")
    func manyArguments() throws {
        let names = (0..<12_000).map { "item \($0)" }
        let added = try sheaf.run(["add", "--store", "many.sqlite", "--note", "n"] + names)
        let ids = added.output.split(separator: "\n").map(String.init)
        #expect(ids.count == names.count)
        let listed = try sheaf.run("list", "--store", "many.sqlite").output
        #expect(listed.split(separator: "\n").map(String.init) == names)
        let done = try sheaf.run(["done", "--store", "many.sqlite"] + ids + ["--undo"])
        #expect(done.output == "Nothing to change.\n", "\(done.errors.prefix(200))")
        let mixed = try sheaf.run(
            ["done", ids[0], "--store", "many.sqlite"] + ids[1...50] + ["-"] + ids[51...99],
            input: ids[100])
        #expect(mixed.output == "Marked 101 items done.\n", "\(mixed.errors)")
        let wrong = try sheaf.run(["done", "--store", "many.sqlite"] + ids[..<50] + ["x y"])
        #expect(wrong.status == 64 && wrong.errors.contains("x y: not an id"))
        let dashed = try sheaf.run(
            ["list", "--store", "many.sqlite", "--"] + names[..<50] + ["-x"])
        #expect(dashed.status == 0)
    }

    @Test("an error quotes no more than a line bears")
    func longInput() throws {
        let long = String(repeating: "z", count: 2_000_000)
        let input = try sheaf.run("done", "--store", "a.sqlite", "-", input: long)
        #expect(input.status == 65)
        #expect(input.errors.utf8.count < 300)
        let word = String(long.prefix(100_000))
        for arguments in [
            ["done", word], ["rename", word, "x"], ["move", "bbbb", "--after", word],
            ["tag", "delete", word], ["tag", "recolour", word, "red"],
            ["tag", "recolour", "x", word],
            ["list", "--limit", word], ["list", "--format", word], [word], ["list", "--\(word)"],
            ["import", word], ["export", "--output", word], ["list", "--store", word],
            ["list", "--store", "\(word):x"], ["backup", word], ["restore", word],
        ] {
            let result = try sheaf.run(arguments)
            #expect(result.status != 0)
            #expect(result.errors.utf8.count < 10_000, "\(arguments.first ?? "")")
        }
    }

    @Test("a list that may not be read is told as that", arguments: ["sqlite", "json"])
    func unreadableStore(_ kind: String) throws {
        _ = try sheaf.run("add", "--store", "b.\(kind)", "x")
        let result = try sheaf.shell(
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

    /// Where nothing random can be opened, Foundation's ids are zero.
    @Test(
        "items have ids of their own where there are no devices",
        .enabled(if: succeeds("unshare", "-m", "mount", "-t", "tmpfs", "none", "/dev")))
    func noDevices() throws {
        let result = try sheaf.shell(
            """
            unshare -m sh -c 'mount -t tmpfs none /dev
                "$SHEAF" add --store new.sqlite x y; "$SHEAF" add --store new.sqlite --tag t z
                "$SHEAF" list --store new.sqlite'
            """)
        #expect(result.output.hasSuffix("\nx\ny\nz\n"), "\(result)")
        #expect(Set(result.output.split(separator: "\n")).count == 6)
    }

    @Test("too few files or threads, and files that grow too large, end in a sentence")
    func limits() throws {
        // A limit of threads holds for a user, and not for root. Only the screen needs any.
        let result = try sheaf.shell(
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
        #expect(try names().count == 4)
    }

    @Test("every command has its own help with an example")
    func help() throws {
        for command in [
            "rename", "done", "delete", "move", "tag", "tag add", "tag remove", "tag rename",
            "tag recolour", "tag merge", "tag delete", "tag list",
        ] {
            let help = try sheaf.shell("\"$SHEAF\" \(command) --help")
            #expect(help.status == 0)
            #expect(help.output.contains("For example:\n  sheaf \(command)"), "\(command)")
        }
    }
}
