import Glibc
import SheafList
import SwiduxFiles

/// A file in the state folder with changes that an earlier version of the program could not save:
/// JSON that begins with `{"format":"sheaf-rescue"`. `sheaf doctor` prints its texts, and no
/// command takes it in.
public enum RescueFile {
    private static let beginning = Array("{\"format\":\"sheaf-rescue\"".utf8)

    /// The files there are for the list at `location`, the oldest first.
    public static func paths(for location: any Location) -> [String] {
        guard let folder = location.state?.path else { return [] }
        let prefix = "rescue-\(location.server?.urlKey ?? location.key)-"
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

    /// Reads the beginning of the file at `path`.
    ///
    /// - Throws: `StorageError`: `.older` if it is a rescue file, another if it cannot be read, as
    ///   a FIFO cannot.
    static func refuse(_ path: String) throws {
        guard try RegularFile(path).read(upTo: beginning.count) == beginning else { return }
        throw StorageError(
            .older, at: path, reason: "an earlier version of the program wrote this rescue file",
            advice: "'sheaf doctor' prints what it holds.")
    }
}
