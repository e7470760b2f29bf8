import Foundation
import SheafCore
import SheafStorage

/// Where the view of one list is remembered: a private file in `$XDG_STATE_HOME/sheaf/views`, named for the list.
///
/// It is a convenience that nothing depends on: what cannot be read or written is as if it had never been.
struct ViewFile: Sendable {
    private let folder: URL
    private let file: URL

    /// The file for the list at `url`, or nil where there is no home to keep it in.
    init?(for url: StoreURL, environment: [String: String]) {
        let state: String
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            state = folder
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            state = home + "/.local/state"
        } else {
            return nil
        }
        folder = URL(fileURLWithPath: state + "/sheaf/views")
        let path = URL(fileURLWithPath: url.path).resolvingSymlinksInPath().path
        // FNV-1a (Fowler, Noll, Vo), 64 bits: a path may be longer than a file's name.
        let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        file = folder.appendingPathComponent(String(hash, radix: 16) + ".json")
    }

    func read() -> RememberedView? {
        do {
            return try JSONDecoder().decode(RememberedView.self, from: Data(contentsOf: file))
        } catch {
            return nil
        }
    }

    func write(_ view: RememberedView) {
        let new = file.path + ".new-\(getpid())"
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let data = try JSONEncoder().encode(view)
            // A link that somebody planted there is not followed: the name is new, or nothing is written.
            let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: data)
            try handle.close()
            if rename(new, file.path) != 0 { unlink(new) }
        } catch {
            unlink(new)
        }
    }
}
