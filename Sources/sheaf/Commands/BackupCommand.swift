import ArgumentParser
import SheafCore
import SheafStorage

/// `sheaf backup`: a checked copy of the whole list.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the whole list to a file, also while others write to it.",
        discussion: """
            The copy is a list of the same kind, of one moment, checked before it gets its name. A file that is there \
            already is left alone, unless --force is given. A backup of each day on which the list changes is made \
            without asking; 'sheaf restore' lists them.

            For example:
              sheaf backup ~/backups/list-$(date +%F).sqlite
              sheaf backup --store reading.json --force /media/stick/reading.json
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Replace the file if it is there.")
    var force = false

    @Argument(help: "The file to write.")
    var file: String

    func validate() throws {
        if file == "-" {
            throw ValidationError("A backup needs the name of a file; export writes to '-'.")
        }
    }

    func run() throws {
        let url = try store.url()
        let backup: Backup
        do {
            backup = try Backup.make(of: url, to: file, replacing: force)
        } catch let error as StorageError
            where error.location == file && [.cannotOpen, .readOnly].contains(error.code)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
        FileOutput.report("Backed up \(counted(backup.items, "item")) to \(shown(file)).\n")
    }
}
