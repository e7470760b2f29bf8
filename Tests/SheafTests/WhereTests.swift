import Foundation
import Testing

/// `--where`, on the built program.
@Suite("Commands that edit what a query finds")
struct WhereTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill([
            "aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three", "cccc0004": "four",
            "cccc0005": "\\u001b[31mfive",
        ])
    }

    @Test("without a terminal it says what it would do, and wants --yes")
    func refuses() async throws {
        let before = try sheaf.bytes(of: "a.sqlite")
        for (arguments, words) in [
            (["done"], "mark 4 items done: “one”, “two”, “four” and 1 more"),
            (["delete"], "delete 4 items: “one”"),
            (["move", "--before", "bbbb"], "move 4 items before “three”: “one”"),
            (["tag add", "new"], "add the tag “new” to 4 items: “one”"),
        ] {
            let result = try await sheaf.edit(
                arguments[0], Array(arguments.dropFirst()) + ["--where", "NOT three"])
            #expect(result.status == 64)
            #expect(result.errors.contains("this would \(words)"), "\(result.errors)")
            #expect(result.errors.contains("Nothing was changed; --yes does it"))
            #expect(result.output.isEmpty)
            #expect(!result.errors.contains("\u{1B}"))
        }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("a query of nothing, a faulty one, and ids beside it are wrong usage")
    func wrongUsage() async throws {
        let before = try sheaf.bytes(of: "a.sqlite")
        for arguments in [
            ["--where", ""], ["--where", " \t"], ["--where", "(one"], ["--where", "#none"],
            ["--where", "one", "bbbb"], ["--where"], [], ["--where", "\u{308}"],
            ["--where", "one OR \u{301}"], ["--where", "one", "--where", "two"],
            // As where a script's variable is empty.
            ["--where", "--yes"], ["--where", "--undo"],
        ] {
            // One parser reads the query of all commands; each of them refuses none at all.
            let commands = ["done", "delete", "move --after bbbb", "tag add x", "tag remove x"]
            for command in arguments.isEmpty ? commands : commands.suffix(1) {
                let result = try await sheaf.edit(command, ["--yes"] + arguments)
                #expect(result.status == 64, "\(command) \(arguments): \(result.errors)")
                #expect(result.output.isEmpty)
            }
        }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("with --yes it edits all that the query finds, and nothing else")
    func edits() async throws {
        #expect(
            try await sheaf.edit("done", "--where", "t", "--yes").output == "Marked 2 items done.\n"
        )
        #expect(try await sheaf.doneNames() == ["three", "two"])
        #expect(
            try await sheaf.edit("tag add", "new", "--yes", "--where", "is:done").output
                == "Added the tag “new” to 2 items.\n")
        #expect(
            try await sheaf.edit("tag remove", "new", "--yes", "--where", "-three").output
                == "Removed “new” from “two”.\n")
        #expect(
            try await sheaf.edit("move", "--where", "fo OR one", "--after", "bbbb", "--yes").output
                == "Moved 2 items after “three”.\n")
        #expect(try await sheaf.names().prefix(4) == ["two", "three", "one", "four"])
        #expect(
            try await sheaf.edit("done", "--undo", "--where", "+new", "--yes").output
                == "Marked “three” not done.\n")
        #expect(
            try await sheaf.edit("delete", "--where", "-three", "--yes").output
                == "Deleted 4 items.\n")
        #expect(try await sheaf.names() == ["three"])
    }

    @Test("where there is nothing to do, nobody is asked")
    func nothing() async throws {
        let none = try await sheaf.edit("delete", "--where", "six")
        #expect(none.status == 0)
        #expect(none.output == "Nothing to change: the query finds no item.\n")
        let undone = try await sheaf.edit("done", "--undo", "--where", "one")
        #expect(undone.status == 0)
        #expect(undone.output == "Nothing to change.\n")
    }

    @Test(
        "on a terminal it asks, and only a yes is one",
        arguments: [("y", true), ("Yes", true), ("", false), ("n", false), ("yy", false)])
    func asks(answer: String, isYes: Bool) async throws {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" delete --store a.sqlite --where t"])
        try await terminal.wait(for: "This will delete 2 items: “two”, “three”. Continue? [y/N] ")
        try terminal.type("\(answer)\n")
        #expect(try await terminal.waitForEnd() == .exited(isYes ? 0 : 1))
        #expect(terminal.text.contains(isYes ? "Deleted 2 items." : "nothing was changed"))
        #expect(try await sheaf.names().count == (isYes ? 3 : 5))
    }

    @Test("words are a query on a terminal; the end of input is no yes")
    func endOfInput() async throws {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" delete --store a.sqlite t OR fi"])
        try await terminal.wait(for: "delete 3 items: “two”, “three”, “")
        try await terminal.wait(for: "[y/N] ")
        try terminal.type("\u{4}")
        #expect(try await terminal.waitForEnd() == .exited(1))
        #expect(try await sheaf.names().count == 5)
    }

    @Test("while it asks others edit the list, and what was counted is edited, no more and no less")
    func others() async throws {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" done --store a.sqlite --where t"])
        try await terminal.wait(for: "mark 2 items done: “two”, “three”")
        #expect(try await sheaf.edit("rename", "bbbb", "renamed").status == 0)
        #expect(try await sheaf.run("add", "--store", "a.sqlite", "ten").status == 0)
        try terminal.type("y\n")
        #expect(try await terminal.waitForEnd() == .exited(0))
        #expect(terminal.text.contains("Marked 2 items done."))
        #expect(try await sheaf.doneNames() == ["renamed", "two"])
        #expect(try await sheaf.names().contains("ten"))
    }

    /// Deletes four items, and has other processes run `commands` while it asks.
    private func delete(
        while commands: [String]...
    ) async throws -> (said: String, end: PseudoTerminal.End) {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" delete --store a.sqlite --where 'NOT three'"])
        try await terminal.wait(for: "delete 4 items")
        for command in commands {
            #expect(try await sheaf.edit(command[0], Array(command.dropFirst())).status == 0)
        }
        try terminal.type("y\n")
        let end = try await terminal.waitForEnd()
        return (terminal.text, end)
    }

    @Test("what others edit while it asks is not deleted, and not counted as deleted")
    func editedMeanwhile() async throws {
        let (said, end) = try await delete(while: ["rename", "aaaa0001", "renamed"])
        #expect(said.contains("changed 1 item: what it edited was not deleted."))
        #expect(said.contains("Deleted 3 items."))
        #expect(end == .exited(1))
        #expect(try await sheaf.names() == ["renamed", "three"])
    }

    @Test("where others edit all that it asks about, it deletes nothing")
    func allEditedMeanwhile() async throws {
        let (said, end) = try await delete(while: ["done", "--where", "-three", "--yes"])
        #expect(said.contains("changed 4 items: what it edited was not deleted."))
        #expect(said.contains("Deleted nothing."))
        #expect(end == .exited(1))
        #expect(try await sheaf.names().count == 5)
    }

    @Test("what others delete while it asks is not counted as deleted here")
    func deletedMeanwhile() async throws {
        let (said, end) = try await delete(while: ["delete", "aaaa0001", "cccc0004"])
        #expect(said.contains("Another process has already deleted 2 items."))
        #expect(said.contains("Deleted 2 items."))
        #expect(end == .exited(0))
        #expect(try await sheaf.names() == ["three"])
    }

    @Test("where others delete all that it asks about, it does nothing")
    func allDeletedMeanwhile() async throws {
        let (said, end) = try await delete(while: ["delete", "--where", "-three", "--yes"])
        #expect(said.contains("Another process has already deleted 4 items."))
        #expect(said.contains("Nothing was changed."))
        #expect(!said.contains("Deleted"))
        #expect(end == .exited(0))
    }

    @Test(
        "a list that another one overwrites while it asks is refused by every command",
        arguments: [
            "delete --where two", "move --where two --after bbbb0003", "done --where two",
            "tag add x --where two", "set --where two --due 2026-12-01",
        ])
    func overwrittenMeanwhile(_ command: String) async throws {
        _ = try await sheaf.run("add", "--store", "other.sqlite", "six")
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" --store a.sqlite \(command)"])
        try await terminal.wait(for: "Continue? [y/N] ")
        #expect(try await sheaf.shell("cp other.sqlite a.sqlite").status == 0)
        try terminal.type("y\n")
        #expect(try await terminal.waitForEnd() == .exited(65))
        #expect(
            terminal.text.contains("the file was overwritten: this is another list"),
            "\(terminal.text)")
        #expect(try sheaf.bytes(of: "a.sqlite") == sheaf.bytes(of: "other.sqlite"))
    }

    /// Has `command` ask, other processes run `commands`, and the user answer yes.
    private func answer(
        _ command: String, after commands: [String]...
    ) async throws -> (said: String, end: PseudoTerminal.End) {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" --store a.sqlite \(command)"])
        try await terminal.wait(for: "Continue? [y/N] ")
        for command in commands {
            let result = try await sheaf.edit(command[0], Array(command.dropFirst()))
            #expect(result.status == 0, "\(result.errors)")
        }
        try terminal.type("y\n")
        let end = try await terminal.waitForEnd()
        return (terminal.text, end)
    }

    @Test("a text that others type while it asks is kept")
    func typedMeanwhile() async throws {
        let (said, end) = try await answer(
            "set --where t --note bulk", after: ["set", "aaaa0002", "--note", "theirs"])
        #expect(end == .exited(0))
        #expect(said.contains("Another process also changed 1 item"), "\(said)")
        let shown = try await sheaf.run("show", "--store", "a.sqlite", "aaaa0002").output
        #expect(shown.contains("bulk") && shown.contains("theirs"), "\(shown)")
    }

    @Test("what others have done while it asks is done already")
    func marksDoneTwice() async throws {
        let (said, end) = try await answer("done --where t", after: ["done", "aaaa0002"])
        #expect(end == .exited(0))
        #expect(said.contains("Marked “three” done."))
        #expect(!said.contains("Another process"))
        let (again, _) = try await answer(
            "done --undo --where t", after: ["done", "--undo", "bbbb", "aaaa0002"])
        #expect(again.contains("Nothing to change."))
    }

    @Test(
        "what others delete while it asks stays deleted",
        arguments: [
            "done --where t", "done --undo --where 'f OR two'", "set --where t --due 2027-01-01",
            "move --where t --before aaaa0001", "tag add x --where t", "tag remove y --where t",
        ])
    func deletedStaysDeleted(_ command: String) async throws {
        _ = try await sheaf.edit("tag add", "y", "--where", "t", "--yes")
        if command.contains("--undo") {
            _ = try await sheaf.edit("done", "--where", "f OR two", "--yes")
        }
        let (said, end) = try await answer(command, after: ["delete", "aaaa0002"])
        #expect(said.contains("Another process has already deleted 1 item."), "\(said)")
        #expect(end == .exited(0))
        #expect(try await !sheaf.names().contains("two"))
        #expect(try await sheaf.names().count == 4)
    }

    @Test("where others delete all that it asks about, nothing comes back")
    func nothingComesBack() async throws {
        let (said, end) = try await answer(
            "set --where t --priority A", after: ["delete", "aaaa0002", "bbbb"])
        #expect(said.contains("Another process has already deleted 2 items."))
        #expect(said.contains("Nothing was changed."))
        #expect(end == .exited(0))
        #expect(try await sheaf.names().count == 3)
    }

    @Test("the next occurrence is that of the item as it is at the answer")
    func nextOfPresent() async throws {
        _ = try await sheaf.edit("set", "aaaa0002", "--due", "2027-01-05", "--repeat", "+1m")
        let (said, _) = try await answer(
            "done --where t", after: ["set", "aaaa0002", "--due", "2027-03-10", "--note", "new"])
        #expect(said.contains("Marked 2 items done. Added the next occurrence."))
        #expect(!said.contains("Another process"))
        let next = try await sheaf.edit("list", "--format", "json", "is:open", "two").output
        #expect(next.contains("\"due\": \"2027-04-10\"") && next.contains("\"note\": \"new\""))
    }

    @Test("the question says how many items come again")
    func repeating() async throws {
        _ = try await sheaf.edit("set", "aaaa0002", "--due", "2024-01-31", "--repeat", "+1m")
        func question(_ arguments: String...) async throws -> String {
            try await sheaf.edit("done", arguments).errors
        }
        #expect(try await question("--where", "t").contains("mark 2 items done (1 repeats): “two”"))
        #expect(
            try await question("--where", "two").contains("mark “two” done (1 repeats). Nothing"))
        #expect(try await question("--where", "three").contains("mark “three” done. Nothing"))
        _ = try await sheaf.edit("set", "bbbb", "--due", "2024-01-31", "--repeat", "+1m")
        #expect(try await question("--where", "t").contains("mark 2 items done (2 repeat): “two”"))
        _ = try await sheaf.edit("done", "bbbb", "aaaa0002")
        #expect(
            try await question("--undo", "--where", "is:done").contains(
                "mark 2 items not done: “two”"))
    }
}
