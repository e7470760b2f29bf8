import Foundation
import Testing

/// Bad input gets a sentence and an exit status, and changes nothing.
@Suite("Bad input")
struct BadInputTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    @Test(
        "an import that cannot be read names the line, exits with 65 and changes nothing",
        arguments: [
            ("bad.txt", Array("one\ntwo\n".utf8) + [0xFF, 0x0A], "3"),
            ("bad.json", Array("[\n{\"name\": \"a\"},\n{\"name\": 7}\n]".utf8), "3"),
            ("cut.json", Array("[\n{\"name\": \"a\"},".utf8), "2"),
            ("noname.json", Array("[{\"note\": \"a\"}]".utf8), "1"),
        ])
    func unreadable(name: String, bytes: [UInt8], line: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "kept")
        let before = try sheaf.bytes(of: "a.sqlite")
        try Data(bytes).write(to: URL(fileURLWithPath: sheaf.path(name)))
        let result = try await sheaf.run("import", "--store", "a.sqlite", name)
        #expect(result.status == 65)
        #expect(result.errors.contains("\(name):\(line)"), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
    }

    @Test(
        "a text that begins with a hyphen is refused, not taken for a row of options",
        arguments: ["-cash", "- hi", "-milk", "-é", "-1h"])
    func hyphen(text: String) async throws {
        let refused = try await sheaf.run("add", "--store", "a.sqlite", text)
        #expect(refused.status == 64)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("words after -- may begin with one"))
        #expect(try await sheaf.run("add", "--store", "a.sqlite", "--", text).status == 0)
        #expect(try await sheaf.run("list", "--store", "a.sqlite").output == text + "\n")
    }

    @Test("of a value that begins with a hyphen it is said how it is given")
    func hyphenOfValue() async throws {
        let refused = try await sheaf.run("list", "--store", "a.sqlite", "--view", "-dash")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("as a value, write --view=-dash; words after --"))
        let note = try await sheaf.run("add", "x", "--note", "- bullet")
        #expect(note.errors.contains("as a value, write --note='- bullet'; words after --"))
    }

    @Test(
        "an option with nothing behind its equals sign has an empty value, not the next argument",
        arguments: [
            ("set --store a.sqlite --note= ID", 0, "no note"),
            ("set --store a.sqlite --name= ID", 64, "cannot be blank"),
            ("set --store a.sqlite --scheduled= ID", 64, "--scheduled “”: expected a date"),
            ("add --store a.sqlite --tag= new", 64, "cannot be blank"),
            ("add --store a.sqlite Ring vet +Pets due:fri", 64, "“+Pets” is no name"),
            ("add --store a.sqlite Ring due:fri", 64, "sheaf add 'Ring due:fri'"),
            ("delete --store a.sqlite --where= --yes", 64, "--where is empty"),
            ("list --store= a.sqlite", 64, "the store has no name"),
            ("--store= list a.sqlite", 64, "the store has no name"),
            ("list --store a.sqlite --limit= 1", 64, "'' is invalid"),
            ("export --store a.sqlite --output= one", 64, "The file to write has no name"),
            ("import --store a.sqlite --format= one", 64, "'' is invalid"),
            ("done --store a.sqlite --undo= ID", 64, "not an id"),
        ])
    func emptyValue(command: String, status: Int32, words: String) async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "one", "--note", "old")
        let id = try await sheaf.run("list", "--store", "a.sqlite", "--ids").output
        let line = command.replacing("ID", with: id.prefix(8))
        let result = try await sheaf.run(line.split(separator: " ").map(String.init))
        #expect(result.status == status)
        #expect((result.output + result.errors).contains(words), "\(result)")
    }

    @Test("an import of nothing that can be read makes no store")
    func noStore() async throws {
        try sheaf.write("[", to: "x.json")
        _ = try await sheaf.run("import", "--store", "new.sqlite", "x.json")
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("new.sqlite")))
    }

    @Test("a missing file, a folder and a missing store are no input: 66 or 65, and a sentence")
    func missing() async throws {
        #expect(try await sheaf.run("import", "--store", "a.sqlite", "none.txt").status == 66)
        let folder = try await sheaf.run("import", "--store", "a.sqlite", ".", "--format", "lines")
        #expect([65, 66].contains(folder.status))
        for command in ["list", "export"] {
            let result = try await sheaf.run(command, "--store", "none.sqlite")
            #expect(result.status == 66)
            #expect(result.errors.contains("none.sqlite"))
        }
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("none.sqlite")))
    }

    @Test("a text file, a truncated database and an empty file are not overwritten")
    func foreign() async throws {
        _ = try await sheaf.run("demo", "--store", "whole.sqlite", "--items", "500")
        let whole = try sheaf.bytes(of: "whole.sqlite")
        try whole.prefix(5000).write(to: URL(fileURLWithPath: sheaf.path("cut.sqlite")))
        try sheaf.write("Dear diary,\n", to: "text.sqlite")
        try sheaf.write("", to: "empty.sqlite")
        for name in ["text.sqlite", "cut.sqlite", "empty.sqlite"] {
            let before = try sheaf.bytes(of: name)
            for arguments in ["list --store \(name)", "add --store \(name) x"] {
                let result = try await sheaf.shell("\"$SHEAF\" \(arguments)")
                #expect(result.status != 0, "\(arguments)")
                #expect(result.errors.hasPrefix("sheaf: "), "\(result.errors)")
                #expect(result.errors.contains(name))
            }
            #expect(try sheaf.bytes(of: name) == before)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: sheaf.folder.path)
        #expect(!left.contains { $0.hasSuffix("-journal") })
    }

    @Test("a folder, and a path that cannot be made, are no store")
    func impossible() async throws {
        #expect(
            try await sheaf.shell("mkdir d.sqlite; \"$SHEAF\" add --store d.sqlite x").status != 0)
        try sheaf.write("x", to: "file")
        let result = try await sheaf.run("add", "--store", "file/below.sqlite", "x")
        #expect(result.status == 73)
        #expect(result.errors.hasPrefix("sheaf: "))
    }

    @Test("without a terminal the screen does not open, and no store is made")
    func noTerminal() async throws {
        let result = try await sheaf.run("--store", "a.sqlite")
        #expect(result.status != 0)
        #expect(result.errors.contains("terminal"))
        #expect(!FileManager.default.fileExists(atPath: sheaf.path("a.sqlite")))
    }
}
