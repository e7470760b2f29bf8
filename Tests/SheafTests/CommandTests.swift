import Foundation
import Testing

/// The command line, on the built program.
@Suite("Commands")
struct CommandTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    @Test("lines that are imported are listed again, byte for byte")
    func lines() async throws {
        let names = (1...1000).map { "package-\($0)" } + ["日本語 👩‍👩‍👧‍👦 cafe\u{301}", "  spaces  kept "]
        let text = names.joined(separator: "\n") + "\n"
        let imported = try await sheaf.run(
            "import", "--store", "p.sqlite", "--format", "lines", "-", input: text)
        #expect(imported.status == 0)
        #expect(try await sheaf.run("list", "--store", "p.sqlite").output == text)
        let limited = try await sheaf.run("list", "--store", "p.sqlite", "--limit", "2")
        #expect(limited.output == "package-1\npackage-2\n")
        let found = try await sheaf.run("list", "--store", "p.sqlite", "CAFÉ")
        #expect(found.output == "日本語 👩‍👩‍👧‍👦 cafe\u{301}\n")
    }

    @Test("what is exported as JSON and imported into a new store is the same list")
    func json() async throws {
        _ = try await sheaf.run("demo", "--store", "a.sqlite", "--items", "300")
        _ = try await sheaf.run(
            "add", "--store", "a.sqlite", "Ünïcode \u{1B}[31m\u{202E}", "--tag", "neu", "--note",
            "a\nb")
        let export = try await sheaf.run("export", "--store", "a.sqlite")
        try sheaf.write(export.output, to: "a.json")
        #expect(try await sheaf.run("import", "--store", "b.sqlite", "a.json").status == 0)
        let first = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json")
        let second = try await sheaf.run("list", "--store", "b.sqlite", "--format", "json")
        #expect(first.output == second.output)
        #expect(first.output.split(separator: "\n").count > 300)
        #expect(try await sheaf.run("export", "--store", "b.sqlite").output == export.output)
    }

    @Test("an item whose id exists is updated by an import, others are added")
    func update() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "old")
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        let edited = json.replacing("\"old\"", with: "\"new\"")
        let result = try await sheaf.run(
            "import", "--store", "a.sqlite", "--format", "json", "-", input: edited)
        #expect(result.status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == "new\n")
    }

    @Test("a new tag is made once, whatever the case of its name")
    func tags() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "two", "--tag", "Book")
        _ = try await sheaf.run("add", "--store", "a.sqlite", "three", "--tag", "book")
        let json = try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output
        #expect(json.matches(of: /"Book"/).count == 3)
    }

    @Test("demo fills a new store and refuses one that has items")
    func demo() async throws {
        let first = try await sheaf.run("demo", "--store", "a.sqlite", "--items", "50")
        #expect(first.status == 0)
        let before = try sheaf.bytes(of: "a.sqlite")
        let again = try await sheaf.run("demo", "--store", "a.sqlite")
        #expect(again.status == 1)
        #expect(again.errors.contains("items"))
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test("a demo that is killed half-way leaves no list", arguments: ["sqlite", "json"])
    func killedDemo(_ kind: String) async throws {
        // The system kills it for a file that grows too large.
        let result = try await sheaf.shell(
            "ulimit -f 300; \"$SHEAF\" demo --store a.\(kind) --items 20000")
        #expect(result.status != 0)
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("a.\(kind)")))
        let again = try await sheaf.run("demo", "--store", "a.\(kind)", "--items", "50")
        #expect(again.output == "Filled a.\(kind) with 50 items.\n")
        #expect(try await sheaf.run("count", "--store", "a.\(kind)").output == "50\n")
        let views = try await sheaf.run("view", "list", "--store", "a.\(kind)").output
        #expect(views.contains("Agenda"), "\(views)")
        let names = try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path)
        #expect(names.filter { $0.contains("a.\(kind)") } == ["a.\(kind)"])
    }

    @Test("the default store lies in the user's data folder, private")
    func standardStore() async throws {
        #expect(try await sheaf.shell("umask 000; \"$SHEAF\" add Milk").status == 0)
        let path = sheaf.path(".local/share/sheaf/sheaf.sqlite")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try await sheaf.run("list").output == "Milk\n")
    }

    @Test("a closed pipe ends a command quietly")
    func closedPipe() async throws {
        _ = try await sheaf.run("demo", "--store", "a.sqlite", "--items", "20000")
        let result = try await sheaf.shell("\"$SHEAF\" list --store a.sqlite | head -1")
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.errors.isEmpty)
    }

    @Test("a table has no control sequence in it, and no colour in a file")
    func table() async throws {
        _ = try await sheaf.run(
            "add", "--store", "a.sqlite", "bad \u{1B}]0;x\u{7} name", "--tag", "t\u{1B}[1m")
        let table = try await sheaf.run("list", "--store", "a.sqlite", "--format", "table").output
        #expect(!table.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        #expect(table.contains("name"))
    }

    @Test("the list may be named before the command, and a command that is misspelled is named")
    func orderAndSpelling() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one")
        #expect(try await sheaf.run("--store", "a.sqlite", "list").output == "one\n")
        for words in [
            ["--store=a.sqlite", "tag", "list"], ["tag", "--store", "a.sqlite", "list"],
            ["tag", "--store=a.sqlite", "list"], ["--store", "a.sqlite", "tag"],
            ["view", "--store", "a.sqlite", "add", "one", "x"],
        ] {
            let result = try await sheaf.run(words)
            #expect(result.status == 0, "\(result.errors)")
        }
        for (words, nearest) in [
            (["lsit"], "list"), (["agneda"], "agenda"), (["tag", "lst"], "tag list"),
            (["--store", "a.sqlite", "lits"], "list"), (["LIST"], "list"),
            (["tag", "ADD"], "tag add"), (["help", "lsit"], "list"),
            (["help", "tag", "lst"], "tag list"), (["tag", "help", "lst"], "tag list"),
        ] {
            let result = try await sheaf.run(words)
            #expect(result.status == 64)
            #expect(result.errors.contains("Did you mean '\(nearest)'?"), "\(result.errors)")
        }
        let unknown = try await sheaf.run("xyzzy")
        #expect(unknown.status == 64 && unknown.errors.contains("'sheaf help' lists all"))
        for words in [
            ["help"], ["help", "tag", "list"], ["tag", "help", "list"], ["help", "help"],
        ] {
            #expect(try await sheaf.run(words).status == 0)
        }
        for words in [["open", "xyzzy"], ["open", "list"], ["open", "xyzzy", "--unknown"]] {
            #expect(try await sheaf.run(words).status == 64)
        }
        let url = "postgresql://ann:secret@host/lists"
        for words in [[url], ["open", url], ["tag", url], ["--read-only", url]] {
            let result = try await sheaf.run(words)
            #expect(result.status == 64 && result.errors.contains("--store"), "\(words)")
            #expect(!result.errors.contains("secret"), "\(words)")
        }
    }

    @Test(
        "options before their command are told where they belong",
        arguments: [
            ("--format json list", "Put the command first: sheaf list --format …"),
            ("--store a.sqlite --format=json list", "Put the command first: sheaf list --format …"),
            ("--format json tag list", "Put the command first: sheaf tag list --format …"),
            ("--ids list", "Put the command first: sheaf list --ids …"),
            ("--read-only --store a.sqlite list", "use sheaf list … without it."),
            ("--read-only --no-mouse list", "use sheaf list … without them."),
            ("--unknown list", "Unknown option '--unknown'"),
        ])
    func optionsFirst(words: String, advice: String) async throws {
        let result = try await sheaf.run(words.split(separator: " ").map(String.init))
        #expect(result.status == 64)
        #expect(result.errors.contains(advice), "\(result.errors)")
    }

    @Test(
        "an option that is unknown is named, with one that begins so or is spelled alike",
        arguments: [
            ("list --rev", "Unknown option '--rev'. Did you mean '--reverse'?"),
            ("list --li 3", "Unknown option '--li'. Did you mean '--limit'?"),
            ("list --li=3", "Unknown option '--li'. Did you mean '--limit'?"),
            ("set aaaa0001 --du fri", "Unknown option '--du'. Did you mean '--due'?"),
            (
                "set aaaa0001 --priortiy A",
                "Unknown option '--priortiy'. Did you mean '--priority'?"
            ),
            ("tag add x aaaa0001 --wher y", "Unknown option '--wher'. Did you mean '--where'?"),
            ("--verison", "Unknown option '--verison'. Did you mean '--version'?"),
            ("list --xyzzy", "Unknown option '--xyzzy'\n"),
            ("tag --format bad", "The value 'bad' is invalid"),
            ("tag --form json", "Unknown option '--form'. Did you mean '--format'?"),
            ("set aaaa0001 --note --du", "Missing value for '--note <text>'"),
            ("set aaaa0001 -- --du", "Say what to set"),
        ])
    func unknownOption(words: String, message: String) async throws {
        let result = try await sheaf.run(words.split(separator: " ").map(String.init))
        #expect(result.status == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains("Usage: sheaf "), "\(result.errors)")
    }

    @Test("help may stand after a list")
    func helpAfterStore() async throws {
        let help = try await sheaf.run("help", "tag", "add").output
        #expect(help.contains("USAGE: sheaf tag add"))
        for words in [
            ["--store", "x", "help", "tag", "add"], ["--store=x", "help", "tag", "add"],
        ] {
            #expect(try await sheaf.run(words).output == help)
        }
    }

    @Test("version, help and wrong usage")
    func usage() async throws {
        let version = try await sheaf.run("--version").output
        let form = /sheaf \d+\.\d+\.\d+ \(([0-9a-f]{12}\+?, )?SQLite \d+\.[\d.]+\)\n/
        #expect(version.wholeMatch(of: form) != nil, "\(version)")
        #expect(try await sheaf.run("help", "import").output.contains("--format"))
        for arguments in [
            ["nonsense"], ["list", "--format", "yaml"], ["list", "--limit", "-1"], ["add"],
            ["--fail-writes", "1.5"], ["--slow-writes", "5"], ["list", "--store", "http:x"],
        ] {
            let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try await sheaf.shell("\"$SHEAF\" \(quoted)")
            #expect(result.status == 64, "\(arguments): \(result.errors)")
            #expect(!result.errors.isEmpty)
        }
    }
}
