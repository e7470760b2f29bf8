import ArgumentParser
import Glibc
import SheafStorage

/// `sheaf daily-backup`: the command that ``BackupProcess`` runs. The help does not show it.
struct DailyBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: BackupProcess.command,
        _superCommandName: "sheaf",
        abstract: "Make the backup of the day.",
        shouldDisplay: false)

    @OptionGroup var store: StoreOptions

    func run() throws {
        // The end of the terminal does not end it.
        setsid()
        _ = nice(10)
        let location = try store.file { "\($0.name): a list on a server has no backups here" }
        DailyBackups(of: location)?.makeInProcessOfItsOwn()
    }
}
