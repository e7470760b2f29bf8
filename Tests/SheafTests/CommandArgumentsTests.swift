import ArgumentParser
import Testing

@testable import sheaf

@Suite("Arguments, divided into options and words")
struct CommandArgumentsTests {
    private let many = (0..<30_000).map { "id\($0)" }

    private func forParser(_ arguments: [String]) throws -> [String] {
        try CommandArguments(arguments, of: Sheaf.self).forParser
    }

    @Test("however many words there are, the parser gets few, and all are there")
    func few() throws {
        let arguments = try forParser(["done", "--store", "x"] + many + ["--undo"] + many + ["-"])
        #expect(arguments.count < 30)
        #expect(arguments.prefix(5) == ["done", "--store", "x", "--undo", "--"])
        let words = arguments.dropFirst(5).map { Words(argument: $0) }.texts
        #expect(words == many + many + ["-"])
    }

    @Test("an empty argument among many stays one")
    func empty() {
        let arguments = many.prefix(40) + ["", "", "x", ""]
        #expect(
            Words.bundled(Array(arguments)).map { Words(argument: $0) }.texts == Array(arguments))
    }

    @Test(
        "words stand behind the options, whatever they begin with",
        arguments: [
            ("list", "list"), ("list a -b --limit 5 c", "list --limit 5 -- a -b c"),
            ("list --reverse -b", "list --reverse -- -b"), ("list -h -9", "list -h -- -9"),
            ("list --limit -1", "list --limit -1"), ("list -- --ids", "list -- --ids"),
            ("export -o f -b", "export -o f -- -b"), ("view add v -b", "view add -- v -b"),
            ("view add -b v", "view add -b -- v"),
            ("--store s tag --store=t list", "tag list --store s --store=t"),
            ("done --where -b --yes", "done --where -b --yes"), ("done -", "done -- -"),
            ("--read-only", "--read-only"), ("tag --format json", "tag --format json"),
        ])
    func division(line: String, expected: String) throws {
        let arguments = try forParser(line.split(separator: " ").map(String.init))
        #expect(arguments.joined(separator: " ") == expected)
    }

    @Test(
        "a value that is empty, or begins with what joins the equals sign, is set apart",
        arguments: [
            ("--note=\u{301}x", ["--note", "\u{301}x"]),
            ("--note=\u{200D}", ["--note", "\u{200D}"]),
            ("--note=\u{FE0F}=", ["--note", "\u{FE0F}="]),
            ("--note=x=\u{301}", ["--note=x=\u{301}"]),
            ("--note=", ["--note", ""]), ("--note==", ["--note=="]), ("--=", ["--="]),
            ("-o=", ["-o="]), ("--note", ["--note"]),
        ])
    func apart(argument: String, expected: [String]) throws {
        let words = try forParser(["add", argument, "--", argument])
        let all = ["add"] + expected + ["--", argument]
        #expect(words.map { Array($0.utf8) } == all.map { Array($0.utf8) })
    }

    @Test("the options without a value are those of which the help shows none")
    func flags() {
        func lines(of command: any ParsableCommand.Type) -> [Substring] {
            Sheaf.helpMessage(for: command).split(separator: "\n")
                + command.configuration.subcommands.flatMap(lines)
        }
        let options = lines(of: Sheaf.self).compactMap {
            $0.firstMatch(of: /^  (?:-\w, )?(--[\w-]+)( <)?/)
        }
        let flags = options.filter { $0.output.2 == nil }.map { String($0.output.1) }
        #expect(Set(flags) == CommandArguments.flags)
        let valued = options.filter { $0.output.2 != nil }.map { String($0.output.1) }
        #expect(CommandArguments.flags.isDisjoint(with: valued))
        #expect(valued.count > 20)
    }

    @Test("the parser takes every example of the help")
    func examples() throws {
        func check(_ command: any ParsableCommand.Type) throws -> Int {
            let text = command.configuration.discussion.replacing(/\\\n */, with: "")
            let lines = text.matches(of: /(?m)^  (.*\bsheaf( .*)?)$/).map { String($0.output.1) }
                .filter { !$0.contains("$(") }
            let examples = lines.flatMap(Self.words).filter { $0.first == "sheaf" }
            for words in examples {
                #expect(throws: Never.self, "\(words)") {
                    try Sheaf.parseAsRoot(forParser(Array(words.dropFirst())))
                }
            }
            return try examples.count + command.configuration.subcommands.map(check).reduce(0, +)
        }
        #expect(try check(Sheaf.self) > 60)
    }

    /// The words of each command of a pipeline, as a shell divides them.
    private static func words(of line: String) -> [[String]] {
        var (commands, quote, isNew) = ([[String]](), nil as Character?, true)
        for character in line + " " {
            switch (quote, character) {
            case (nil, "'"), (nil, "\""): quote = character
            case (let open?, _) where open == character: quote = nil
            case (nil, "|"), (nil, ">"): commands.append([])
            case (nil, " "): isNew = true
            default:
                if commands.isEmpty { commands.append([]) }
                let last = commands.count - 1
                if isNew { commands[last].append("") }
                commands[last][commands[last].count - 1].append(character)
                isNew = false
            }
        }
        return commands
    }
}
