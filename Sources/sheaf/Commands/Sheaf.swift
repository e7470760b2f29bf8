import ArgumentParser
import Glibc
import Terminal

/// The command line of the program. It opens the screen if no command is named.
///
/// Parsing is synchronous, because only a synchronous `main` stays on the real main thread, where
/// the screen's event loop must run.
@main
struct Sheaf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheaf",
        abstract: "Keep a list in the terminal.",
        usage: """
            sheaf \(OpenCommand.options)
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
        version: Version.text,
        subcommands: [
            OpenCommand.self, AddCommand.self, ListCommand.self, ShowCommand.self,
            AgendaCommand.self,
            CountCommand.self, RenameCommand.self, SetCommand.self, DoneCommand.self,
            DeleteCommand.self, MoveCommand.self,
            TagCommand.self, ViewCommand.self, ImportCommand.self, ExportCommand.self,
            CopyCommand.self, ShareCommand.self, BackupCommand.self, RestoreCommand.self,
            DoctorCommand.self, DemoCommand.self, KeysCommand.self, CompleteCommand.self,
            DailyBackupCommand.self,
        ],
        defaultSubcommand: OpenCommand.self)

    static func main() {
        // If the reader of the output stops reading, SIGPIPE ends the command without a message,
        // even if the parent process ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        // If a file grows too large, the write fails, but the process continues.
        signal(SIGXFSZ, SIG_IGN)
        SystemLimits.fillStandardDescriptors()
        do {
            try checkArguments()
            var command = try parsed(Array(CommandLine.arguments.dropFirst()))
            try SystemLimits.checkFiles()
            try command.run()
        } catch {
            leave(after: error)
        }
    }

    /// Returns the command that `arguments` name.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try CommandArguments(arguments, of: Self.self)
        if arguments.isForHelp { throw CleanExit.helpRequest(arguments.command) }
        do {
            return try parseAsRoot(arguments.forParser)
        } catch  where !exitCode(for: error).isSuccess {
            throw arguments.failure(for: error)
        }
    }

    /// Refuses arguments that are not UTF-8. Swift would repair them, and a name would differ from
    /// the typed one.
    private static func checkArguments() throws {
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: argument) == nil {
                throw CommandFailure(.usage, "argument \(index) is not valid UTF-8")
            }
        }
    }

    /// Prints `text` and exits. If `text` cannot be printed, exits with the status of that failure.
    private static func leave(printing text: String) -> Never {
        do {
            try FileOutput().write(text + "\n")
        } catch {
            leave(after: error)
        }
        Glibc.exit(0)
    }

    /// Exits after an error. Help goes to standard output with the status 0. Other errors are
    /// reported on standard error, with their status.
    private static func leave(after error: any Error) -> Never {
        if let (status, sentence) = ExitStatus.statusAndSentence(for: error) {
            Diagnostics.report(sentence, details: (error as? CommandFailure)?.details ?? [])
            Glibc.exit(status.rawValue)
        }
        // The command has already reported everything.
        if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
        if exitCode(for: error).isSuccess { leave(printing: fullMessage(for: error)) }
        let message = message(for: error)
        // The parser may list the values of an option on separate lines.
        Diagnostics.report(
            message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", "))
        let head = "Error: \(message)\n"
        let whole = fullMessage(for: error)
        if whole.hasPrefix(head) { StandardError.write(whole.dropFirst(head.count) + "\n") }
        Glibc.exit(exitCode(for: error).rawValue)
    }
}
