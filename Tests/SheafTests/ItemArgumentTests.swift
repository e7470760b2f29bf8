import Foundation
import Testing

/// The ids and words that commands are given, on the built program.
@Suite("Ids and other arguments")
struct ItemArgumentTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill([
            "aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three", "cccc0004": "four",
        ])
    }

    @Test("an ambiguous id gets the items to choose from, without control sequences")
    func ambiguous() async throws {
        _ = try await sheaf.edit("rename", "aaaa0002", "t\u{1B}]0;x\u{7}wo\u{202E}")
        let result = try await sheaf.edit("delete", "aaaa", "bbbb")
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("sheaf: aaaa: several items"))
        #expect(result.errors.contains("\n  aaaa0001-0000-4000-8000-000000000000  “one”\n"))
        #expect(result.errors.contains("\n  aaaa0002-"))
        #expect(!result.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(try await sheaf.names().count == 4)
    }

    @Test("a table sorted by a time has that time", arguments: ["created", "done"])
    func tableAge(key: String) async throws {
        let now = Date()
        func item(_ number: Int, done: Bool) -> String {
            let times = (1...3).map { days in
                now.addingTimeInterval(-86_400 * Double(days + 3 * number) - 60)
                    .ISO8601Format()
            }
            let doneAt = done ? #", "done": true, "doneAt": "\#(times[1])""# : ""
            return #"{"name": "\#(number)", "createdAt": "\#(times[2])", "#
                + #""updatedAt": "\#(times[0])"\#(doneAt)}"#
        }
        let items = [item(0, done: true), item(1, done: false)]
        try sheaf.write(
            #"{"format": "sheaf", "version": 2, "items": [\#(items.joined(separator: ","))]}"#,
            to: "times.json")
        let result = try await sheaf.run(
            "list", "--store", "times.json", "--format", "table", "--sort", key)
        let dates = result.output.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
        let days = try await sheaf.shell(
            "for n in 2 3 6; do date -d \"$n days ago 1 minute ago\" +%F; done"
        ).output.split(separator: "\n")
        #expect(
            dates == (key == "created" ? ["created", days[1], days[2]] : ["done", days[0], "1"]),
            "\(result)")
    }

    @Test(
        "an id that is wrong gets a sentence and a status, and nothing is changed",
        arguments: [
            ("ffff", 1), ("ffff0000-0000-4000-8000-000000000000", 1), ("aaaa", 1), ("abc", 64),
            ("", 64), ("milk", 64), ("\u{1B}[31mmilk", 64),
            ("aaaa0001-0000-4000-8000-0000000000000", 64),
        ] as [(String, Int32)])
    func wrong(id: String, status: Int32) async throws {
        let before = try sheaf.bytes(of: "a.sqlite")
        for arguments in [
            ["done", "bbbb", id], ["delete", "bbbb", id], ["rename", id, "x"],
            ["move", "bbbb", id, "--before", "aaaa0001"], ["move", "bbbb", "--before", id],
            ["tag", "add", "new", "bbbb", id], ["tag", "remove", "new", "bbbb", id],
        ] {
            let words = arguments[0] == "tag" ? 2 : 1
            let result = try await sheaf.edit(
                arguments.prefix(words).joined(separator: " "), Array(arguments.dropFirst(words)))
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.hasPrefix("sheaf: "))
            #expect(!result.errors.contains("\u{1B}"))
            #expect(result.output.isEmpty)
        }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("- reads ids from standard input, and names the line that is none")
    func standardInput() async throws {
        let result = try await sheaf.run(
            "done", "--store", "a.sqlite", "-", input: "bbbb\n\n  aaaa0001 \ncccc")
        #expect(result.output == "Marked 3 items done.\n")
        let bad = try await sheaf.run(
            "done", "--store", "a.sqlite", "--undo", "-", input: "bbbb\nmilk\n")
        #expect(bad.status == 65)
        #expect(bad.errors.contains("standard input:2: milk"))
        #expect(try await sheaf.doneNames() == ["four", "one", "three"])
        let windows = try await sheaf.run(
            "done", "--store", "a.sqlite", "-", input: "bbbb\r\n\r\ncccc\r\nmilk\r\n")
        #expect(windows.errors.contains("standard input:4: milk"))
        let none = try await sheaf.run("delete", "--store", "a.sqlite", "-", input: "\n")
        #expect(none.status == 0)
        #expect(none.output == "Nothing to change.\n")
        #expect(try await sheaf.names().count == 4)
    }

    @Test("the ids that list prints are ids that commands take")
    func pipe() async throws {
        let line =
            "\"$SHEAF\" list --store a.sqlite --format table t | tail -n +2 | cut -d' ' -f1"
            + " | \"$SHEAF\" done --store a.sqlite -"
        #expect(try await sheaf.shell(line).output == "Marked 2 items done.\n")
        #expect(try await sheaf.doneNames() == ["three", "two"])
    }

    @Test("a table shows as much of the ids as tells its items apart")
    func idColumn() async throws {
        try sheaf.write(
            """
            [{"id": "aaaa0001-0000-4000-8000-000000000001", "name": "near"}]
            """, to: "near.json")
        _ = try await sheaf.run("import", "--store", "a.sqlite", "near.json")
        let table = try await sheaf.run("list", "--store", "a.sqlite", "--format", "table").output
        let ids = table.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(ids.first == "id")
        #expect(ids.count == 6 && Set(ids).count == 6)
        let short = try await sheaf.run("list", "--store", "a.sqlite", "--format", "table", "four")
            .output
        #expect(short.split(separator: "\n")[1].hasPrefix("cccc0004  "))
    }

    @Test("words instead of ids are refused without a terminal, and --where is pointed to")
    func wordsForIDs() async throws {
        for command in ["done", "delete", "set --due today"] {
            for (words, query) in [
                (["milk"], "milk"), (["abc", "x"], "'abc x'"), (["aaaa0001", "y"], "y"),
                (["feed", "the", "cat"], "'feed the cat'"), (["-", "y"], "y"),
            ] {
                let refused = try await sheaf.edit(command, words)
                #expect(refused.status == 64)
                #expect(refused.errors.contains("--where \(query) finds items by words"))
            }
            // Four digits are an id, also where they are a word.
            let unknown = try await sheaf.edit(command, "face")
            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("To find items by words, use --where"))
        }
        #expect(try await sheaf.edit("rename", "face", "x").errors.contains("--where") == false)
    }

    @Test("thousands of ids, words and names are taken as they are given")
    func manyArguments() async throws {
        let names = (0..<12_000).map { "item \($0)" }
        let added = try await sheaf.run(["add", "--store", "many.sqlite", "--note", "n"] + names)
        let ids = added.output.split(separator: "\n").map(String.init)
        #expect(ids.count == names.count)
        let listed = try await sheaf.run("list", "--store", "many.sqlite").output
        #expect(listed.split(separator: "\n").map(String.init) == names)
        let done = try await sheaf.run(["done", "--store", "many.sqlite"] + ids + ["--undo"])
        #expect(done.output == "Nothing to change.\n", "\(done.errors.prefix(200))")
        let mixed = try await sheaf.run(
            ["done", ids[0], "--store", "many.sqlite"] + ids[1...50] + ["-"] + ids[51...99],
            input: ids[100])
        #expect(mixed.output == "Marked 101 items done.\n", "\(mixed.errors)")
        let wrong = try await sheaf.run(["done", "--store", "many.sqlite"] + ids[..<50] + ["x y"])
        #expect(wrong.status == 64 && wrong.errors.contains("x y: not an id"))
        let dashed = try await sheaf.run(
            ["list", "--store", "many.sqlite", "--"] + names[..<20] + ["-x"])
        #expect(dashed.status == 0)
    }

    @Test("an error quotes no more than a line bears")
    func longInput() async throws {
        let long = String(repeating: "z", count: 2_000_000)
        let input = try await sheaf.run("done", "--store", "a.sqlite", "-", input: long)
        #expect(input.status == 65)
        #expect(input.errors.utf8.count < 300)
        let word = String(long.prefix(20_000))
        for arguments in [
            ["done", word], ["rename", word, "x"], ["move", "bbbb", "--after", word],
            ["tag", "delete", word], ["tag", "recolor", word, "red"],
            ["tag", "recolor", "x", word], ["view", "delete", word],
            ["view", "add", "v", "(\(word)"], ["view", "add", "v", "--sort", word],
            ["list", "--limit", word], ["list", "--format", word], [word], ["list", "--\(word)"],
            ["import", word], ["export", "--output", word], ["list", "--store", word],
            ["list", "--store", "\(word):x"], ["backup", word], ["restore", word],
        ] {
            let result = try await sheaf.run(arguments)
            #expect(result.status != 0)
            #expect(result.errors.utf8.count < 10_000, "\(arguments.first ?? "")")
        }
    }
}
