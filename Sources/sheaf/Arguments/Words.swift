import ArgumentParser
import SheafList

/// One argument of which there may be many, or a bundle of those.
///
/// The argument parser copies all that it has for each one that it takes: 30,000 ids took it 22
/// seconds. So what stands beyond the first few in a row is given to it as one, by ``bundled(_:)``,
/// and taken apart here.
struct Words: ExpressibleByArgument {
    let texts: [String]

    init(argument: String) {
        guard argument.first == Self.separator else {
            texts = [argument]
            return
        }
        texts = argument.dropFirst()
            .split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// The argument that is taken apart into `texts`, and is no option to the parser whatever they
    /// begin with.
    private static func argument(_ texts: [String]) -> String {
        texts.map { "\(separator)\($0)" }.joined()
    }

    /// What no argument can have in it.
    private static let separator: Character = "\0"
    /// Only options with one value, names of commands and arguments of which there is one come
    /// before the many.
    private static let single = 16

    /// Refuses texts that the parser would take for one-letter options in a row: of `add -cash` it
    /// would do the `-h`, and say that all is well.
    ///
    /// - Throws: `CommandFailure`, `.usage`.
    static func checkHyphens(of arguments: [String]) throws {
        let checked = arguments.prefix { $0 != "--" }
        for (argument, previous) in zip(checked, [""] + checked) {
            let bytes = argument.utf8
            // A query may begin with one.
            guard previous != ItemArguments.queryOption, bytes.starts(with: "-".utf8),
                !bytes.starts(with: "--".utf8), bytes.count > 2,
                // What looks like a number is a value that the option before it judges.
                !bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
                !bytes.dropFirst(2).starts(with: "=".utf8)
            else { continue }
            let advice =
                previous.hasPrefix("--") && !previous.contains("=")
                ? "as a value, write \(previous)=\(ShellText.quoted(cited(argument))); what"
                : "what"
            throw CommandFailure(
                .usage,
                "'\(cited(argument))' begins with a hyphen and is no option; \(advice) stands after -- may begin with one"
            )
        }
    }

    /// Returns `arguments` with `--option=value` as two arguments if the value is empty, or begins
    /// with a scalar that joins the equals sign, such as a combining mark. The parser splits by
    /// characters, and gives an option without a value the next argument.
    static func withValuesApart(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        return options.flatMap { argument -> [String] in
            let scalars = argument.unicodeScalars
            guard argument.utf8.starts(with: "--".utf8), let sign = scalars.firstIndex(of: "=")
            else {
                return [argument]
            }
            let (name, value) = (String(scalars[..<sign]), String(scalars[sign...].dropFirst()))
            let isApart = name != "--" && (value.isEmpty || argument.firstIndex(of: "=") != sign)
            return isApart ? [name, value] : [argument]
        } + arguments.dropFirst(options.count)
    }

    /// `arguments` with those made words of the query that begin with one hyphen, where the command
    /// takes a query, in which `-x` is what x does not find.
    static func withExclusions(
        _ arguments: [String], of commands: [any ParsableCommand.Type]
    ) -> [String] {
        var rest = arguments[...]
        var commands = commands
        var command: (any ParsableCommand.Type)?
        while let named = commands.first(where: { $0._commandName == rest.first }) {
            command = named
            commands = named.configuration.subcommands
            rest = rest.dropFirst()
        }
        guard let command = command as? any QueryCommand.Type else { return arguments }
        var result = arguments
        for index in command.exclusions(in: rest.prefix { $0 != "--" }) {
            result[index] = argument([arguments[index]])
        }
        return result
    }

    /// `arguments` with those bundled that can be nothing but one of many: they follow a long row
    /// of others, without an option in between. O(arguments).
    static func bundled(_ arguments: [String]) -> [String] {
        var bundled: [String] = []
        var row: [String] = []
        func endRow() {
            bundled += row.prefix(Self.single)
            let rest = row.dropFirst(Self.single)
            if !rest.isEmpty {
                bundled.append(argument(rest.flatMap { Words(argument: $0).texts }))
            }
            row = []
        }
        for argument in arguments {
            // A lone hyphen is standard input, and no option.
            if argument.utf8.first == UInt8(ascii: "-"), argument != "-" {
                endRow()
                bundled.append(argument)
            } else {
                row.append(argument)
            }
        }
        endRow()
        return bundled
    }
}

extension [Words] {
    /// All arguments, one by one.
    var texts: [String] { flatMap(\.texts) }
}
