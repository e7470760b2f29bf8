import ArgumentParser
import Glibc
import SheafList
import SheafStorage

/// `sheaf backup`: makes a verified copy of the whole list.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the whole list to a file, even while it is being edited.",
        discussion: """
            The copy is a consistent list of the same kind, checked before it gets its name. An existing file is \
            kept, unless --force is given. The list is also backed up automatically on each day that it \
            changes; 'sheaf restore' lists these backups.

            For example:
              sheaf backup ~/backups/list-$(date +%F).sqlite
              sheaf backup --store reading.json --force /media/stick/reading.json
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Argument(help: "The file to write.")
    var file: String

    func validate() throws {
        if file.isEmpty { throw ValidationError("The file to write has no name.") }
        if file == "-" {
            throw ValidationError(
                "A backup needs a file name; to write to standard output, use export.")
        }
    }

    func run() throws {
        let location = try store.file { list in
            "backups of a list on a server are exports: sheaf export --store"
                + " \(ShellText.quoted(list.name)) --output FILE"
        }
        try checkName(for: location.url.backend)
        try location.commitAbandoned()
        let backup = try making(file) {
            try Backup.make(of: location, to: file, replacing: force)
        }
        FileOutput.report("Backed up \(counted(backup.items, "item")) to \(shown(file)).\n")
    }

    /// Refuses a name that `--store` would interpret as a list of another kind or as another file.
    private func checkName(for backend: StoreURL.Backend) throws {
        let schemes = StoreURL.Backend.allCases.map { "\($0):" } + ["file:"]
        if let scheme = schemes.first(where: file.lowercased().hasPrefix) {
            throw CommandFailure(
                .usage,
                "\(file): name the file alone: \(file.dropFirst(scheme.count)) (for a file of that"
                    + " name write ./\(file))")
        }
        let others = StoreURL.Backend.allCases.filter { $0 != backend }.flatMap(\.endings)
        guard let ending = others.first(where: file.lowercased().hasSuffix) else { return }
        throw CommandFailure(
            .usage,
            "\(file): a backup of this list is a list of the same kind: name it"
                + " \(file.dropLast(ending.count)).\(backend). To change the format, use sheaf export or"
                + " sheaf copy.")
    }
}

/// `sheaf daily-backup`: the command that ``BackupProcess`` runs. The help does not show it.
struct DailyBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: BackupProcess.command,
        abstract: "Make the backup of the day.",
        shouldDisplay: false)

    @OptionGroup var store: StoreOptions

    func run() throws {
        // A new session, so that closing the terminal does not end the process.
        setsid()
        _ = nice(10)
        let location = try store.file { "\($0.name): a list on a server has no backups here" }
        DailyBackups(of: location)?.makeInSeparateProcess()
    }
}
