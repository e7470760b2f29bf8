import ArgumentParser
import Glibc
import Terminal

/// The program's command line: the screen, unless a command is named.
///
/// Parsing is synchronous, because only a synchronous `main` stays on the real main thread, where
/// the screen's event loop has to run.
@main
struct Sheaf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheaf",
        abstract: "Keep a list in the terminal.",
        usage: """
            sheaf [--store <url>] [--read-only] [--no-mouse]
            sheaf <command> ...
            """,
        discussion: """
            Without a command it opens your list on the screen; press ? there for the keys. The list is \
            $XDG_DATA_HOME/sheaf/sheaf.sqlite, by default ~/.local/share/sheaf/sheaf.sqlite. For another list use \
            sheaf --store FILE, or sheaf COMMAND --store FILE.

            For example:
              sheaf --store reading.sqlite
              sheaf add "Thinking in Systems" --tag book
              sheaf list systems
              sheaf done 9b2f

            Exit status: 0 done, 1 failed, 64 wrong usage, 65 bad input, 66 no such file, 73 cannot create, 74 I/O \
            error or possibly saved, 75 busy, try again.
            """,
        version: "sheaf 0.1.0",
        subcommands: [
            OpenCommand.self, AddCommand.self, ListCommand.self, ShowCommand.self,
            AgendaCommand.self,
            CountCommand.self, RenameCommand.self, SetCommand.self, DoneCommand.self,
            DeleteCommand.self, MoveCommand.self,
            TagCommand.self, ViewCommand.self, ImportCommand.self, ExportCommand.self,
            CopyCommand.self, ShareCommand.self, BackupCommand.self, RestoreCommand.self,
            DoctorCommand.self, DemoCommand.self, KeysCommand.self, DailyBackupCommand.self,
        ],
        defaultSubcommand: OpenCommand.self)

    static func main() {
        // Whoever reads our output may stop reading: that ends a command quietly, also where the
        // parent ignores it.
        signal(SIGPIPE, SIG_DFL)
        // A file that grows too large is a failed write, not the end.
        signal(SIGXFSZ, SIG_IGN)
        SystemLimits.fillStandardDescriptors()
        do {
            try checkArguments()
            let arguments = Words.withExclusions(
                commandFirst(Words.withValuesApart(Array(CommandLine.arguments.dropFirst()))),
                of: configuration.subcommands)
            try Words.checkHyphens(of: arguments)
            var command = try parsed(Words.bundled(arguments))
            try SystemLimits.checkFiles()
            try command.run()
        } catch {
            leave(after: error)
        }
    }

    /// `arguments` with `--store` and its value after the names of the command: it may stand before
    /// and between them. Help needs no list.
    private static func commandFirst(_ arguments: [String]) -> [String] {
        var (rest, names, stores) = (arguments[...], [String](), [String]())
        var commands = configuration.subcommands
        while let word = rest.first {
            if let named = commands.first(where: { $0._commandName == word }) {
                names.append(word)
                commands = named.configuration.subcommands
                rest = rest.dropFirst()
                continue
            }
            if word == "help", !commands.isEmpty { return names + rest }
            let count = word == "--store" ? 2 : word.hasPrefix("--store=") ? 1 : 0
            guard count > 0, rest.count >= count, !commands.isEmpty else { break }
            stores += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return names.isEmpty ? arguments : names + stores + rest
    }

    /// The failure for a word where the name of a command is expected, with the nearest name.
    static func noCommand(
        _ word: String, among commands: [any ParsableCommand.Type], after path: String = ""
    ) -> CommandFailure {
        let advice = commands.map { $0._commandName }.nearest(to: word).map {
            ". Did you mean '\(path)\($0)'?"
        }
        return CommandFailure(
            .usage,
            "no such command: '\(path)\(cited(word))'\(advice ?? "; 'sheaf help' lists all")")
    }

    /// The command that `arguments` spell. A command is parsed alone first, because the parser
    /// takes 2 ms to look through all of them. What that refuses, help included, is parsed from the
    /// root, which has the words for it.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        var command: any ParsableCommand.Type = Self.self
        var rest = arguments[...]
        while let name = rest.first,
            let named = command.configuration.subcommands.first(where: { $0._commandName == name })
        {
            command = named
            rest = rest.dropFirst()
        }
        let group = command.configuration.subcommands
        if let word = rest.first, !group.isEmpty, !word.hasPrefix("-"), !word.contains("://") {
            guard
                word == "help" || group.contains(where: { $0.configuration.aliases.contains(word) })
            else {
                let isRoot = rest.count == arguments.count
                throw noCommand(word, among: group, after: isRoot ? "" : command._commandName + " ")
            }
            guard word == "help" else { return try parseAsRoot(arguments) }
            try checkHelp(rest.dropFirst(), of: command)
            return try parseAsRoot(["help"] + arguments.dropLast(rest.count) + rest.dropFirst())
        }
        if rest.count == arguments.count { command = OpenCommand.self }
        if command.configuration.subcommands.isEmpty {
            do { return try command.parse(Array(rest)) } catch {}
        }
        if rest.count == arguments.count { try refuseOptionsFirst(arguments) }
        do {
            return try parseAsRoot(arguments)
        } catch {
            guard !exitCode(for: error).isSuccess,
                let unknown = unknownOption(
                    in: rest, of: command.configuration.defaultSubcommand ?? command, after: error)
            else { throw error }
            throw unknown
        }
    }

    /// Refuses words after `help` that name no command: the parser would print the help of the
    /// group.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, with the nearest name.
    private static func checkHelp(
        _ words: ArraySlice<String>, of group: any ParsableCommand.Type
    ) throws {
        var (group, path) = (group, group == Self.self ? "" : group._commandName + " ")
        for word in words where !word.hasPrefix("-") {
            let commands = group.configuration.subcommands
            guard
                let named = commands.first(where: {
                    ([$0._commandName] + $0.configuration.aliases).contains(word)
                })
            else {
                if word == "help" { return }
                throw noCommand(word, among: commands, after: path)
            }
            (group, path) = (named, path + word + " ")
        }
    }

    /// Refuses options before the command that they belong to.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, with the advice to put the command first, if that
    ///   makes `arguments` right.
    private static func refuseOptionsFirst(_ arguments: [String]) throws {
        guard
            let option = arguments.first(where: {
                $0.hasPrefix("-") && !$0.hasPrefix("--store")
            })
        else { return }
        for start in arguments.indices {
            var (command, commands) = (
                nil as (any ParsableCommand.Type)?, configuration.subcommands
            )
            var end = start
            while end < arguments.count,
                let named = commands.first(where: { $0._commandName == arguments[end] })
            {
                (command, commands) = (named, named.configuration.subcommands)
                end += 1
            }
            do {
                guard try command?.parse(Array(arguments[..<start] + arguments[end...])) != nil
                else { continue }
            } catch {
                continue
            }
            let names = arguments[start..<end].joined(separator: " ")
            let name = String(option.prefix { $0 != "=" })
            throw CommandFailure(.usage, "Put the command first: sheaf \(names) \(cited(name)) …")
        }
    }

    /// Swift repairs arguments that are not UTF-8, and a name would not be what was typed.
    private static func checkArguments() throws {
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: argument) == nil {
                throw CommandFailure(.usage, "argument \(index) is not valid UTF-8")
            }
        }
    }

    /// Help that could not be printed has not been given.
    private static func leave(printing text: String) -> Never {
        do {
            try FileOutput().write(text + "\n")
        } catch {
            leave(after: error)
        }
        Glibc.exit(0)
    }

    /// Help goes to standard output and ends well; all else is a sentence on standard error and a
    /// status.
    private static func leave(after error: any Error) -> Never {
        if let (status, sentence) = ExitStatus.judge(error) {
            Diagnostics.report(sentence, details: (error as? CommandFailure)?.details ?? [])
            Glibc.exit(status.rawValue)
        }
        // A command that has said all there is to say.
        if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
        if exitCode(for: error).isSuccess { leave(printing: fullMessage(for: error)) }
        let message = message(for: error)
        // The values that an option takes may come as lines.
        Diagnostics.report(
            message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", "))
        let head = "Error: \(message)\n"
        let whole = fullMessage(for: error)
        if whole.hasPrefix(head) { StandardError.write(whole.dropFirst(head.count) + "\n") }
        Glibc.exit(exitCode(for: error).rawValue)
    }
}
