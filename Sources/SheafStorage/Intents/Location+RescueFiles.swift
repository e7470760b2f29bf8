import Glibc
import SheafList
import SwiduxFiles

extension Location {
    /// Returns the paths of the rescue files of the list, the oldest first. Earlier versions of the
    /// program wrote unsavable changes to such files. `sheaf doctor` prints them. No command
    /// recovers them.
    package func rescueFiles() -> [String] {
        guard let folder = state?.path else { return [] }
        let prefix = "rescue-\(server?.urlKey ?? key)-"
        return FolderContents.names(in: folder).filter {
            $0.hasPrefix(prefix) && $0.hasSuffix(".json")
        }
        .sorted().map { "\(folder)/\($0)" }
        .filter { path in
            var status = stat()
            // A file of another user is ignored. A file that cannot be examined is included.
            return lstat(path, &status) != 0 || FileTrust(list: nil).objection(to: status) == nil
        }
    }
}

extension AbandonedLog {
    /// Throws if the file at `path` is a rescue file, which begins with `{"format":"sheaf-rescue"`.
    ///
    /// - Throws: `StorageError`: `.older` for a rescue file, another code for a file that cannot be
    ///   read, such as a FIFO.
    static func refuseRescueFile(_ path: String) throws {
        let beginning = Array("{\"format\":\"sheaf-rescue\"".utf8)
        guard try RegularFile(path).read(upTo: beginning.count) == beginning else { return }
        throw StorageError(
            .older, at: path, reason: "an earlier version of the program wrote this rescue file",
            advice: "'sheaf doctor' prints what it holds.")
    }
}
