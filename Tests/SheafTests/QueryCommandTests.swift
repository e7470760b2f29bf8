import Foundation
import Testing

/// Queries and sorts on the command line, on the built program.
@Suite("Queries and sorts of commands")
struct QueryCommandTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try sheaf.write(
            """
            {"format": "sheaf", "version": 1, "tags": [
              {"name": "book", "color": "red"}, {"name": "@phone", "color": "blue"},
              {"name": "+Garden", "color": "green"}],
            "items": [
              {"id": "aaaa0001-0000-4000-8000-000000000000", "name": "Milk 10", "tags": [],
               "createdAt": "2026-01-01T12:00:00.000Z", "updatedAt": "2026-03-05T12:00:00.000Z"},
              {"id": "aaaa0002-0000-4000-8000-000000000000", "name": "milk 9", "tags": ["@phone"],
               "createdAt": "2026-01-03T12:00:00.000Z", "updatedAt": "2026-03-04T12:00:00.000Z",
               "doneAt": "2026-02-01T12:00:00.000Z", "note": "ask Ann"},
              {"id": "aaaa0003-0000-4000-8000-000000000000", "name": "Görlitz", "tags": ["+Garden"],
               "createdAt": "2026-01-02T12:00:00.000Z", "updatedAt": "2026-03-06T12:00:00.000Z",
               "doneAt": "2026-02-02T12:00:00.000Z"},
              {"id": "aaaa0004-0000-4000-8000-000000000000", "name": "-x oat", "tags": ["book"],
               "createdAt": "2026-01-05T12:00:00.000Z", "updatedAt": "2026-03-01T12:00:00.000Z"}]}
            """, to: "list.json")
        #expect(try await sheaf.run("import", "--store", "a.sqlite", "list.json").status == 0)
    }

    private func list(_ arguments: String...) async throws -> [String] {
        let result = try await sheaf.edit("list", arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("a query finds in names, tags and notes, with operators, in all commands that take one")
    func queries() async throws {
        for (query, expected) in [
            ([], ["Milk 10", "milk 9", "Görlitz", "-x oat"]),
            (["MILK"], ["Milk 10", "milk 9"]), (["mlk"], []), (["gorlitz"], ["Görlitz"]),
            (["garden"], ["Görlitz"]), (["ann"], ["milk 9"]), (["@phone"], ["milk 9"]),
            (["#garden", "OR", "+book"], ["Görlitz", "-x oat"]),
            (["is:open", "is:untagged"], ["Milk 10"]), (["done:2026-02-01"], ["milk 9"]),
            (["\"milk 9\""], ["milk 9"]), (["milk 9"], ["milk 9"]),
            (["^milk"], []),
            (["(is:noted", "OR", "oat)", "NOT", "milk"], ["-x oat"]),
        ] as [([String], [String])] {
            #expect(
                try await sheaf.edit("list", query).output == expected.map { "\($0)\n" }.joined())
            #expect(try await sheaf.edit("count", query).output == "\(expected.count)\n")
            let export = try await sheaf.edit("export", ["--format", "lines"] + query)
            #expect(export.output == expected.map { "\($0)\n" }.joined())
        }
    }

    @Test("-x is what x does not find, wherever no option fits")
    func exclusions() async throws {
        #expect(try await list("milk", "-ann") == ["Milk 10"])
        #expect(try await list("-ann", "milk", "--limit", "5") == ["Milk 10"])
        #expect(try await list("--reverse", "-milk") == ["-x oat", "Görlitz"])
        #expect(try await list("--ids", "-milk").count == 2)
        #expect(try await list("-@phone", "-#book", "-is:open") == ["Görlitz"])
        #expect(try await list("-9", "milk") == ["Milk 10"])
        #expect(try await list("-9", "-1", "--format=lines", "-x") == ["Görlitz"])
        #expect(try await list("--", "-ann", "milk") == ["Milk 10"])
        #expect(try await list("--", "--x") == ["Milk 10", "milk 9", "Görlitz"])
        #expect(try await list("\"-x\"") == ["-x oat"])
        // Marks, joiners and selectors are one character with the hyphen before them.
        for mark in ["\u{301}", "\u{200D}", "\u{FE0F}"] {
            #expect(try await list("-\(mark)x", "milk") == ["Milk 10", "milk 9"])
        }
        let export = try await sheaf.edit("export", "-milk", "-o", "out.txt", "-oat")
        #expect(export.status == 64)
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("out.txt")))
        #expect(try await sheaf.edit("export", "-milk", "-o", "out.txt", "--", "-oat").status == 0)
        #expect(try sheaf.bytes(of: "out.txt") == Data("Görlitz\n".utf8))
        #expect(try await sheaf.edit("list", "-h").output.contains("USAGE"))
        for arguments in [["--limit", "-1"], ["--format", "-x"], ["--nothing"]] {
            #expect(try await sheaf.edit("list", arguments).status == 64)
        }
    }

    @Test("a value may begin with a mark")
    func marks() async throws {
        _ = try await sheaf.edit("add", "new", "--note=\u{301}hello")
        #expect(try await list("\u{301}hello") == ["new"])
        let done = try await sheaf.edit("done", "--yes", "--where=\u{301}hello")
        #expect(done.output == "Marked “new” done.\n", "\(done.errors)")
    }

    @Test("a key nearly like a field is a hint for what reads, and refused by what writes")
    func misspelling() async throws {
        _ = try await sheaf.edit("add", "prio:A now")
        let hint = "no field prio; did you mean priority:? Quotes search for the text"
        let read = try await sheaf.edit("list", "prio:A")
        #expect(read.status == 0 && read.output == "prio:A now\n", "\(read.errors)")
        #expect(read.errors.hasPrefix("sheaf: query: \(hint)\n"))
        for words in [["done", "--yes", "--where=prio:A"], ["view", "add", "v", "prio:A"]] {
            let result = try await sheaf.edit(words[0], words.dropFirst() + [])
            #expect(result.status == 64 && result.output.isEmpty)
            #expect(result.errors.contains(hint))
        }
        let done = try await sheaf.edit("done", "--yes", "--where=\"prio:A\"")
        #expect(done.output == "Marked “prio:A now” done.\n", "\(done.errors)")
    }

    @Test("what is wrong in a query is marked at its place, and nothing is done")
    func faults() async throws {
        for (query, place, reason) in [
            ("milk (is:open", "     ^", "unclosed bracket"),
            (
                "is:new milk", "^^^^^^",
                "expected done, open, untagged, noted, repeating, overdue or scheduled"
            ),
            ("日本 #none 日本", "     ^^^^^", "no tag is named #none"),
            ("a\u{1B}[31m\n -\"x", "         ^^", "unclosed quotation mark"),
            ("milk OR", "       ^", "expected a search term"),
        ] {
            for command in ["list", "count", "export -o out.txt", "done --yes --where"] {
                let words = command.split(separator: " ").map(String.init)
                let result = try await sheaf.edit(words[0], words.dropFirst() + [query])
                #expect(result.status == 64)
                #expect(result.output.isEmpty)
                let lines = result.errors.split(separator: "\n").map(String.init)
                #expect(lines.first == "sheaf: query: \(reason)")
                #expect(lines.count == 3 && lines[2] == "  \(place)", "\(result.errors)")
                #expect(!result.errors.contains("\u{1B}"))
            }
        }
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("out.txt")))
        #expect(try await sheaf.doneNames().count == 2)
    }

    @Test(
        "each sort prints its order, and reversed, before the limit counts",
        arguments: [
            ("manual", "1234", "4321"), ("name", "4321", "1234"), ("created", "4231", "1324"),
            ("changed", "3124", "4213"), ("done", "3214", "2314"), ("tag", "4231", "3241"),
        ])
    func sorts(key: String, order: String, reversed: String) async throws {
        func digits(_ arguments: String...) async throws -> String {
            let ids = try await sheaf.edit("list", ["--ids", "--sort", key] + arguments).output
            return ids.split(separator: "\n").map { String($0.dropFirst(7).prefix(1)) }.joined()
        }
        #expect(try await digits() == order)
        #expect(try await digits("--reverse") == reversed)
        #expect(try await digits("--limit", "2") == String(order.prefix(2)))
        #expect(try await digits("--limit", "0") == "")
    }

    @Test("a sort holds in every format")
    func sortedFormats() async throws {
        // Not Markdown, which puts items below the headings of their tags.
        for format in ["table", "json", "lines", "todotxt"] {
            let text = try await sheaf.edit("list", "--sort", "name", "--format", format).output
            let places = try ["-x oat", "Görlitz", "milk 9", "Milk 10"].map {
                try #require(text.range(of: $0)).lowerBound
            }
            #expect(places == places.sorted(), "\(format): \(text)")
        }
        for arguments in [["--sort", "match"], ["--ids", "--format", "json"]] {
            #expect(try await sheaf.edit("list", arguments).status == 64)
        }
    }

    @Test("the ids that list prints go through a pipe")
    func ids() async throws {
        let line =
            "\"$SHEAF\" list --store a.sqlite --ids @phone OR oat | \"$SHEAF\" done --store a.sqlite -"
        #expect(try await sheaf.shell(line).output == "Marked “-x oat” done.\n")
        #expect(try await sheaf.doneNames() == ["-x oat", "Görlitz", "milk 9"])
    }

    @Test("a query of many arguments is one")
    func manyWords() async throws {
        let words = Array(repeating: "milk", count: 60)
        #expect(try await sheaf.edit("count", words + ["-ann"]).output == "1\n")
        #expect(try await sheaf.edit("count", words + ["-ann"] + words).status == 64)
    }
}
