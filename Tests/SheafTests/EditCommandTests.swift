import ArgumentParser
import Foundation
import Testing

@testable import sheaf

/// The commands that edit items, on the built program.
@Suite("Commands that edit items")
struct EditCommandTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill([
            "aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three", "cccc0004": "four",
        ])
    }

    @Test("done marks items done, in any spelling of their ids, and says which")
    func done() async throws {
        let one = try await sheaf.edit("done", "BBBB")
        #expect(one.status == 0)
        #expect(one.output == "Marked “three” done.\n")
        let two = try await sheaf.edit(
            "done", "aaaa0001-0000", "CCCC0004000040008000000000000000", "cccc0004")
        #expect(two.output == "Marked 2 items done.\n")
        #expect(try await sheaf.doneNames() == ["four", "one", "three"])
        #expect(
            try await sheaf.edit("done", "--undo", "bbbb", "aaaa0002").output
                == "Marked “three” not done.\n")
        #expect(try await sheaf.doneNames() == ["four", "one"])
    }

    @Test("an item that is done already keeps its time")
    func doneTwice() async throws {
        _ = try await sheaf.edit("done", "bbbb")
        let before = try sheaf.bytes(of: "a.sqlite")
        let again = try await sheaf.edit("done", "bbbb")
        #expect(again.status == 0)
        #expect(again.output == "Nothing to change.\n")
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("rename gives a name, byte for byte, and keeps the rest")
    func rename() async throws {
        let name = "日本語 👩‍👩‍👧‍👦 cafe\u{301} \u{1B}[31m"
        let result = try await sheaf.edit("rename", "bbbb", name)
        #expect(result.status == 0)
        #expect(!result.output.contains("\u{1B}"))
        #expect(
            try await sheaf.run("list", "--store", "a.sqlite").output == "one\ntwo\n\(name)\nfour\n"
        )
        _ = try await sheaf.edit("rename", "bbbb", "café")
        _ = try await sheaf.edit("rename", "bbbb", "cafe\u{301}")
        #expect(Array(try await sheaf.names()[2].utf8) == Array("cafe\u{301}".utf8))
        #expect(
            try await sheaf.edit("rename", "bbbb", "cafe\u{301}").output == "Nothing to change.\n")
        for arguments in [["bbbb", " \t"], ["bbbb"], ["bbbb", "two", "words"]] {
            #expect(try await sheaf.edit("rename", arguments).status == 64)
        }
        #expect(try await sheaf.names()[2] == "cafe\u{301}")
    }

    @Test("delete takes items out of the list, and nothing else")
    func delete() async throws {
        let result = try await sheaf.edit("delete", "aaaa0002", "cccc", "aaaa0002")
        #expect(result.output == "Deleted 2 items.\n")
        #expect(try await sheaf.names() == ["one", "three"])
        let again = try await sheaf.edit("delete", "cccc")
        #expect(again.status == 1)
        #expect(again.errors.contains("cccc: no item"))
    }

    @Test("move puts items beside another one, several in the order that is given")
    func move() async throws {
        let first = try await sheaf.edit("move", "cccc", "--before", "aaaa0001")
        #expect(first.output == "Moved “four” before “one”.\n")
        #expect(try await sheaf.names() == ["four", "one", "two", "three"])
        #expect(try await sheaf.edit("move", "bbbb", "cccc", "--after", "aaaa0001").status == 0)
        #expect(try await sheaf.names() == ["one", "three", "four", "two"])
        for nowhere in [["bbbb", "--after", "bbbb"], ["bbbb", "cccc", "--after", "aaaa0001"]] {
            #expect(try await sheaf.edit("move", nowhere).output == "Nothing to change.\n")
        }
        #expect(
            try await sheaf.edit("move", "aaaa0001", "bbbb", "--before", "bbbb").output.contains(
                "Nothing"))
        #expect(try await sheaf.names() == ["one", "three", "four", "two"])
        #expect(try await sheaf.edit("move", "bbbb").status == 64)
        #expect(
            try await sheaf.edit("move", "bbbb", "--after", "cccc", "--before", "cccc").status == 64
        )
        #expect(try await sheaf.edit("move", "bbbb", "--after", "eeee").status == 1)
    }

    @Test("a move writes the rows that moved and no other")
    func rowsOfMove() async throws {
        let ranks =
            "\"$SHEAF\" list --store a.sqlite >/dev/null; sqlite3 a.sqlite 'select name, rank, commit_number from items order by name'"
        let before = try await sheaf.shell(ranks).output.split(separator: "\n")
        _ = try await sheaf.edit("move", "cccc", "--before", "aaaa0001")
        let after = try await sheaf.shell(ranks).output.split(separator: "\n")
        #expect(zip(before, after).filter { $0 != $1 }.map { $0.0.prefix(4) } == ["four"])
    }

    @Test(
        "a command that takes several ids commits once",
        arguments: [
            "done bbbb cccc aaaa0001", "delete bbbb cccc aaaa0001",
            "tag add new bbbb cccc aaaa0001",
            "move bbbb cccc --after aaaa0001",
        ])
    func oneCommit(command: String) async throws {
        let lines = """
            set -e
            "$SHEAF" rename --store a.sqlite aaaa0001 first
            number() { sqlite3 a.sqlite 'select last_number from commits'; }
            before=$(number)
            "$SHEAF" \(command) --store a.sqlite
            echo $(($(number) - before))
            """
        let result = try await sheaf.shell(lines)
        #expect(result.output.split(separator: "\n").last == "1", "\(result.errors)")
    }

    @Test("the commands work on a JSON store too")
    func jsonStore() async throws {
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
        let result = try await sheaf.shell(lines)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await sheaf.run("list", "--store", "a.json").output == "two\n3\nfour\n")
        #expect(
            try await sheaf.run("tag", "list", "--store", "a.json", "--format", "table").output
                == "#t  blue     2\n")
        #expect(try await sheaf.run("done", "--store", "a.json", "aaa0").status == 1)
    }

    @Test("every command has its own help with an example")
    func help() async throws {
        for command in [
            "rename", "done", "delete", "move", "tag", "tag add", "tag remove", "tag rename",
            "tag recolor", "tag merge", "tag delete", "tag list", "view", "view list",
            "view add", "view rename", "view move", "view delete",
        ] {
            let help = try await sheaf.shell("\"$SHEAF\" \(command) --help")
            #expect(help.status == 0)
            #expect(help.output.contains("For example:\n  sheaf \(command)"), "\(command)")
        }
    }

    @Test("no line of help breaks where it should not, on a terminal of 80 columns")
    func helpLines() throws {
        func check(_ command: any ParsableCommand.Type) {
            let lines = command.configuration.discussion.split(
                separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst() + [""]) {
                // Indented text is laid out by hand; all other text is one paragraph per line.
                let isLaidOut = line.hasPrefix(" ")
                #expect(!isLaidOut || line.count <= 80, "\(command): \(line)")
                #expect(
                    isLaidOut || line.isEmpty || next.isEmpty || next.hasPrefix(" "),
                    "\(command): \(line)")
            }
            for subcommand in command.configuration.subcommands { check(subcommand) }
        }
        check(Sheaf.self)
    }

    @Test("commands at the same time save all of their items in an intact list")
    func concurrentAdds() async throws {
        for round in 0..<4 {
            try await withThrowingTaskGroup { group in
                for number in 0..<6 {
                    group.addTask { [sheaf] in
                        let result = try await sheaf.run(
                            "add", "\(round) \(number)", "--store", "many.sqlite")
                        #expect(result.status == 0, "\(result.errors)")
                    }
                }
                try await group.waitForAll()
            }
        }
        let counted = try await sheaf.run("count", "--store", "many.sqlite")
        #expect(counted.output == "24\n")
        #expect(try await sheaf.run("doctor", "--store", "many.sqlite").status == 0)
    }
}
