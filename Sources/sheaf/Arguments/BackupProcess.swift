import Glibc
import SheafStorage
import SwiduxFiles

/// The process that makes a backup of the day which takes longer than a command may wait.
enum BackupProcess {
    /// The name of the command that it runs.
    static let command = "daily-backup"

    /// Starts the process for the list at `url`, without input and output, so that no shell that
    /// reads the command's output waits for it.
    ///
    /// - Returns: false if it cannot be started.
    static func start(of url: StoreURL) -> Bool {
        let program = "/proc/self/exe"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // An inherited descriptor may be a pipe whose reader waits for its end.
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
