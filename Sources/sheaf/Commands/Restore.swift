import ArgumentParser
import FoundationEssentials
import SheafList
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf restore`: lists backups, or replaces the list with one.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "List the backups of the list, restore one, or apply unsaved changes.",
        discussion: """
            Without a file it lists the backups, the newest first, and the intent logs, which hold changes of \
            interrupted sessions that are not saved yet. A backup replaces the list, after a complete check; the \
            previous list, damaged or not, is kept beside it as NAME.before-restore-N. An intent log is merged into \
            its list and then removed, as any command does by itself unless the list has moved; changes that the \
            list refuses stay in it, and no other command tries them again. Only lists in files have backups.

            For example:
              sheaf restore
              sheaf restore ~/.local/state/sheaf/backups/sheaf.sqlite-4f1c/2026-01-15.sqlite
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The backup or intent log to restore.")
    var file: String?

    @Flag(
        help:
            "Apply an intent log to the list of --store, though it is of another list or lacks changes."
    )
    var force = false

    func validate() throws {
        guard !force || store.store != nil && file != nil else {
            throw ValidationError("--force needs an intent log, and the list in --store.")
        }
    }

    func run() throws {
        guard let file else { return try list(try store.location()) }
        if let log = try AbandonedLog.named(file, allowsMissingRecords: force) {
            return try adopt(log)
        }
        let location = try store.file { list in
            "a file cannot replace a list on a server; to add missing items from an export:"
                + " sheaf import --store \(ShellText.quoted(list.name)) \(ShellText.quoted(file))"
        }
        let path = location.url.path
        let isOfAnother = Restore.isOfAnother(file, than: location)
        guard store.store != nil || !isOfAnother else {
            throw CommandFailure(
                .usage,
                "\(file): this is a backup of another list than \(shown(path)). Name the list that it"
                    + " is to replace with --store.")
        }
        // Unsaved changes are first saved to the list that is set aside. If it cannot be opened,
        // they go to the restored list, unless that is another list.
        try location.commitAbandoned(adding: ", before it is set aside")
        let known = unreadableLogs(of: location)
        let restored: Restore
        do {
            restored = try Restore.run(file, to: location)
        } catch let error as StorageError
            where error.location == path && [.cannotOpen, .readOnly].contains(error.code)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
        let kept = restored.aside.map { "; the previous list is kept in \(shown($0))" } ?? ""
        FileOutput.report(
            "Restored \(counted(restored.items, "item"))\(isOfAnother ? " of another list" : "") to"
                + " \(shown(path))\(kept).\n")
        for log in unreadableLogs(of: location) where !known.contains(log) {
            Diagnostics.report("Not recovered, but kept: \(log)")
        }
    }

    /// Returns the errors of the logs beside the list that no command can apply.
    private func unreadableLogs(of location: FileLocation) -> [StorageError] {
        AbandonedLogs(for: location, isReadOnly: true).content.unreadable
    }

    /// Merges the changes of a log with the present list.
    private func adopt(_ log: AbandonedLog) throws {
        // Only a list that the user names is created if it does not exist.
        let mode = store.store == nil ? OpenMode.readWrite : .readWriteCreate
        let location = try target(of: log)
        let storage = try location.opening(mode).storage
        try checkOwner(of: log, location)
        nonisolated(unsafe) let log = log
        let outcome = try runBlocking {
            let outcome = try await log.adopt(to: storage)
            await storage.close()
            return outcome
        }
        let address = location.formerAddress(of: log).map { " of a session at \($0)" } ?? ""
        let taken = counted(outcome.count - outcome.lost.count, "change") + address
        let isGone = outcome.lost.isEmpty && outcome.obstacle == nil
        let end = isGone ? "; the file was removed" : outcome.lost.clause
        FileOutput.report(shown("Applied \(taken) to \(location.name)\(end).") + "\n")
        for sentence in outcome.sentences { Diagnostics.report("\(sentence).") }
        switch (outcome.lost.isEmpty, outcome.obstacle) {
        case (true, nil): break
        case (false, nil):
            throw CommandFailure(
                .badInput,
                "\(log.path): holds the changes that were refused. Restore it again once the cause is fixed."
            )
        case (true, let obstacle?):
            throw CommandFailure(
                .io,
                "\(log.path): cannot be removed (\(obstacle)). Remove it: applied again it would undo later edits."
            )
        case (false, let obstacle?):
            throw CommandFailure(
                .io,
                "\(log.path): cannot be reduced to the refused changes (\(obstacle)). Applied again it may undo later edits."
            )
        }
    }

    /// Refuses a log of another list than the one at `location`, or of another role on its server.
    ///
    /// The location comes from `--store`, or from the URL in the log, which may lead elsewhere if
    /// the environment has changed. If `--store` names a list on a server, the log may come from
    /// another database with the same list, because the database may have moved. A list in a file
    /// is identified by its ids, at any path.
    private func checkOwner(of log: AbandonedLog, _ location: any Location) throws {
        guard let objection = try location.objection(to: log) else { return }
        if !force, location.file != nil, store.store != nil {
            throw CommandFailure(
                .usage,
                "\(log.path): \(objection.reason). Name the list where it is now with --store. To"
                    + " apply the changes to \(location.name) instead, add --force.")
        }
        guard force || store.store != nil && !location.isOfOtherList(log) else {
            throw CommandFailure(.usage, objection.description)
        }
        Diagnostics.report("Applying to \(location.name) anyway: \(objection.reason)")
    }

    /// Returns the list of the log. If that list is gone or unknown, returns the list that
    /// `--store` names.
    private func target(of log: AbandonedLog) throws -> any Location {
        let named = try store.store.map { _ in try store.location() }
        guard let list = log.list else {
            if let named { return named }
            throw CommandFailure(
                .usage,
                "\(log.path): this file does not name its list. Name the list with --store."
            )
        }
        if let beside = try listBeside(log, list),
            named.map({ $0.key == beside.key }) ?? true
        {
            return beside
        }
        guard let named else {
            if let url = StoreURL(address: list), !FileManager.default.fileExists(atPath: url.path)
            {
                throw StorageError(
                    .notFound, at: url.path, reason: "the list of this file no longer exists",
                    advice: "Name the list with --store if it has moved, or to create it again.")
            }
            // A server that another user has chosen could receive a password.
            if StoreURL(address: list) == nil, !log.isOwn {
                throw CommandFailure(
                    .usage,
                    "\(log.path): another user may have written this file. Name its list with"
                        + " --store, if you trust it.")
            }
            return try Locations.current.named(list)
        }
        // The URL in the log may have led to another list when the log was written. `checkOwner`
        // compares the ids once the list is open.
        if force || named.namesOwner(log) { return named }
        // A list on a server that cannot be reached may still exist.
        if StoreURL(address: list) == nil, named.file != nil {
            throw CommandFailure(
                .usage,
                "\(log.path): this file is of the list \(list). To apply it there: sheaf restore"
                    + " \(ShellText.quoted(log.path)). If that list is gone, --force applies it to"
                    + " \(named.name).")
        }
        guard isOf(named, list) || !isThere(list, by: log) else {
            throw CommandFailure(
                .usage,
                "\(log.path): this file is of the list \(list), not of"
                    + " \(named.file?.url.description ?? named.name). To apply it there:"
                    + " sheaf restore \(ShellText.quoted(log.path))")
        }
        return named
    }

    /// Returns the list of the log if it lies beside the log, even if it was at another path when
    /// the log was written. Both may have been moved or copied with their folder.
    private func listBeside(_ log: AbandonedLog, _ list: String) throws -> (any Location)? {
        guard let url = StoreURL(address: list),
            log.path.lastPathName.hasPrefix(".\(url.path.lastPathName).intents-")
        else { return nil }
        let folder = URL(fileURLWithPath: log.path).deletingLastPathComponent().path
        let path = "\(folder)/\(url.path.lastPathName)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let location = try Locations.current.named("\(url.backend):\(path)")
        return try location.objection(to: log) == nil ? location : nil
    }

    /// Returns true if a log's `list` is the list at `location`. A server may have several URLs for
    /// one list.
    private func isOf(_ location: any Location, _ list: String) -> Bool {
        if location.address == list { return true }
        guard StoreURL(address: list) == nil else { return false }
        do {
            return try Locations.current.named(list).key == location.key
        } catch {
            return false
        }
    }

    /// Returns true if the list that `log` names can be reached and is still that list. A list may
    /// have moved to another server, and a file may have been removed or replaced by another list.
    private func isThere(_ list: String, by log: AbandonedLog) -> Bool {
        do {
            if let url = StoreURL(address: list) {
                guard FileManager.default.fileExists(atPath: url.path) else { return false }
                return try Locations.current.named(list).objection(to: log) == nil
            }
            guard log.isOwn else { return false }
            let location = try Locations.current.named(list)
            try runBlocking { try await location.open(.readOnly).storage.close() }
            return try location.objection(to: log) == nil
        } catch {
            return false
        }
    }

    private func list(_ location: any Location) throws {
        let rescueFiles = location.rescueFiles()
        for file in rescueFiles {
            try FileOutput().write(
                "not saved  earlier version  rescue file  \(shown(file))\n")
        }
        let logs = ExaminedLog.all(for: location)
        for log in logs {
            let content =
                switch log.content {
                case .changes(let changes, _): counted(AbandonedChanges.count(changes), "change")
                case .inUse: "in use"
                case .unreadable: "unreadable"
                }
            let address = log.address.map { "  of a session at \(shown($0))" } ?? ""
            try FileOutput().write(
                "not saved  \(content)  intent log  \(shown(log.path))\(address)\n")
        }
        let backups = location.file.map { Restorable.all(for: $0) } ?? []
        guard !backups.isEmpty || !rescueFiles.isEmpty || !logs.isEmpty else {
            return try reportNothing(of: location)
        }
        let (output, moment) = (FileOutput(), Moment.now)
        for one in backups {
            let items = one.items.map { counted($0, "item") } ?? one.objection ?? "unreadable"
            let cells = [
                moment.dayAndTime(one.modified.moment), one.size.byteText, items,
                one.origin.rawValue + (one.isOfAnother ? ", of another list" : ""),
                shown(one.path),
            ]
            try output.write(cells.joined(separator: "  ") + "\n")
        }
    }

    private func reportNothing(of location: any Location) throws {
        if let path = location.file?.url.path, !FileManager.default.fileExists(atPath: path) {
            throw StorageError(
                .notFound, at: path, reason: "there is no such list, and no backup of it",
                advice: "Check the name.")
        }
        if let file = location.file, let obstacle = DailyBackups(of: file)?.obstacle() {
            return Diagnostics.report(
                "There are no backups of \(location.name), and none can be made: \(obstacle)")
        }
        Diagnostics.report(
            location.file == nil
                ? "There is nothing to restore \(location.name) from; backups of a list on a server are"
                    + " exports."
                : "There are no backups for this path yet: \(location.name).")
    }

}

extension Int64 {
    /// The number as a size such as `12 kB` or `3.4 MB`, in powers of 1000, as for disks.
    fileprivate var byteText: String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = Double(self)
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let isWhole = unit == 0 || value >= 9.95
        let tenths = Int((value * 10).rounded())
        let number = isWhole ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(units[unit])"
    }
}
