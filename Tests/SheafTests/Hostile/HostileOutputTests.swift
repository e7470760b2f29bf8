import Foundation
import SheafTestSupport
import Testing

/// No text of a list, of a file's name or of an argument reaches a terminal as a control sequence.
@Suite("Hostile texts, printed")
struct HostileOutputTests {
    let sheaf: SheafBinary

    init() throws {
        sheaf = try SheafBinary()
    }

    /// Runs the program with standard output and error on a terminal, and returns the bytes that
    /// arrived there.
    private func print(
        _ arguments: [String], color: Bool = false, columns: Int = 80
    ) async throws -> [UInt8] {
        let terminal = try PseudoTerminal(
            sheaf, ["sh", "-c", "exec \"$SHEAF\" \"$@\"", "sh"] + arguments, columns: columns,
            environment: color ? [:] : ["NO_COLOR": "1"]
        ) {
            // As the program writes it: no carriage returns added, nothing echoed.
            $0.c_oflag = 0
            $0.c_lflag = 0
        }
        let end = try await terminal.waitForEnd()
        #expect(!end.isSignal, "\(arguments) ended by \(end)")
        return terminal.output
    }

    private func expectHarmless(_ arguments: [String]) async throws {
        let output = try await print(arguments)
        #expect(!output.isEmpty, "\(arguments) printed nothing")
        // The line of progress, on a machine that is slow enough.
        let faults = TerminalBytes.faults(in: output, except: [/\r\u{1b}\[K/])
        #expect(faults.isEmpty, "\(arguments)")
    }

    /// Commands that read, each with `--store` behind its words.
    static let readers = [
        ["list"], ["list", "--format", "table", HostileList.name], ["list", "--format", "json"],
        ["list", "--format", "lines"], ["list", "--format", "markdown"],
        ["list", "#\(HostileList.name)"], ["count", "\(HostileList.name) (x"],
        ["list", "--format", "todotxt"], ["export"], ["export", "--format", "lines"],
        ["export", "--format", "markdown"], ["export", "--format", "todotxt"],
        ["export", "--output", "-"], ["tag", "list"], ["tag", "list", "--format", "json"],
        ["tag", "list", "--format", "lines"], ["view", "list"],
        ["view", "list", "--format", "table"],
        ["view", "list", "--format", "json"], ["view", "list", "--format", "lines"], ["doctor"],
        ["restore"],
        ["doctor", "--recover", "r\(HostileList.name).sqlite"],
        ["backup", "b\(HostileList.name).sqlite"], ["backup", "b\(HostileList.name).sqlite"],
        ["export", "--output", "."], ["export", "--output", "/nowhere/\(HostileList.name)"],
        ["export", "--output", HostileList.name + "\n/x"], ["demo"],
        ["restore"], ["restore", "b\(HostileList.name).sqlite"],
        ["restore", "/nowhere/\(HostileList.name)"], ["--log", "/nowhere/\(HostileList.name)"],
    ]

    /// Commands that edit, or fail to.
    static let editors = [
        ["rename", HostileList.id(0), HostileList.name], ["rename", "aaaa", HostileList.name],
        ["done", "--where", "#\(HostileList.name)"],
        ["done", HostileList.id(1)], ["done", "--yes", HostileList.name], ["done", "aaaa"],
        ["move", HostileList.id(2), "--before", HostileList.id(4)],
        ["move", HostileList.id(2), "--after", HostileList.name],
        ["delete", HostileList.id(3)], ["delete", "aaaa", HostileList.name],
        ["tag", "add", HostileList.name, HostileList.id(4)],
        ["tag", "remove", HostileList.name, HostileList.id(4)],
        ["tag", "remove", "no\(HostileList.name)", HostileList.id(4)],
        ["tag", "rename", HostileList.name, "x" + HostileList.name],
        ["tag", "rename", "bbbb", "x"], ["tag", "rename", "x" + HostileList.name, "a\u{1b}c"],
        ["tag", "recolor", "a\u{1b}c", "red"], ["tag", "recolor", "a\u{1b}c", HostileList.name],
        ["tag", "merge", "a\u{1b}c", "\u{9b}2J"], ["tag", "delete", "\u{9b}2J"],
        ["view", "add", HostileList.name, HostileList.name],
        ["view", "add", "x" + HostileList.name, "--tag", HostileList.name + "2"],
        ["view", "add", "y", "#\(HostileList.name)"],
        ["view", "add", "z", "--sort", HostileList.name],
        ["view", "rename", HostileList.name, "z" + HostileList.name],
        ["view", "rename", HostileList.name, "z"], ["view", "list", "--format", "table"],
        ["view", "move", "z" + HostileList.name, "--after", "x" + HostileList.name],
        ["list", "--view", "v\u{1b}c"], ["list", "--view", HostileList.name],
        ["view", "delete", "none" + HostileList.name], ["view", "delete", "eeee"],
        ["view", "delete", "x" + HostileList.name],
        ["tag", "delete", HostileList.name], ["add", HostileList.name],
        ["add", "one", "--tag", HostileList.name], ["import", "bad.txt"], ["import", "bad.json"],
        ["import", "broken.json"], ["import", "bad.md"], ["import", "bad.todo.txt"],
        ["import", "--skip-bad", "bad.json"], ["import", "--skip-bad", "bad.txt"],
        ["import", "\(HostileList.name).txt"], ["import", HostileList.name],
        ["import", "/nowhere/\(HostileList.name).txt"], ["import", "--format", "json", "bad.txt"],
    ]

    private func writeBadFiles() throws {
        let texts = HostileText.all
        try sheaf.write(
            "[" + texts.map { "{\"id\": \(Self.quoted($0)), \"name\": 7}" }.joined(separator: ",\n")
                + "]", to: "bad.json")
        try sheaf.write("[{\"name\": \u{1b}[31337m}]", to: "broken.json")
        try sheaf.write(texts.joined(separator: "\n"), to: "bad.md")
        try sheaf.write(
            texts.map { "x 2026-99-99 \($0)" }.joined(separator: "\n"), to: "bad.todo.txt")
        let bytes = HostileText.brokenBytes.map { $0 + [0x0a] }.joined()
        try Data(bytes).write(to: sheaf.folder.appendingPathComponent("bad.txt"))
        try Data(bytes).write(to: sheaf.folder.appendingPathComponent("\(HostileList.name).txt"))
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar == "\\" || scalar == "\""
                ? "\\u\(String(0x10000 + scalar.value, radix: 16).dropFirst())" : String(scalar)
        }
        return "\"\(escaped.joined())\""
    }

    @Test(
        "no command that prints a hostile list sends a terminal a control character",
        arguments: [".sqlite", ".json"])
    func commands(suffix: String) async throws {
        let list = try await HostileList(sheaf, suffix: suffix)
        try writeBadFiles()
        // Both kinds of stores go through the same edits, whose messages one of them shows.
        for words in suffix == ".sqlite" ? Self.readers + Self.editors : Self.readers {
            let isOption = words[0].hasPrefix("-")
            let command =
                isOption ? [] : Array(words.prefix(["tag", "view"].contains(words[0]) ? 2 : 1))
            try await expectHarmless(
                command + ["--store", list.store] + words.dropFirst(command.count))
        }
    }

    @Test("in a pipe every byte of a name stays as it is")
    func bytesInPipe() async throws {
        let list = try await HostileList(sheaf, suffix: ".sqlite")
        let names = try await sheaf.run("list", "--store", list.store).output
        for text in HostileText.all {
            let line = text.replacing("\r\n", with: "  ").replacing("\n", with: " ")
                .replacing("\r", with: " ")
            #expect(names.utf8.split(separator: 0x0a).contains { $0.elementsEqual(line.utf8) })
        }
        // JSON says the same in escapes, on a terminal and in a pipe.
        let json = try await sheaf.run("list", "--store", list.store, "--format", "json").output
        let printed = try await print(["list", "--store", list.store, "--format", "json"])
        for text in [json, String(decoding: printed, as: UTF8.self)] {
            let items = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
            let parsed = try #require(items).compactMap { $0["name"] as? String }
            #expect(parsed.contains("\u{1b}[2J") && parsed.contains("\u{9b}2J"))
            #expect(parsed.contains("a\u{202e}b"))
        }
    }

    @Test("in colour, only colours are sent, in tables of any width", arguments: [20, 80, 200])
    func colors(columns: Int) async throws {
        let list = try await HostileList(sheaf, suffix: ".sqlite")
        for words in [["list"], ["tag", "list"]] {
            let output = try await print(
                words + ["--store", list.store], color: true, columns: columns)
            let faults = TerminalBytes.faults(
                in: output, except: [/\u{1b}\[(?:0|(?:1;)?38;5;[0-9]+|1)m/])
            #expect(faults.isEmpty, "\(words)")
            #expect(output.contains(0x1b))
        }
    }

    /// The answers of the parser of arguments, or of opening the store.
    @Test("wrong usage is answered without what it quotes reaching the terminal")
    func wrongUsage() async throws {
        let evil = HostileList.name
        let folder = "f\(evil)"
        try sheaf.write(evil, to: "\(evil).sqlite")
        try sheaf.write("", to: "empty\(evil).sqlite")
        try FileManager.default.createDirectory(
            atPath: sheaf.path(folder), withIntermediateDirectories: false)
        for arguments in [
            [evil], ["--\(evil)"], ["--\(evil)=\(evil)"], ["-\(evil)"], ["list", "--\(evil)"],
            ["list", "--format", evil], ["list", "--format=\(evil)"], ["list", "--limit", evil],
            ["list", "--sort", evil], ["list\(evil)"], ["help", evil], ["tag", evil],
            ["tag", "add", evil], ["rename", evil], ["move", "aaaa", "--before", evil, evil],
            ["add", "--", "--\(evil)", "--store", evil], ["demo", "--items", evil],
            ["demo", "--store", "new\(evil).sqlite"], ["--read-only", "--store", "none\(evil)"],
            ["--slow-writes", evil], ["--fail-writes", evil], ["doctor", evil], ["backup"],
            ["--generate-completion-script", evil], ["--completion\(evil)"], ["import", "-", evil],
            ["list", "--store", "\(evil):x"], ["list", "--store", "x\(evil).md"],
            ["list", "--store", "sqlite:/nowhere/\(evil)"], ["list", "--store", "json:\(folder)"],
            ["list", "--store", "\(evil).sqlite"], ["list", "--store", "empty\(evil).sqlite"],
            ["--store", "\(evil).sqlite"], ["add", "--store", "/nowhere/\(evil)/x", "one"],
            ["doctor", "--store", "\(evil).sqlite"], ["--store", folder], ["--store"],
            ["restore", "--store", "\(evil).sqlite", "\(evil).sqlite"],
        ] {
            try await expectHarmless(arguments)
        }
    }

    @Test("an argument that is no UTF-8 is refused without being quoted")
    func brokenArguments() async throws {
        for bytes in HostileText.brokenBytes {
            let octal = bytes.map { "\\\\\(String(0o1000 + Int($0), radix: 8).dropFirst())" }
            let line = "exec \"$SHEAF\" list \"$(printf \(octal.joined()))\""
            let terminal = try PseudoTerminal(sheaf, ["sh", "-c", line]) { $0.c_oflag = 0 }
            #expect(try await terminal.waitForEnd() == .exited(64))
            #expect(terminal.text == "sheaf: argument 2 is not valid UTF-8\n")
        }
    }

    @Test("hostile names in the environment do not reach the terminal either")
    func environment() async throws {
        let evil = HostileList.name
        for (name, value) in [
            ("HOME", "/nowhere/\(evil)"), ("XDG_DATA_HOME", "/nowhere/\(evil)"), ("TERM", evil),
        ] {
            for arguments in [["list"], ["doctor"], ["add", "one"], []] {
                let terminal = try PseudoTerminal(
                    sheaf, ["sh", "-c", "exec \"$SHEAF\" \"$@\"", "sh"] + arguments,
                    environment: ["NO_COLOR": "1"].merging([name: value]) { $1 }
                ) { $0.c_oflag = 0 }
                if arguments.isEmpty, name != "TERM" {
                    continue
                }
                _ = try await terminal.waitForEnd()
                #expect(TerminalBytes.faults(in: terminal.output).isEmpty, "\(name) \(arguments)")
            }
        }
    }
}
