import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import SwiduxFiles

/// Where the intent logs of a list lie, and what they are made of: beside its file, or in
/// `$XDG_STATE_HOME/sheaf` where nothing can be written beside it, or where it is on a server.
struct IntentFiles {
    /// Where a log can lie.
    enum Home: CaseIterable { case list, state }

    /// The file of the list, or nil if it is on a server.
    private let file: StoreFile?
    /// The list on the server, or nil if it is in a file.
    private let server: ServerList?
    private let state: StateFolder?

    init(of location: any Location) {
        file = location.file?.store
        server = location.server
        state = location.state
    }

    /// Where a log of the list can lie, the best first: none for a list on a server where there is
    /// no home folder.
    var homes: [Home] { Home.allCases.filter { prefix(in: $0) != nil } }

    /// `SQLITE_OPEN_NOFOLLOW`: a link that somebody planted is not followed.
    static let noFollow: Int32 = 0x0100_0000

    /// EXCLUSIVE keeps the lock from the first access to the last, and needs no file for shared
    /// memory. The id is in the file itself before the write-ahead log takes over, so that the log
    /// of a process that was killed is known by its header.
    static let settings = """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
        PRAGMA application_id = \(applicationID);
        """

    /// Has the write-ahead log take over, which must be there by then: a log that says that it has
    /// one and has none lacks records. With SQLite's 1,000 pages between two checkpoints it would
    /// grow to 4 MB, which may be all that a full disk has left.
    static let writeAheadSettings = """
        PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 16;
        PRAGMA journal_size_limit = 65536;
        """

    /// For a log with records that are to survive the loss of power. A checkpoint that is not
    /// synced can lose what was synced before it: the system may write the next frames over the old
    /// ones before it writes the pages that were copied from these. With NORMAL, SQLite syncs
    /// before and after the copying, but no single record. That takes milliseconds, so it happens
    /// once in some 80 records; the log stays below 1 MB.
    static let durableSettings =
        "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 256;"

    /// For a log that has none any longer, as ``settings``.
    static let volatileSettings = "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16;"

    /// `handed` is the last record that is being committed: up to it, all are in the store or none
    /// is. `grouped` has the last record before those of a command that is not complete: a log that
    /// ends with it holds none of them. `origin` names the list, for a log that has been moved; for
    /// a list on a server it also has the members of ``LogOwner``, for one in a file the text of
    /// its ``ListIdentity``. `closed` is set last of all, for a log that needs no write-ahead log.
    static let tables = """
        BEGIN;
        PRAGMA user_version = \(version);
        CREATE TABLE intents (number INTEGER PRIMARY KEY AUTOINCREMENT, changes TEXT NOT NULL) STRICT;
        CREATE TABLE handed (number INTEGER) STRICT;
        INSERT INTO handed VALUES (NULL);
        CREATE TABLE grouped (number INTEGER NOT NULL) STRICT;
        CREATE TABLE origin (
          list TEXT NOT NULL, id TEXT, role TEXT, database TEXT, sample TEXT,
          closed INTEGER) STRICT;
        COMMIT;
        """

    /// The version that is written, and the only one that is taken in.
    static let version = FormatVersions.current.logs

    /// "ShIn", as `application_id` has it.
    static let applicationID = 0x5368_496E

    /// What begins the names of the logs in `home`: the folder with it, or nil where there is none.
    private func prefix(in home: Home) -> (folder: String, name: String)? {
        switch home {
        case .list: file.map { ($0.folder, ".\($0.path.lastPathName).intents-") }
        case .state:
            state.map { state in
                let key = server.map { "\($0.urlKey)-\($0.key)" } ?? file?.key ?? ""
                return (state.path, "intents-\(key)-")
            }
        }
    }

    /// The folders where logs may lie, and the beginnings of their names there. A link to the list
    /// may have replaced a list of the same name.
    private var prefixes: [(home: Home, folder: String, name: String)] {
        var all: [(home: Home, folder: String, name: String)] = Home.allCases.compactMap { home in
            prefix(in: home).map { (home, $0.folder, $0.name) }
        }
        if let link = file?.link, !link.hasBytes(of: file?.path ?? "") {
            all.append((.list, link.parentPath, ".\(link.lastPathName).intents-"))
        }
        return all
    }

    /// The id in the name of a log that may be of this list, or nil for any other name. The logs of
    /// a list on a server have its key, or the same URL, which may have led to another list. Those
    /// of earlier versions have the URL alone.
    private func id(in name: some StringProtocol, _ prefix: String, of home: Home) -> String? {
        let idLength = 36
        let id = String(name.suffix(idLength))
        guard UUID(uuidString: id) != nil else { return nil }
        guard let server, home == .state else {
            return name.hasBytes(of: prefix + id) ? id : nil
        }
        let words = name.dropLast(idLength).split(separator: "-")
        guard words.first == "intents", (2...3).contains(words.count) else { return nil }
        let isOurs = words.count == 3 && words[2] == server.key
        return isOurs || words[1] == server.urlKey ? id : nil
    }

    /// A unique name in `home` that sorts after those of earlier logs. Nil where there is no such
    /// folder.
    func newPath(in home: Home) -> String? {
        prefix(in: home).map { prefix in
            "\(prefix.folder)/\(prefix.name)\(UUID.ordered(at: .now).uuidString.lowercased())"
        }
    }

    /// Makes a new file in `home`. Nil where there is no such folder.
    ///
    /// - Throws: `StorageError` if it cannot be made.
    func make(in home: Home) throws -> String? {
        guard let path = newPath(in: home) else { return nil }
        let file = try StoreFile(named: path)
        if home == .state { try file.makeFolders() }
        try file.makeFile(at: path)
        return path
    }

    /// The logs of the list, those in use too, the oldest first: a later run may have edited what
    /// an earlier one left. None of a folder that cannot be read.
    func paths() -> [String] { paths(endingIn: "").map(\.path) }

    /// The same, each with where it lies.
    func logs() -> [(home: Home, path: String)] { paths(endingIn: "") }

    /// The write-ahead logs without their log: its owner was killed while it removed both, or
    /// the log was moved alone.
    func orphans() -> [String] {
        paths(endingIn: "-wal").map(\.path).filter { path in
            access(String(path.dropLast("-wal".count)), F_OK) != 0
        }
    }

    /// Takes away those orphans that hold nothing.
    func removeOrphans() {
        for path in orphans() {
            var status = stat()
            if lstat(path, &status) == 0, status.st_size == 0 { unlink(path) }
        }
    }

    private func paths(endingIn suffix: String) -> [(home: Home, path: String)] {
        every(endingIn: suffix).filter { Self.isOurs($0.path) }
    }

    /// Those of other users, too.
    private func every(endingIn suffix: String) -> [(home: Home, path: String)] {
        let found = prefixes.flatMap {
            home, folder, prefix -> [(id: String, home: Home, path: String)] in
            FolderContents.names(in: folder).compactMap { name in
                guard name.hasSuffix(suffix) else { return nil }
                return id(in: name.dropLast(suffix.count), prefix, of: home).map { id in
                    (id: id, home: home, path: "\(folder)/\(name)")
                }
            }
        }
        return found.sorted { $0.id < $1.id }.map { ($0.home, $0.path) }
    }

    /// The logs of the list that another user owns: only that user's commands save them. It may
    /// wait for the system's list of users, so it is not called on the main thread.
    func objectionsToOthers() -> [StorageError] {
        every(endingIn: "").compactMap { _, path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_uid != geteuid(),
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            let name = Self.userName(status.st_uid) ?? "the user \(status.st_uid)"
            return StorageError(
                .foreign, at: path, reason: "this intent log belongs to \(name)",
                advice: "If \(name) does not have the list open, the next command of \(name) on it"
                    + " saves the changes.")
        }
    }

    private static func userName(_ id: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            return nil
        }
        return String(cString: entry.pw_name)
    }

    /// The logs of this user in the list's folder, if it is in a file, and in the state folder that
    /// are named after other lists. O(files in the folders).
    func logsOfOthers() -> [String] {
        let own = Set(paths().map { Array($0.utf8) })
        let idLength = 36
        return [file?.folder, state?.path].compactMap(\.self).flatMap { folder in
            FolderContents.names(in: folder).sorted().map { "\(folder)/\($0)" }
        }
        .filter { path in
            path.lastPathName.contains("intents-")
                && UUID(uuidString: String(path.suffix(idLength))) != nil
                && !own.contains(Array(path.utf8)) && Self.isOurs(path)
        }
    }

    /// Whether `other` is what a log beside the list `name` is called, or what SQLite keeps beside
    /// one.
    static func isLogName(_ other: String, of name: String) -> Bool {
        let id = other.dropFirst(".\(name).intents-".count)
        return ([""] + StoreFile.companionSuffixes).contains { suffix in
            id.hasSuffix(suffix) && UUID(uuidString: String(id.dropLast(suffix.count))) != nil
        }
    }

    /// Whether it is a file that this user made and nobody else has changed, and nothing that hangs
    /// or harms when it is opened.
    static func isOurs(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && isOurs(status)
    }

    /// The same of the file of `status`.
    static func isOurs(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && FileTrust(list: nil).objection(to: status) == nil
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
