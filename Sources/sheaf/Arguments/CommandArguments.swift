import ArgumentParser
import SheafList

/// The arguments of the program, divided into the names of a command, its options and its words.
///
/// The argument parser's rules differ from users' expectations: it would read `list -book` as the
/// option `-b`, `add -cash` as `-h`, and would take the next argument as the value of `--note=`. So
/// this type separates options and words, and passes the words to the parser after `--`.
struct CommandArguments {
    /// The options without a value, of all commands.
    static let flags: Set = [
        "--again", "--force", "--help", "--hide-done", "--ids", "--literal", "--no-mouse",
        "--print",
        "--read-only", "--reverse", "--skip-bad", "--undo", "--untagged", "--version", "--yes",
    ]

    /// The program, and the groups and the command that the names select.
    private var path: [any ParsableCommand.Type]
    private var names: [String] = []
    /// Each option, with its value if the value is a separate argument.
    private var options: [[String]] = []
    private(set) var words: [String] = []
    /// The last option, if its value is missing.
    private(set) var openOption: String?
    /// True if only words can follow, after `--`.
    private(set) var hasOnlyWords = false
    /// True if the names follow `help`.
    private(set) var isForHelp = false

    /// The named command, or the named group of commands.
    var command: any ParsableCommand.Type { path[path.count - 1] }

    /// The command that runs.
    var leaf: any ParsableCommand.Type {
        command.configuration.defaultSubcommand ?? command
    }

    /// - Throws: ``CommandFailure``, `.usage`, for a name that no command has, for options before
    ///   the command, and for words that the parser would take for options.
    init(_ arguments: [String], of program: any ParsableCommand.Type) throws {
        path = [program]
        var rest = arguments[...]
        takeNames(&rest)
        if let word = rest.first, !command.configuration.subcommands.isEmpty {
            if word == "help" {
                try takeHelp(rest.dropFirst())
                return
            }
            if !word.beginsWithHyphen { throw noCommand(word) }
        }
        try takeOptionsAndWords(rest)
        // The command that opens the screen takes no words.
        if leaf == program.configuration.defaultSubcommand { try checkOrder() }
    }

    /// The arguments in the form for the parser. O(arguments).
    var forParser: [String] {
        let first = names + options.joined()
        return words.isEmpty ? first : first + ["--"] + Words.bundled(words)
    }

    /// Returns the failure for the first option that the command does not have. If there is none,
    /// returns `error`, which the parser threw. The parser's error names no option if the arguments
    /// have another error too.
    func failure(for error: any Error) -> any Error {
        let known = knownOptions
        let given = options.map { $0[0].optionName }
        guard let name = given.first(where: { $0.hasPrefix("--") && !known.contains($0) }) else {
            return error
        }
        let advice = known.map { String($0.drop { $0 == "-" }) }.nearest(
            to: String(name.dropFirst(2))
        )
        .map { ". Did you mean '--\($0)'?" }
        let message = path[0].fullMessage(for: error).split(separator: "\n").map(\.trimmed)
        return CommandFailure(
            .usage, "Unknown option '\(shortenedInput(name))'\(advice ?? "")",
            details: Array(message.drop { !$0.hasPrefix("Usage: ") }))
    }
}

// MARK: Completion

extension CommandArguments {
    /// True if the name of a command can follow.
    var takesName: Bool {
        !command.configuration.subcommands.isEmpty && words.isEmpty && !hasOnlyWords
            && optionNames.isSubset(of: ["--store"])
    }

    /// The names of the given options, with their hyphens.
    var optionNames: Set<String> { Set(options.map { $0[0].optionName }) }

    /// Returns the last value of an option.
    func value(of name: String) -> String? {
        guard let option = options.last(where: { $0[0].optionName == name }) else { return nil }
        if option.count > 1 { return option[1] }
        return option[0].utf8.contains(UInt8(ascii: "="))
            ? String(option[0].drop { $0 != "=" }.dropFirst()) : nil
    }
}

// MARK: Dividing

extension CommandArguments {
    /// Takes the names of a command. `--store` may come before and between them.
    private mutating func takeNames(_ rest: inout ArraySlice<String>) {
        while let word = rest.first, !command.configuration.subcommands.isEmpty {
            if let named = command.configuration.subcommands.named(word) {
                path.append(named)
                names.append(word)
                rest = rest.dropFirst()
            } else if word == "--store", rest.count > 1 {
                options.append(Array(rest.prefix(2)))
                rest = rest.dropFirst(2)
            } else if word.utf8.starts(with: "--store=".utf8) {
                options.append(Self.withValueApart(word))
                rest = rest.dropFirst()
            } else {
                return
            }
        }
    }

    private mutating func takeHelp(_ words: ArraySlice<String>) throws {
        isForHelp = true
        for word in words {
            guard !word.beginsWithHyphen else {
                if ["-h", "--help"].contains(word) { continue }
                throw CommandFailure(.usage, "help has no option '\(shortenedInput(word))'")
            }
            guard let named = command.configuration.subcommands.named(word) else {
                if word == "help" { return }
                throw noCommand(word)
            }
            path.append(named)
            names.append(word)
        }
    }

    private mutating func takeOptionsAndWords(_ arguments: ArraySlice<String>) throws {
        let query = leaf as? any QueryCommand.Type
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                hasOnlyWords = true
                words += rest
                return
            }
            if argument == "-" || !argument.beginsWithHyphen {
                words.append(argument)
            } else if argument.isLongOption || query?.letters.contains(argument) ?? false {
                var option = Self.withValueApart(argument)
                let takesValue =
                    option.count == 1 && !argument.utf8.contains(UInt8(ascii: "="))
                    && !Self.flags.contains(argument)
                if takesValue, rest.first != "--", let value = rest.popFirst() {
                    if value.isNegativeLength {
                        option = ["\(argument)=\(value)"]
                    } else {
                        // A query may begin with a hyphen.
                        if argument != ItemArguments.queryOption {
                            try Self.checkHyphen(of: value, after: argument)
                        }
                        option.append(value)
                    }
                } else if takesValue, rest.isEmpty {
                    openOption = argument
                }
                options.append(option)
            } else if let query, argument != "-h", words.count >= query.wordsBefore,
                !query.letters.contains(String(argument.prefix(2)))
            {
                words.append(argument)
            } else {
                try Self.checkHyphen(of: argument)
                options.append([argument])
            }
        }
    }

    /// Returns `--option=value` as two arguments if the value is empty, or begins with a scalar
    /// that combines with the equals sign, such as a combining mark. The parser divides by
    /// characters, and would take the next argument as the value of such an option.
    private static func withValueApart(_ argument: String) -> [String] {
        let scalars = argument.unicodeScalars
        guard argument.isLongOption, let sign = scalars.firstIndex(of: "=") else {
            return [argument]
        }
        let (name, value) = (String(scalars[..<sign]), String(scalars[sign...].dropFirst()))
        let isApart = name != "--" && (value.isEmpty || argument.firstIndex(of: "=") != sign)
        return isApart ? [name, value] : [argument]
    }
}

// MARK: Wrong usage

extension CommandArguments {
    /// Refuses a text that the parser would read as several one-letter options.
    ///
    /// - Parameter option: the option whose value the text is, or `nil`.
    private static func checkHyphen(of text: String, after option: String? = nil) throws {
        let rest = text.utf8.dropFirst()
        guard text.beginsWithHyphen, !text.isLongOption, rest.count > 1,
            // A negative number belongs to the option before it.
            !rest.allSatisfy({ (0x30...0x39).contains($0) }),
            !rest.dropFirst().starts(with: "=".utf8)
        else { return }
        let advice = option.map {
            $0.isLongOption
                ? "as a value, write \($0)=\(ShellText.quoted(shortenedInput(text))); " : ""
        }
        throw CommandFailure(
            .usage,
            "'\(shortenedInput(text))' begins with a hyphen but is not an option; "
                + "\(advice ?? "")words after -- may begin with one")
    }

    /// Refuses a command after options, and words without a command.
    private func checkOrder() throws {
        guard let word = words.first else { return }
        var late = self
        (late.path, late.names) = ([path[0]], [])
        let commands = late.command.configuration.subcommands
        guard let start = words.firstIndex(where: { commands.named($0) != nil }) else {
            throw late.noCommand(word)
        }
        var rest = words[start...]
        late.takeNames(&rest)
        let typed = "sheaf \(late.names.joined(separator: " "))"
        let given = options.map { $0[0].optionName }.filter { $0 != "--store" }
        guard Set(given).isDisjoint(with: ["-h", "--help", "--version"]) else { return }
        let own = given.first(where: late.knownOptions.contains)
        if own != nil || given.isEmpty {
            let option = own.map { " \($0)" } ?? ""
            throw CommandFailure(.usage, "Put the command first: \(typed)\(option) …")
        }
        // The parser refuses unknown options.
        guard Set(given).isSubset(of: knownOptions) else { return }
        let (verb, pronoun) = given.count == 1 ? ("is", "it") : ("are", "them")
        throw CommandFailure(
            .usage,
            "\(given.joined(separator: " and ")) \(verb) for the screen alone: "
                + "use \(typed) … without \(pronoun).")
    }

    /// Returns the failure for a word in the place of a command's name, with the most similar name.
    private func noCommand(_ word: String) -> CommandFailure {
        // The message does not repeat the word, because it may contain a password.
        guard !word.contains("://") else {
            return CommandFailure(.usage, "a list is named with --store: sheaf --store <url>")
        }
        let group = names.map { "\($0) " }.joined()
        let commands = command.configuration.subcommands
            .filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let advice = commands.nearest(to: word).map { ". Did you mean '\(group)\($0)'?" }
        return CommandFailure(
            .usage,
            "no such command: '\(group)\(shortenedInput(word))'\(advice ?? "; 'sheaf help' lists all")"
        )
    }

    /// The options that the help of the command lists, with their hyphens.
    private var knownOptions: [String] {
        path[0].helpMessage(for: leaf).split(separator: "\n").map(\.trimmed)
            .filter { $0.hasPrefix("-") }
            .flatMap {
                $0.prefix(upTo: $0.firstRange(of: "  ")?.lowerBound ?? $0.endIndex).split(
                    separator: " ")
            }
            .filter { $0.hasPrefix("-") }
            .map { String($0.prefix { $0 != "," }) }
    }
}

extension [any ParsableCommand.Type] {
    /// Returns the command with this name or alias.
    fileprivate func named(_ word: String) -> Element? {
        first { $0.configuration.commandName == word || $0.configuration.aliases.contains(word) }
    }
}

extension String {
    // Compares bytes, since a mark may combine with the hyphen.
    fileprivate var beginsWithHyphen: Bool { utf8.first == UInt8(ascii: "-") }
    /// True for a text such as `-1w`, which no option has as its name.
    fileprivate var isNegativeLength: Bool {
        let digits = utf8.dropFirst().prefix { (0x30...0x39).contains($0) }
        return beginsWithHyphen && !digits.isEmpty && digits.count < utf8.count - 1
    }
    fileprivate var isLongOption: Bool { utf8.starts(with: "--".utf8) }
    /// The name of an option, without the value that may follow an equals sign.
    fileprivate var optionName: String { String(prefix { $0 != "=" }) }
}

/// One or more words of a command that takes any number of them.
struct Words: ExpressibleByArgument {
    let texts: [String]

    init(argument: String) {
        texts = argument.split(separator: Self.separator, omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Returns the first words, and all others joined into one. O(words).
    ///
    /// A workaround: swift-argument-parser 1.8.2 needs quadratic time with every parsing strategy,
    /// since it copies all earlier words for each word. 30,000 ids took 22 seconds. Words passed to
    /// a command after parsing would miss its `validate()`. Remove this once the parser's time is
    /// linear.
    static func bundled(_ words: [String]) -> [String] {
        // Arguments that take one word come first.
        let rest = words.dropFirst(single)
        return words.prefix(single)
            + (rest.isEmpty ? [] : [rest.joined(separator: String(separator))])
    }

    private static let single = 16
    /// The separator of joined words, which no argument can contain.
    private static let separator: Character = "\0"
}

extension [Words] {
    /// All arguments, one by one.
    var texts: [String] { flatMap(\.texts) }
}
