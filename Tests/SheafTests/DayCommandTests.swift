import Foundation
import SheafList
import Testing

/// Days, repeats and priorities on the command line, on the built program.
@Suite("Commands about days and priorities")
struct DayCommandTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill(["aaaa0001": "one", "aaaa0002": "two", "bbbb0003": "three"])
    }

    private func lines(_ words: String...) async throws -> [String] {
        try await sheaf.run(["list", "--store", "a.sqlite", "--format", "todotxt"] + words)
            .output.split(separator: "\n").map { String($0.drop { $0.isNumber || $0 == "-" }) }
    }

    @Test("set gives items what is named, and none takes it away")
    func set() async throws {
        let result = try await sheaf.edit(
            "set", "aaaa0001", "bbbb", "--due", "2026-12-31", "--priority", "b", "--repeat", "month"
        )
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Set 2 items: due Thu 31 Dec"))
        #expect(result.output.hasSuffix("; repeat +1m, every month; priority B.\n"))
        #expect(try await lines("due:2026-12-31").count == 2)
        #expect(
            try await lines("priority:B -three").joined().contains(" one due:2026-12-31 rec:+1m"))
        #expect(
            try await sheaf.edit("set", "bbbb", "--due", "2026-12-31").output
                == "Nothing to change.\n")
        _ = try await sheaf.edit(
            "set", "bbbb", "--due", "none", "--priority", "none", "--repeat", "none")
        #expect(try await lines("three") == [" three"])
        _ = try await sheaf.edit(
            "set", "--where", "-due:none", "--scheduled", "2026-12-30", "--yes")
        #expect(try await lines("one").joined().contains("t:2026-12-30"))
    }

    @Test("a date before today may be the next argument")
    func negative() async throws {
        for arguments in [["--due", "-1w"], ["--due=-1w"]] {
            _ = try await sheaf.edit("set", "aaaa0001", "--due", "none")
            #expect(try await sheaf.edit("set", ["aaaa0001"] + arguments).status == 0)
            #expect(try await lines("is:overdue").count == 1)
        }
    }

    @Test(
        "a repeat keeps its day of the month until it gets another date or rule",
        arguments: [
            (["--due", "2027-02-28"], "+1m@31"), (["--repeat", "+1m"], "+1m@31"),
            (["--due", "2027-02-28", "--repeat", "month"], "+1m@31"),
            (["--due", "2027-02-28", "--priority", "A"], "+1m@31"),
            (["--scheduled", "2027-02-01"], "+1m@31"), (["--due", "2027-02-27"], "+1m"),
            (["--due", "none"], "+1m"), (["--due", "2027-02-27", "--repeat", "+1m"], "+1m"),
            (["--due", "2027-02-27", "--repeat", "+1m@30"], "+1m@30"),
            (["--repeat", "+2m"], "+2m"),
            (["--repeat", "+1m@30"], "+1m@30"),
        ])
    func keptDayOfMonth(_ options: [String], rule: String) async throws {
        _ = try await sheaf.edit("set", "aaaa0001", "--due", "2027-02-28", "--repeat", "+1m@31")
        #expect(try await sheaf.edit("set", ["aaaa0001"] + options).status == 0)
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json", "one")
        #expect(json.output.contains("\"repeat\": \"\(rule)\""), "\(json.output)")
    }

    @Test("the next occurrence is on the day of the month that show names")
    func shownDayOfMonth() async throws {
        _ = try await sheaf.edit("add", "rent", "--due", "2026-03-15", "--repeat", "+1m@31")
        let id = try await sheaf.edit("list", "--ids", "rent").output.trimmingCharacters(
            in: .newlines)
        #expect(try await sheaf.edit("show", id).output.contains("every month, on day 31"))
        _ = try await sheaf.edit("done", id)
        #expect(try await lines("rent", "is:open").joined().contains("due:2026-04-30"))
    }

    @Test(
        "what is no day, repeat or priority is refused, and nothing is changed",
        arguments: [
            ["--due", "soon"], ["--due", "99999999999999999999d"], ["--scheduled", "31sep"],
            ["--repeat", "0d"], ["--repeat", ""], ["--priority", "AB"], ["--priority", "1"], [],
        ])
    func refused(_ options: [String]) async throws {
        let before = try sheaf.bytes(of: "a.sqlite")
        #expect(try await sheaf.edit("set", ["aaaa0001"] + options).status == 64)
        if !options.isEmpty { #expect(try await sheaf.edit("add", ["new"] + options).status == 64) }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("add takes the same, and a name is a name")
    func add() async throws {
        _ = try await sheaf.edit(
            "add", "--literal", "due:fri (A) four", "five", "--due", "2026-02-28", "--scheduled",
            "2026-02-27",
            "--priority", "A", "--repeat", "+1y")
        let added = try await lines("-due:none")
        #expect(added.count == 2)
        #expect(
            added.allSatisfy {
                $0.hasSuffix("due:2026-02-28 t:2026-02-27 rec:+1y") || $0.contains("name:")
            })
        #expect(try await sheaf.names().suffix(2) == ["due:fri (A) four", "five"])
    }

    @Test("done makes the next of what repeats below it, once, and --undo takes it away")
    func done() async throws {
        _ = try await sheaf.edit("set", "aaaa0001", "--due", "2024-01-31", "--repeat", "+1m")
        let result = try await sheaf.edit("done", "aaaa0001", "aaaa0002")
        #expect(result.output == "Marked 2 items done. Added the next occurrence.\n")
        #expect(try await sheaf.names() == ["one", "one", "two", "three"])
        #expect(try await lines("due:2024-02-29").count == 1)
        #expect(try await sheaf.edit("done", "aaaa0001").output == "Nothing to change.\n")
        _ = try await sheaf.edit("done", "--undo", "aaaa0001")
        #expect(try await sheaf.names() == ["one", "two", "three"])
        _ = try await sheaf.edit("set", "aaaa0001", "--due", "9999-12-31")
        let last = try await sheaf.edit("done", "aaaa0001")
        #expect(last.output.contains("9999"))
        #expect(try await sheaf.names() == ["one", "two", "three"])
    }

    @Test("done says so where the next occurrence is in the list already, edited or done")
    func nextIsThere() async throws {
        let ids = ["aaaa0001", "aaaa0002"]
        _ = try await sheaf.edit("set", ids + ["--due", "2024-01-31", "--repeat", "+1m"])
        _ = try await sheaf.edit("done", ids)
        let next = try await sheaf.edit("list", "--ids", "due:2024-02-29").output
            .split(separator: "\n").map(String.init)
        _ = try await sheaf.edit("set", next + ["--repeat", "none"])
        _ = try await sheaf.edit("done", "--undo", ids[0], ids[1])
        #expect(
            try await sheaf.edit("done", ids[0]).output
                == "Marked “one” done. The next occurrence “one” is already in the list.\n")
        _ = try await sheaf.edit("done", next)
        #expect(
            try await sheaf.edit("done", ids[1]).output
                == "Marked “two” done. The next occurrence “two” is already done.\n")
        _ = try await sheaf.edit("done", "--undo", ids[0], ids[1])
        #expect(
            try await sheaf.edit("done", ids).output
                == "Marked 2 items done. 2 next occurrences are already in the list.\n")
        #expect(try await sheaf.names().count == 5)
    }

    @Test("agenda is what is due, the earliest first, though the view is gone")
    func agenda() async throws {
        _ = try await sheaf.edit("set", "bbbb", "--due", "2020-01-01")
        _ = try await sheaf.edit("set", "aaaa0002", "--due", "tomorrow")
        _ = try await sheaf.edit("set", "aaaa0001", "--due", "today")
        _ = try await sheaf.edit("view delete", "Agenda")
        func lines(_ words: [String]) async throws -> [String] {
            try await sheaf.run(["agenda", "--store", "a.sqlite"] + words).output
                .split(separator: "\n").map(String.init)
        }
        func agenda(_ words: String...) async throws -> [String] {
            try await lines(words + ["--format", "lines"])
        }
        let table = try await lines([])
        let words = ["id", "Late", "three", "Today", "one", "Tomorrow", "two"]
        #expect(table.count == words.count)
        for (line, word) in zip(table, words) { #expect(line.contains(word)) }
        #expect(try await agenda() == ["three", "one", "two"])
        #expect(try await agenda("--limit", "1") == ["three"])
        #expect(try await agenda("is:overdue") == ["three"])
        #expect(try await agenda("due:<1d") == ["three", "one"])
        #expect(try await agenda("due:tomorrow") == ["two"])
        #expect(try await agenda("-due:2020", "-two") == ["one"])
        _ = try await sheaf.edit("done", "bbbb")
        #expect(try await agenda() == ["one", "two"])
    }

    @Test("a list is sorted by the day and by the priority, what has none last")
    func sorts() async throws {
        _ = try await sheaf.edit("set", "aaaa0002", "--due", "today", "--priority", "C")
        _ = try await sheaf.edit("set", "bbbb", "--due", "tomorrow", "--priority", "A")
        func list(_ words: String...) async throws -> [String] {
            try await sheaf.run(["list", "--store", "a.sqlite"] + words).output
                .split(separator: "\n").map(String.init)
        }
        #expect(try await list("--sort", "due") == ["two", "three", "one"])
        #expect(try await list("--sort", "due", "--reverse") == ["three", "two", "one"])
        #expect(try await list("--sort", "priority") == ["three", "two", "one"])
    }

    @Test("a new list has the view Agenda; one that is made of a whole list has the views of that")
    func agendaView() async throws {
        for name in ["new.sqlite", "new.json"] {
            _ = try await sheaf.run("add", "--store", name, "one")
            #expect(try await sheaf.run("view", "--store", name).output == "Agenda\n")
            #expect(try await sheaf.run("list", "--store", name, "--view", "agenda").output == "")
            _ = try await sheaf.run("view", "delete", "--store", name, "Agenda")
            try sheaf.write(
                try await sheaf.run("export", "--store", name).output, to: "all.json")
            _ = try await sheaf.run("import", "--store", "copy-\(name)", "all.json")
            #expect(try await sheaf.run("view", "--store", "copy-\(name)").output == "")
        }
    }

    @Test("show prints all of an item, and set changes its name and note")
    func show() async throws {
        try sheaf.write(
            """
            [{"id": "5eaf0001-0000-4000-8000-000000000001", "name": "one", "tags": ["home"],
              "due": "2999-01-01", "priority": "B", "extras": [["pages", "12"]],
              "createdAt": "2026-01-02T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z"}]
            """, to: "one.json")
        _ = try await sheaf.run("import", "--store", "s.sqlite", "one.json")
        let set = try await sheaf.run(
            "set", "5eaf", "--name", "One", "--note", "a\nb", "--store", "s.sqlite")
        #expect(set.output == "Set “one”: name “One”; new note.\n", "\(set.errors)")
        let shown = try await sheaf.run("show", "5eaf", "--store", "s.sqlite").output
        let lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(Array(lines.prefix(7)) == ["One", "#home", "", "a", "b", "", "priority  B"])
        #expect(lines[7].hasPrefix("due       2999-01-01, in "))
        #expect(lines[8].hasPrefix("created   2026-01-02, "))
        #expect(
            lines.suffix(3) == [
                "pages     12", "id        5eaf0001-0000-4000-8000-000000000001", "",
            ])
        let json = try await sheaf.run("show", "5eaf", "--format", "json", "--store", "s.sqlite")
        #expect(json.output.contains(#""note": "a\nb""#))
        #expect(try await sheaf.run("show", "5eae", "--store", "s.sqlite").status == 1)
        _ = try await sheaf.run("add", "two", "--store", "s.sqlite")
        let two = try await sheaf.run(
            "set", "--where", "o", "--name", "x", "--yes", "--store", "s.sqlite")
        #expect(two.status == 64, "\(two.errors)")
    }

    @Test("of the samples that make demo shows, three are late and five due this week")
    func samples() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Resources/samples").standardizedFileURL.path
        let result = try await sheaf.shell(
            """
            for day in 2024-02-28 2024-12-31 2025-03-01 2026-11-25; do
                printf 'a due:2026-03-08 2026-02-28 x2026-03-01\n' >days.txt
                mkdir -p bin; printf '#!/bin/sh\necho %s\n' $day >bin/date; chmod +x bin/date
                PATH=$PWD/bin:$PATH '\(root)/shifted' days.txt
            done
            for list in todo.txt reading.md; do
                '\(root)/shifted' '\(root)/'$list >$list
                "$SHEAF" import --store demo.sqlite $list >/dev/null
            done
            for query in 'due:<0d' 'due:0d..6d'; do
                "$SHEAF" count --store demo.sqlite -- "$query is:open"
            done
            """)
        #expect(
            result.output == """
                a due:2024-02-28 2024-02-20 x2024-02-21
                a due:2024-12-31 2024-12-23 x2024-12-24
                a due:2025-03-01 2025-02-21 x2025-02-22
                a due:2026-11-25 2026-11-17 x2026-11-18
                3
                5

                """, "\(result.errors)")
    }
}
