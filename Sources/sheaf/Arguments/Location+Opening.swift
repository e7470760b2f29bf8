import FoundationEssentials
import Glibc
import SheafList
import SheafPostgres
import SheafStorage
import SwiduxFiles

extension Location {
    /// Opens the list, saves the changes of interrupted sessions, and reports them. If the list may
    /// be created, its folder is created too.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` if a list cannot be created.
    func opening(_ mode: OpenMode) throws -> OpenList {
        let list = try mode.making {
            try reportingUnsaved { try runBlocking { try await open(mode) } }
        }
        if let notice = list.notice { Diagnostics.report(notice) }
        return list
    }

    /// Returns a draft of the list, which gets its name once it is filled. Returns `nil` if the
    /// list exists or is on a server.
    ///
    /// - Throws: `StorageError`, as `ListDraft.init` does.
    func draft(_ mode: OpenMode) throws -> ListDraft? {
        guard let file, !FileManager.default.fileExists(atPath: file.url.path) else { return nil }
        return try ListDraft(at: file, mode: mode)
    }

    /// Returns the result of `body`. If the list cannot be found, reports its unsaved changes,
    /// since no command on the list will save them.
    func reportingUnsaved<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError where error.code == .notFound {
            for log in ExaminedLog.all(for: self) {
                guard case .changes(let batches, _) = log.content, !batches.isEmpty,
                    log.objection == nil
                else { continue }
                let changes = counted(AbandonedChanges.count(batches), "unsaved change")
                Diagnostics.report(
                    "\(log.path) holds \(changes) of this list. If the list has moved: sheaf restore"
                        + " \(ShellText.quoted(log.path)) --store LIST")
            }
            throw error
        }
    }

    /// Saves and reports the changes of interrupted sessions, for a command that does not open the
    /// list itself. If the list cannot be opened, reports that the changes are kept.
    ///
    /// - Parameter addition: the end of the sentence about the saved changes.
    /// - Throws: `StorageError` of `.busy`.
    func commitAbandoned(adding addition: String = "") throws {
        let abandoned = AbandonedLogs(for: self, isReadOnly: true, includesRefused: false)
        guard abandoned.count > 0 || !abandoned.content.unreadable.isEmpty else { return }
        do {
            let list = try runBlocking { try await self.open(.readWrite) }
            if let notice = list.notice {
                // A notice of a failure is a complete sentence, to which nothing can be added.
                let isSentence = abandoned.count == 0 || notice.hasSuffix(".")
                Diagnostics.report(isSentence ? notice : notice + addition)
            }
            try runBlocking { await list.storage.close() }
        } catch let error as StorageError where error.code != .busy {
            Diagnostics.report("Not recovered, but kept: \(error)")
        }
    }
}

extension OpenMode {
    /// Returns the result of `body`, which opens or finds a list in this mode. If a list in a file
    /// may be created, converts a failure to open it to a failure to create it. Opening a list on a
    /// server never creates it.
    func making<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError
            where createsStore && [.cannotOpen, .readOnly].contains(error.code)
            && !PostgresURL.hasScheme(error.location)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }
}

/// Returns the result of `body`, which creates the file or fills the server's list at `path`.
/// Converts a failure to open a file to a failure to create it.
func making<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as StorageError
        where error.location == path && [.cannotOpen, .readOnly].contains(error.code)
        && !PostgresURL.hasScheme(path)
    {
        throw CommandFailure(.cannotCreate, error.description)
    }
}

extension ListDraft {
    /// Closes the list and gives it its name.
    ///
    /// - Parameter name: the name of the list in messages.
    /// - Throws: `StorageError`, or ``CommandFailure`` if another file has the name by now.
    func finish(as name: String) async throws {
        guard try await finish() else {
            throw CommandFailure(
                .cannotCreate, "\(name): another file has taken this name; name another")
        }
    }
}

extension OpenList {
    /// Makes the backup of the day, if one is due, before the list is written to.
    func backUpDaily() {
        if let notice = location.file.flatMap(DailyBackups.init)?.makeOrReport() {
            Diagnostics.report("\(notice).")
        }
    }

    /// Makes the backup of the day before `body`, which only adds to the list. If the backup takes
    /// long, another process makes it after `body`.
    func backingUpDaily<T>(adding body: () async throws -> T) async rethrows -> T {
        guard let file = location.file, DailyBackups(of: file)?.needsSeparateProcess() ?? false
        else {
            backUpDaily()
            return try await body()
        }
        let result = try await body()
        if !BackupProcess.start(of: file.url) { backUpDaily() }
        return result
    }
}

/// The process that makes the backup of the day if a command would wait too long for it.
enum BackupProcess {
    /// The name of the command that the process runs.
    static let command = "daily-backup"

    /// Starts the process for the list at `url`. It has no input and output, so a shell that reads
    /// the command's output does not wait for it.
    ///
    /// - Returns: false if the process cannot be started.
    static func start(of url: StoreURL) -> Bool {
        let program = "/proc/self/exe"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // An inherited descriptor may be a pipe, and its reader would wait for this process.
        for file in FolderContents.names(in: "/proc/self/fd").compactMap({ Int32($0) })
        where file > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, file)
        }
        let words = ["sheaf", command, "--store", url.description]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        return posix_spawn(&child, program, &actions, nil, arguments, environ) == 0
    }
}
