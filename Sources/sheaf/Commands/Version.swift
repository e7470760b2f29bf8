import CCommit
import SheafStorage

/// The version of the program. The Makefile and the man pages take it from here, too.
enum Version {
    static let number = "0.1.0"
    /// The day of the release, which the man pages show.
    static let day = "2026-11-27"

    /// The answer to `--version`: the version, the commit if `make build` built it, and the version
    /// of SQLite.
    static var text: String {
        let commit = String(cString: ccommit_name())
        let origin = (commit.isEmpty ? [] : [commit]) + ["SQLite \(SQLiteStorage.libraryVersion)"]
        return "sheaf \(number) (\(origin.joined(separator: ", ")))"
    }
}
