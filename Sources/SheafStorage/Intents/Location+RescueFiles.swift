import Glibc
import SheafList
import SwiduxFiles

extension Location {
    /// The paths of the rescue files of the list, the oldest first. Earlier versions of the program
    /// wrote changes that they could not save to such a file. `sheaf doctor` prints its texts, and
    /// no command takes it in.
    public func rescueFiles() -> [String] {
        guard let folder = state?.path else { return [] }
        let prefix = "rescue-\(server?.urlKey ?? key)-"
        return FolderContents.names(in: folder).filter {
            $0.hasPrefix(prefix) && $0.hasSuffix(".json")
        }
        .sorted().map { "\(folder)/\($0)" }
        .filter { path in
            var status = stat()
            // A file of another user is ignored, and one that cannot be examined is named.
            return lstat(path, &status) != 0 || FileTrust(list: nil).objection(to: status) == nil
        }
    }
}

extension LeftLog {
    /// Refuses a rescue file at `path`, which begins with `{"format":"sheaf-rescue"`.
    ///
    /// - Throws: `StorageError`: `.older` if it is one, another if it cannot be read, as a FIFO
    ///   cannot.
    static func refuseRescueFile(_ path: String) throws {
        let beginning = Array("{\"format\":\"sheaf-rescue\"".utf8)
        guard try RegularFile(path).read(upTo: beginning.count) == beginning else { return }
        throw StorageError(
            .older, at: path, reason: "an earlier version of the program wrote this rescue file",
            advice: "'sheaf doctor' prints what it holds.")
    }
}
