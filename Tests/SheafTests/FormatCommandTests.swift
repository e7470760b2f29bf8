import Foundation
import Testing

/// Lists in the formats of other programs, through the built program.
@Suite("Formats on the command line")
struct FormatCommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: sheaf.path(name)))
    }

    @Test(
        "the format is the one that the file's name tells",
        arguments: [
            ("my-todo.txt", "(A) a +p\n", "a\n"), ("done.txt", "x 2026-01-02 a\n", "a\n"),
            ("list.md", "# T\n- [x] a\n", "a\n"), ("list.markdown", "- a\n", "a\n"),
            ("list.json", "[{\"name\": \"a\"}]", "a\n"), ("other.txt", "a +p\n", "a +p\n"),
        ])
    func guess(name: String, text: String, names: String) async throws {
        try sheaf.write(text, to: name)
        #expect(try await sheaf.run("import", "--store", "a.sqlite", name).status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == names)
    }

    @Test("an export to a file with an unknown ending names the formats")
    func unknownEnding() async throws {
        try sheaf.write("a\n", to: "a.txt")
        _ = try await sheaf.run("import", "--store", "a.sqlite", "a.txt")
        let refused = try await sheaf.run("export", "--store", "a.sqlite", "-o", "x.csv")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("lines, json, markdown or todotxt"))
        for output in [["x.csv", "--format", "lines"], ["x"], [".list"]] {
            let result = try await sheaf.run(
                ["export", "--store", "a.sqlite", "--output"] + output)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try String(contentsOfFile: sheaf.path("x.csv"), encoding: .utf8) == "a\n")
    }

    @Test("lines with several tags of a todo.txt are imported with a hint")
    func hint() async throws {
        try sheaf.write("a +House\nb @phone\nc\n", to: "a.txt")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "a.txt")
        #expect(result.status == 0)
        #expect(result.errors.contains("--format todotxt"))
        try sheaf.write("a + b\nme@x.org +1\nc\n", to: "b.txt")
        for arguments in [["b.txt"], ["--format", "lines", "a.txt"]] {
            let quiet = try await sheaf.run(["import", "--store", "a.sqlite"] + arguments)
            #expect(quiet.errors == "", "\(quiet.errors)")
        }
    }

    private static let tasks = #"""
        [
        {"id":1,"description":"Sharpen the \"good\" shears","due":"20261205T120000Z","entry":"20261101T101500Z","priority":"H","project":"House.Garden","scheduled":"20261201T120000Z","status":"pending","tags":["tools","next"],"uuid":"0b7c1c6e-0000-4000-8000-000000000001","annotations":[{"entry":"20261101T101600Z","description":"in the shed"}],"urgency":12.8},
        {"id":2,"description":"Fetch the parcel","entry":"20261101T101500Z","wait":"20261209T120000Z","status":"waiting","project":"Post","uuid":"0b7c1c6e-0000-4000-8000-000000000004"},
        {"id":0,"description":"Drain the hose","end":"20261031T120000Z","entry":"20261030T120000Z","status":"completed","uuid":"0b7c1c6e-0000-4000-8000-000000000002"},
        {"id":0,"description":"Gone","end":"20261031T120000Z","entry":"20261030T120000Z","status":"deleted","uuid":"0b7c1c6e-0000-4000-8000-000000000003"}
        ]
        """#
    private static let board = #"""
        {"name":"Allotment","lists":[{"id":"l1","name":"Next"},{"id":"l2","name":"Done"}],
        "cards":[{"name":"Fix the tap","desc":"leaks","idList":"l1","closed":false,"due":"2026-12-05T12:00:00.000Z","dueComplete":false,"labels":[{"name":"tools","color":"green"},{"name":"","color":"red"}]},
        {"name":"Dig","desc":"","idList":"l2","closed":false,"due":null,"dueComplete":true,"labels":[]}]}
        """#

    @Test(
        "the command that converts a file keeps dates, tags and projects", .needs(.jq),
        arguments: [
            (
                tasks, "tasks.json",
                """
                (A) 2026-11-01 Sharpen the "good" shears +House/Garden @next @tools due:2026-12-05 \
                t:2026-12-01 note:in%20the%20shed
                2026-11-01 Fetch the parcel +Post t:2026-12-09
                x 2026-10-31 2026-10-30 Drain the hose

                """
            ),
            (
                board, "cards.json",
                """
                TODAY Fix the tap +Next @red @tools due:2026-12-05 note:leaks
                x Dig +Done

                """
            ),
        ])
    func conversion(text: String, file: String, lines: String) async throws {
        try sheaf.write(text, to: "in.json")
        let refused = try await sheaf.run("import", "--store", "a.sqlite", "in.json")
        let command = try #require(
            refused.errors.firstMatch(of: /Convert it: (.*)/)?.output.1
        )
        .replacing("task export", with: "cat in.json")
        let result = try await sheaf.shell(
            "\(command) && \"$SHEAF\" import --store a.sqlite \(file)")
        #expect(result.status == 0, "\(result.errors)")
        let exported = try await sheaf.run(
            "export", "--store", "a.sqlite", "--format", "todotxt"
        ).output
        let today = String(exported.prefix(10))
        #expect(exported == lines.replacing("TODAY", with: today))
    }

    @Test("--format is stronger than the name, and a name that tells nothing needs it")
    func given() async throws {
        try sheaf.write("a +p\n", to: "tasks")
        let refused = try await sheaf.run("import", "--store", "a.sqlite", "tasks")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("todotxt"))
        let taken = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "todotxt", "tasks")
        #expect(taken.status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "a\n")
    }

    @Test(
        "where the name tells no format, most of the lines do, and the output says so",
        arguments: [
            ("tasks", "x 2026-11-01 2026-10-01 a\n(B) b\nc\n", "a\nb\nc\n", "todotxt"),
            ("notes.txt", "# N\n- [ ] a\n* [x] b\n", "a\nb\n", "markdown"),
            ("other.txt", "a\n(A) b\n", "a\n(A) b\n", nil),
            ("shop.txt", "At home\n- [ ] a\n", "At home\n- [ ] a\n", nil),
        ])
    func content(name: String, text: String, names: String, format: String?) async throws {
        try sheaf.write(text, to: name)
        let result = try await sheaf.run("import", "--store", "a.sqlite", name)
        #expect(
            result.errors
                == (format.map {
                    "sheaf: \(name) was read as \($0), judging by its lines; --format lines takes"
                        + " each line as a name.\n"
                } ?? ""))
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == names)
        _ = try await sheaf.run("import", "--store", "b.sqlite", "--format", "lines", name)
        let lines = try await sheaf.run("list", "--store", "b.sqlite").output
        #expect(lines == text)
    }

    @Test("a checklist with other lines is read as one, and the other lines are reported")
    func mixedChecklist() async throws {
        try sheaf.write("At home\n- [ ] a\n- [ ] b\n  - [x] c\n", to: "shop.txt")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "shop.txt")
        #expect(
            result.errors == """
                sheaf: left out shop.txt:1: text that belongs to no item
                sheaf: shop.txt: 1 item was nested under another item; each now follows it
                sheaf: shop.txt was read as markdown, judging by its lines; --format lines takes each line as a name.

                """)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "a\nb\nc\n")
    }

    @Test("a day that cannot be read stays an extra of JSON and is named with its line")
    func unreadJSON() async throws {
        try sheaf.write("[\n{\"name\": \"a\", \"due\": \"2026-02-30\"}]", to: "a.json")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "a.json")
        #expect(
            result.errors
                == "sheaf: a.json:2: [0].due: \"2026-02-30\" is not a valid value; kept as text\n")
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        #expect(json.contains("[\"due\", \"2026-02-30\"]"))
    }

    @Test("a file in which no item is found is an error that says how it was read")
    func noItems() async throws {
        for text in ["An introduction.\n", "# A title\n"] {
            try sheaf.write(text, to: "a.md")
            let result = try await sheaf.run("import", "--store", "a.sqlite", "a.md")
            #expect(result.status == 65)
            #expect(result.errors.contains("no item was found when it was read as markdown"))
        }
        try sheaf.write("[]", to: "a.json")
        #expect(try await sheaf.run("import", "--store", "a.sqlite", "a.json").status == 0)
    }

    @Test("text of another encoding is refused with the command that converts it")
    func encoding() async throws {
        try write([0xFF, 0xFE] + "milk".utf8.flatMap { [$0, 0] }, to: "a.txt")
        for words in [["a.txt"], ["--skip-bad", "a.txt"]] {
            let result = try await sheaf.run(["import", "--store", "a.sqlite"] + words)
            #expect(result.status == 65)
            #expect(result.errors.contains("iconv -f UTF-16 -t UTF-8"))
        }
        try write(Array("caf".utf8) + [0xE9], to: "b.txt")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "b.txt")
        #expect(result.status == 65)
        #expect(result.errors.contains("iconv -f LATIN1 -t UTF-8"))
    }

    @Test("fields that cannot be read stay text and are named")
    func unread() async throws {
        try sheaf.write("a rec:5 due:2026-02-30\nwater rec:w\n", to: "todo.txt")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "todo.txt")
        #expect(
            result.errors == """
                sheaf: todo.txt:1: "rec:5" has no valid value; kept as text
                sheaf: todo.txt:1: "due:2026-02-30" has no valid value; kept as text

                """)
        let list = try await sheaf.run("export", "--store", "a.sqlite", "--format", "todotxt")
        #expect(list.output == "a rec:5 due:2026-02-30\nwater rec:w\n")
        let next = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json", "water")
        #expect(next.output.contains("\"repeat\": \"1w\""))
    }

    @Test("a todo.txt that was imported is listed and exported byte for byte")
    func todo() async throws {
        let text = "(A) b @home +p due:1\nx no dates\n2026-01-02 a  b\n"
        let imported = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "todotxt", "-", input: text)
        #expect(imported.output == "Imported 3 items.\n")
        for command in ["list", "export"] {
            let result = try await sheaf.run(command, "--store", "a.sqlite", "--format", "todotxt")
            #expect(result.output == text)
        }
    }

    @Test("a Markdown list that was exported and imported is the same list")
    func markdown() async throws {
        _ = try await sheaf.run(
            "add", "--store", "a.sqlite", "one", "--tag", "to read", "--note", "n\n\nm")
        _ = try await sheaf.run("add", "--literal", "--store", "a.sqlite", "two", "three #x")
        let text = try await sheaf.run("export", "--store", "a.sqlite", "--format", "markdown")
            .output
        #expect(text.hasPrefix("- [ ] one #to%20read\n  n\n\n  m\n"))
        try sheaf.write(text, to: "a.md")
        #expect(try await sheaf.run("import", "--store", "b.sqlite", "a.md").status == 0)
        let copy = try await sheaf.run("list", "--store", "b.sqlite", "--format", "markdown")
        #expect(copy.output == text)
        // Headings appear in the order of the list only.
        try sheaf.write("# b\n- 2\n# a\n- 1", to: "c.md")
        _ = try await sheaf.run("import", "--store", "c.sqlite", "c.md")
        for (option, output) in [
            ([], "# b\n\n- [ ] 2\n\n# a\n\n- [ ] 1\n"),
            (["--sort", "name"], "- [ ] 1 #a\n- [ ] 2 #b\n"),
        ] {
            let arguments = ["list", "--store", "c.sqlite", "--format", "markdown"] + option
            let list = try await sheaf.run(arguments)
            #expect(list.output == output)
        }
    }

    @Test("every line that cannot be read is named, up to ten, and nothing is imported")
    func badLines() async throws {
        try write((1...14).flatMap { _ in [UInt8(ascii: "a"), 0x0A, 0xFF, 0x0A] }, to: "bad.txt")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "bad.txt")
        #expect(result.status == 65)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.first == "sheaf: bad.txt:2: not valid UTF-8")
        #expect(lines.count == 12)
        #expect(lines[9] == "sheaf: bad.txt:20: not valid UTF-8")
        #expect(lines[10] == "sheaf: bad.txt: and 4 more")
        #expect(lines[11].contains("nothing was imported") && lines[11].contains("--skip-bad"))
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("a.sqlite")))
    }

    @Test("--skip-bad imports the rest, names all that it left out, and ends well")
    func skipBad() async throws {
        try write((1...12).flatMap { _ in [UInt8(ascii: "a"), 0x0A, 0xFF, 0x0A] }, to: "bad.txt")
        let lines = try await sheaf.run("import", "--store", "a.sqlite", "--skip-bad", "bad.txt")
        #expect(lines.status == 0)
        #expect(lines.output == "Imported 12 items.\n")
        #expect(lines.errors.split(separator: "\n").count == 13)
        #expect(lines.errors.contains("iconv -f LATIN1 -t UTF-8 bad.txt"))
        #expect(lines.errors.hasPrefix("sheaf: left out bad.txt:2: not valid UTF-8\n"))
        for (name, text) in [
            ("todo.txt", "x \na\n"), ("c.json", "[{}, {\"name\": \"a\"}]"),
        ] {
            try sheaf.write(text, to: name)
            #expect(try await sheaf.run("import", "--store", "\(name).sqlite", name).status == 65)
            let result = try await sheaf.run(
                "import", "--store", "\(name).sqlite", "--skip-bad", name)
            #expect(result.status == 0)
            #expect(result.output == "Imported 1 item.\n")
            #expect(result.errors.contains("left out \(name):1:"))
        }
        // An empty box is no reason to refuse the rest.
        try sheaf.write("- [ ]\n- a\n", to: "b.md")
        let boxes = try await sheaf.run("import", "--store", "b.md.sqlite", "b.md")
        #expect(boxes.output == "Imported 1 item.\n")
        #expect(boxes.errors == "sheaf: left out b.md:1: a bullet without a name\n")
        try sheaf.write("[{\"name\": \"a\"},", to: "cut.json")
        let broken = try await sheaf.run("import", "--store", "d.sqlite", "--skip-bad", "cut.json")
        #expect(broken.status == 65)
    }

    @Test("an import says what it added, what it changed, and what was there already")
    func summary() async throws {
        func say(_ arguments: String...) async throws -> String {
            let result = try await sheaf.run(["import", "--store", "a.sqlite"] + arguments)
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        let id = "aaaa0001-0000-4000-8000-000000000000"
        try sheaf.write("- [ ] one\n- [ ] one\n", to: "a.md")
        try sheaf.write("[{\"id\":\"\(id)\",\"name\":\"two\"},{\"name\":\"x\"}]", to: "a.json")
        try sheaf.write("[{\"id\":\"\(id)\",\"name\":\"three\"}]", to: "b.json")
        #expect(try await say("a.md") == "Imported 2 items.\n")
        #expect(try await say("a.md") == "Imported 0 items, 2 already there (--again adds them).\n")
        #expect(try await say("--again", "a.md") == "Imported 2 items.\n")
        #expect(try await say("a.json") == "Imported 2 items.\n")
        #expect(try await say("a.json") == "Imported 1 item, 1 already there.\n")
        #expect(
            try await say("b.json")
                == "Imported 0 items, updated 1 (1 with the replaced text in the note).\n")
        #expect(try await say("b.json") == "Imported 0 items, 1 already there.\n")
        let list = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json", "three")
        #expect(list.output.contains("\"was: two\""))
        try sheaf.write("one\n", to: "a.txt")
        #expect(try await say("a.txt") == "Imported 1 item.\n")
        #expect(try await say("a.txt") == "Imported 1 item.\n")
    }

    @Test("text of a Markdown file that belongs to no item is named")
    func leftOut() async throws {
        try sheaf.write("An introduction.\n\n- a\n", to: "a.md")
        let result = try await sheaf.run("import", "--store", "a.sqlite", "a.md")
        #expect(result.status == 0)
        #expect(result.errors == "sheaf: left out a.md:1: text that belongs to no item\n")
    }

    @Test(
        "a mark, CR LF, a long line and nothing at all are read in every format of lines",
        arguments: ["lines", "todotxt", "markdown"])
    func edges(format: String) async throws {
        let long = String(repeating: "x", count: 1 << 20)
        let dash = format == "markdown" ? "- " : ""
        let result = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", format, "-",
            input: "\u{FEFF}\(dash)a\r\n\r\n\(dash)\(long)")
        #expect(result.status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "a\n\(long)\n")
        let empty = try await sheaf.run("import", "--store", "b.sqlite", "--format", format, "-")
        #expect(empty.output == "Imported 0 items.\n")
    }

    @Test("a folder and a device are no input", arguments: [".", "/dev/zero"])
    func noFile(path: String) async throws {
        let result = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "todotxt", path)
        #expect(result.status == 66)
        #expect(result.errors.contains("not a file"))
    }

    @Test("progress is for a terminal: an import into a file or a pipe says nothing of it")
    func noProgress() async throws {
        let text = (1...20_000).map { "item \($0)\n" }.joined()
        let result = try await sheaf.run("import", "--store", "a.sqlite", "-", input: text)
        #expect(result.output == "Imported 20000 items.\n")
        #expect(result.errors.isEmpty)
    }
}
