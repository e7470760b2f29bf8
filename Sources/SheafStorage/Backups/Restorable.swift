import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// A file from which a list can be restored.
package struct Restorable: Sendable, Equatable {
    /// The origin of the file.
    package enum Origin: String, Sendable, CaseIterable {
        /// A backup that the program makes once a day.
        case daily = "daily backup"
        /// A daily backup of another path, from which the list was moved or copied.
        case moved = "daily backup of a former path"
        /// A copy from before the list was upgraded to a newer version.
        case upgrade = "before an upgrade"
        /// A list that a restore replaced.
        case replaced = "before a restore"
    }

    package var path: String
    package var origin: Origin
    /// The time of the last write to the file.
    package var modified: Timestamp
    /// The size in bytes.
    package var size: Int64
    /// The number of items, or nil if the file cannot be read.
    package var items: Int?
    /// True if the file belongs to another list than the one at the path now.
    package var isOfAnother = false
    /// The reason to suspect that another user wrote the file, in words that can follow its name,
    /// or nil. Such a file is not opened.
    package var objection: String?

    /// Returns all such files of the list at `location`, the newest first. It opens each file to
    /// count its items, and also opens the daily backups of other lists.
    package static func all(for location: FileLocation) -> [Restorable] {
        let file = location.store
        let name = file.path.lastPathName
        let identity = identity(of: file, location.url.backend)
        let backups = DailyBackups(of: location)
        let daily = backups?.paths() ?? []
        let moved = backups?.paths(elsewhereOf: identity) ?? []
        let beside = FolderContents.names(in: file.folder).sorted()
        func paths(_ mark: String) -> [String] {
            beside.filter { other in
                other.beginsWithBytes(of: name + mark) && !other.hasSuffix("-journal")
                    && !other.hasSuffix("-wal") && !other.hasSuffix("-shm")
            }
            .map { "\(file.folder)/\($0)" }
        }
        let found =
            daily.map { (Origin.daily, $0) } + moved.map { (Origin.moved, $0) }
            + paths(".backup-v").map { (Origin.upgrade, $0) }
            + paths(DisplacedList.mark).map { (Origin.replaced, $0) }
        let trust = FileTrust(besideListAt: file.path)
        return found.compactMap { Restorable($1, $0, location.url.backend, trust, identity) }
            .sorted { ($0.modified, $0.path) > ($1.modified, $1.path) }
    }

    /// Returns the ids of the list, or no ids if the list cannot be read. Every backup at its path
    /// then counts as a backup of this list.
    private static func identity(
        of file: StoreFile, _ backend: StoreURL.Backend
    ) -> ListIdentity {
        do { return try file.listIdentity(backend) } catch { return ListIdentity() }
    }

    private init?(
        _ path: String, _ origin: Origin, _ backend: StoreURL.Backend, _ trust: FileTrust,
        _ identity: ListIdentity
    ) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        self.origin = origin
        modified = StoreFile.Version(status).modified
        size = Int64(status.st_size)
        objection = trust.objection(to: status)
        guard objection == nil else { return }
        do {
            items = try Restore.count(path, backend)
            isOfAnother = try !StoreFile(named: path).hasVersion(of: identity, backend)
        } catch {
            items = nil
        }
    }
}
