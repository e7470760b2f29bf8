import Glibc
import SheafList
import SwiduxFiles

/// An examination of a list in a file. It never writes to the list, and reports findings with
/// advice.
package struct Doctor: Sendable {
    private let location: FileLocation

    /// Examines the list at `location` and everything that belongs to it. O(size): reads every page
    /// or line of the list.
    package static func examine(_ location: FileLocation) -> Diagnosis {
        Doctor(location: location).examine()
    }

    private func examine() -> Diagnosis {
        var diagnosis = Diagnosis()
        do {
            let file = location.store
            guard try file.identity() != nil else { throw FileFailure.notFound(at: file.location) }
            var content = Diagnosis()
            switch location.url.backend {
            case .sqlite: SQLiteExamination(file).run(&content)
            case .json: JSONExamination(file).run(&content)
            }
            // Sheaf does not judge the permissions of a file that is not a list.
            describe(file, isOurs: content.refusal != .foreign, &diagnosis)
            diagnosis.add(content)
            describeSurroundings(of: file, &diagnosis)
        } catch {
            diagnosis.add(error)
        }
        diagnosis.addUnsaved(of: location)
        describeBackups(&diagnosis)
        return diagnosis
    }

    private func describe(_ file: StoreFile, isOurs: Bool, _ diagnosis: inout Diagnosis) {
        diagnosis.add(.fine, "file: \(file.path)")
        let reason =
            location.url.backend == .json
            ? file.reasonAgainstReplacing() : file.reasonAgainstWriting()
        if access(file.path, R_OK) == 0, let reason {
            diagnosis.add(.note, "the list opens read-only", advice: reason)
        } else if location.url.backend == .sqlite,
            let reason = SidecarFiles(of: file).reasonAgainstWriting()
        {
            // Only an SQLite list has journals. A save of a JSON list by a group member keeps the
            // group.
            diagnosis.add(.warning, "the list cannot be written to", advice: reason)
        }
        guard isOurs else { return }
        checkMode(of: file.path, allowing: 0o600, kind: "file", &diagnosis)
        var status = stat()
        if stat(file.path, &status) == 0, status.st_nlink > 1 {
            let danger =
                switch location.url.backend {
                case .sqlite:
                    "If the program is killed while it writes, opening the list by its other name"
                        + " can damage it."
                case .json:
                    "The next save replaces the file under this name, and the other names keep the"
                        + " list as it is now."
                }
            diagnosis.add(
                .warning, "the file has \(status.st_nlink) names (hard links)",
                advice:
                    "\(danger) Make an independent copy: cp \(ShellText.quoted(file.path)) NEW,"
                    + " then mv NEW \(ShellText.quoted(file.path)).")
        }
        // The folder may contain other files, so only write access by others is reported.
        if stat(file.folder, &status) == 0, status.st_mode & 0o022 != 0,
            status.st_mode & 0o1000 == 0
        {
            diagnosis.add(
                .warning, "others can write to the folder \(file.folder)",
                advice: "chmod go-w '\(file.folder)' keeps them from replacing the list.")
        }
    }

    private func checkMode(
        of path: String, allowing mode: mode_t, kind: String, _ diagnosis: inout Diagnosis
    ) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let present = status.st_mode & 0o777
        let octal = String(present, radix: 8)
        if present & ~mode & 0o077 == 0 {
            diagnosis.add(.fine, "permissions: \(octal), private to you")
        } else {
            diagnosis.add(
                .warning, "permissions: \(octal), others can access the list",
                advice:
                    "chmod \(String(mode, radix: 8)) '\(path)' makes the \(kind) private to you.")
        }
    }

    private func describeSurroundings(of file: StoreFile, _ diagnosis: inout Diagnosis) {
        for leftover in Leftover.all(beside: file) {
            diagnosis.add(.note, "beside it: \(leftover.path)", advice: leftover.meaning)
        }
        var status = stat()
        if stat(file.path, &status) == 0 {
            for holder in OpenFiles.words(
                forHoldersOf: StoreFile.Version(status).identity, at: file.path)
            {
                diagnosis.add(.note, "open in \(holder)")
            }
        }
        var space = statvfs()
        guard statvfs(file.folder, &space) == 0 else { return }
        let free = space.freeBytes
        let size = Int64(status.st_size)
        let text = "disk: \(free / 1_000_000) MB free"
        if free < 10_000_000 || free / 2 < size {
            diagnosis.add(
                .warning, text,
                advice: "Free some space: nothing can be saved once the disk is full.")
        } else {
            diagnosis.add(.fine, text)
        }
    }

    private func describeBackups(_ diagnosis: inout Diagnosis) {
        let daily = DailyBackups(of: location)
        let obstacle = daily?.obstacle()
        let broken = daily?.unusable() ?? []
        let future = daily?.futurePaths() ?? []
        let all = Restorable.all(for: location).filter { backup in
            backup.items != nil && !broken.contains { $0.path == backup.path }
                && !future.contains(backup.path)
        }
        let usable = all.filter { !$0.isOfAnother }
        let others = all.filter(\.isOfAnother).map(\.path).sorted()
        let moved = usable.filter { $0.origin == .moved }
        let advice = diagnosis.refusal.map { _ in "'sheaf restore' lists them and restores one." }
        if let newest = usable.first(where: { $0.origin != .moved }) {
            diagnosis.add(
                .fine, "backups: \(usable.count - moved.count), the newest \(newest.path)",
                advice: advice)
        } else if let newest = moved.first {
            diagnosis.add(
                .note,
                "backups: none for this path; \(moved.count) of a former path, the newest"
                    + " \(newest.path)", advice: advice)
        } else if obstacle == nil {
            diagnosis.add(.note, "backups: none for this path")
        }
        if let first = others.first {
            diagnosis.add(
                .note, "backups of another list: \(others.count), the first \(first)",
                advice: "That list was at this path before. They are kept and do not count; remove"
                    + " them when you no longer need them.")
        }
        guard daily != nil else {
            diagnosis.add(.warning, "no daily backups: HOME is not set")
            return
        }
        if let first = future.first {
            diagnosis.add(
                .warning, "backups dated after today: \(future.count), the first \(first)",
                advice:
                    "The clock or the time zone has changed since they were made. They are kept and"
                    + " do not count; remove them when you no longer need them."
                    + (usable.isEmpty ? advice.map { " \($0)" } ?? "" : ""))
        }
        for (path, reason) in broken {
            diagnosis.add(
                .warning, "unusable backup: \(path): \(reason)",
                advice: "It is kept and does not count. Remove it if you do not need it.")
        }
        if let obstacle {
            diagnosis.add(
                .warning, "daily backups cannot be made", advice: obstacle)
        }
    }
}
