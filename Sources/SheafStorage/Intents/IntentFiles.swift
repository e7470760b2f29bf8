import FoundationEssentials
import Glibc
import SheafCore

/// Where the intent logs of a store lie, and what they are made of.
struct IntentFiles {
    /// The store's file.
    let file: StoreFile

    init(of file: StoreFile) {
        self.file = file
    }

    /// `SQLITE_OPEN_NOFOLLOW`: a link that somebody planted is not followed.
    static let noFollow: Int32 = 0x0100_0000

    /// EXCLUSIVE keeps the lock from the first access to the last, and needs no file for shared
    /// memory. With SQLite's 1,000 pages between two checkpoints the log would grow to 4 MB, which
    /// may be all that a full disk has left.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;
        PRAGMA wal_autocheckpoint = 16; PRAGMA journal_size_limit = 65536;
        """

    /// `handed` is the last record that is being committed: up to it, all are in the store or none
    /// is.
    static let tables = """
        BEGIN;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = 1;
        CREATE TABLE intents (number INTEGER PRIMARY KEY AUTOINCREMENT, changes TEXT NOT NULL) STRICT;
        CREATE TABLE handed (number INTEGER) STRICT;
        INSERT INTO handed VALUES (NULL);
        COMMIT;
        """

    /// "ShIn", as `application_id` has it.
    static let applicationID = 0x5368_496E

    private var prefix: String { ".\(file.path.lastPathName).intents-" }

    /// A unique name that sorts after those of earlier logs.
    func newPath() -> String {
        "\(file.folder)/\(prefix)\(UUID.ordered(at: .now).uuidString.lowercased())"
    }

    /// The logs that lie beside the store, those in use too, the oldest first: a later run may have
    /// edited what an earlier one left. None if the folder cannot be read.
    func paths() -> [String] { paths(endingIn: "") }

    /// Takes away what is left of a log whose owner was killed while it took it away. A log is
    /// there before what SQLite keeps beside it, and goes before that.
    func removeOrphans() {
        for suffix in Companions.contents {
            for path in paths(endingIn: suffix)
            where access(String(path.dropLast(suffix.count)), F_OK) != 0 {
                unlink(path)
            }
        }
    }

    private func paths(endingIn suffix: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: file.folder)
        } catch {
            return []
        }
        return names.filter { name in
            guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
            return UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count)))
                != nil
        }
        .sorted()
        .map { "\(file.folder)/\($0)" }
        .filter(isOurs)
    }

    /// Whether it is a file that this user made and nobody else has changed, and nothing that hangs
    /// or harms when it is opened.
    private func isOurs(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_uid == geteuid() && FileTrust(list: nil).objection(to: status) == nil
    }
}

extension UUID {
    /// A new id that sorts after those of earlier milliseconds: version 7 of RFC 9562.
    static func ordered(at moment: Timestamp) -> UUID {
        var bytes = UUID.random().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for (index, shift) in stride(from: 40, through: 0, by: -8).enumerated() {
                bytes[index] = UInt8(truncatingIfNeeded: moment.milliseconds >> shift)
            }
            bytes[6] = bytes[6] & 0x0f | 0x70
            bytes[8] = bytes[8] & 0x3f | 0x80
        }
        return UUID(uuid: bytes)
    }
}
