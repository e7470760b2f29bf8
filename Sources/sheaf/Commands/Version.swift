import CCommit
import SheafStorage

/// The version of the program, also for the Makefile and the man pages.
enum Version {
    static let number = "0.1.0"
    /// The day of the release, which the man pages show.
    static let day = "2026-11-27"

    /// The output of `--version`: the version, the commit if `make build` built the program, and
    /// the version of SQLite.
    static var text: String {
        let commit = String(cString: ccommit_name())
        let origin = (commit.isEmpty ? [] : [commit]) + ["SQLite \(SQLiteStorage.libraryVersion)"]
        return "sheaf \(number) (\(origin.joined(separator: ", ")))"
    }
}
