import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles

/// A file that a list can be restored from.
public struct Restorable: Sendable, Equatable {
    /// Why it was made.
    public enum Origin: String, Sendable, CaseIterable {
        /// Made automatically, once a day.
        case daily = "daily backup"
        /// Made automatically at another path, from which the list was moved or copied.
        case moved = "daily backup of a former path"
        /// Made before the list was brought to a newer version.
        case upgrade = "before an upgrade"
        /// The list that a restore replaced.
        case replaced = "before a restore"
    }

    public var path: String
    public var origin: Origin
    /// When it was last written to.
    public var modified: Timestamp
    /// Its size in bytes.
    public var size: Int64
    /// How many items it has, or nil if it cannot be read.
    public var items: Int?
    /// True if it is of another list than the one that is at the path now.
    public var isOfAnother = false
    /// Why it may be another user's work, in words that can stand after its name, or nil. Such a
    /// file is not opened.
    public var objection: String?

    /// All such files of the list at `location`, the newest first. Each is opened to count its
    /// items, and the daily backups of other lists are opened, too.
    public static func all(for location: FileLocation) -> [Restorable] {
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
            + paths(SetAside.mark).map { (Origin.replaced, $0) }
        var list = stat()
        let trust = FileTrust(list: stat(file.path, &list) == 0 ? list : nil)
        return found.compactMap { Restorable($1, $0, location.url.backend, trust, identity) }
            .sorted { ($0.modified, $0.path) > ($1.modified, $1.path) }
    }

    /// Empty if the list cannot be read: then all backups at its path may help.
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
