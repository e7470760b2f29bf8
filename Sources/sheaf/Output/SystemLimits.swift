import Glibc
import SheafStorage
import SwiduxFiles

/// Checks of the system's resources before a command does any work. If resources run out later,
/// Dispatch ends the process or waits forever.
enum SystemLimits {
    /// The number of files that are open while a list is on the screen: the terminal, the list, its
    /// journal and log, watches, timers.
    private static let files = 24
    /// The number of threads that are started at the same time.
    private static let threads = 4
    /// `O_PATH`, which Swift's module of glibc omits.
    private static let path: Int32 = 0o10_000_000

    /// Replaces closed standard descriptors with one that can be neither read nor written.
    /// Otherwise a file that is opened later could become standard output or standard error, and
    /// messages would be written to it.
    static func fillStandardDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/", path | O_DIRECTORY)
        }
    }

    /// - Throws: ``CommandFailure`` if too few files may be open.
    static func checkFiles() throws {
        var opened: [OpenFile] = []
        while opened.count < files {
            let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                throw CommandFailure(
                    .failure,
                    "too few files may be open (\(SystemError.last.words)); set 'ulimit -n' to at least \(files + 3)"
                )
            }
            opened.append(OpenFile(copy))
        }
    }

    /// Checks the threads, for commands that start any. Most commands work only on the main thread.
    ///
    /// - Throws: ``CommandFailure`` if too few threads can be started.
    static func checkThreads() throws {
        var started: [pthread_t] = []
        defer { for thread in started { pthread_join(thread, nil) } }
        while started.count < threads {
            var thread = pthread_t()
            let failure = pthread_create(&thread, nil, { _ in nil }, nil)
            guard failure == 0 else {
                throw CommandFailure(
                    .failure,
                    "cannot start a thread (\(SystemError(number: failure).words)); see 'ulimit -u' and 'ulimit -v'"
                )
            }
            started.append(thread)
        }
    }
}
