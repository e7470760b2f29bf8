import Glibc
import SwiduxFiles

/// Which processes have a file open, as far as the system tells.
enum OpenFiles {
    /// A process by its number and name.
    struct Holder: Equatable {
        var process: pid_t
        var name: String
    }

    /// Returns the other processes that have the file `identity` open, or one that was at `path`
    /// before: a JSON list is replaced with each commit. Only Linux tells, and only of processes of
    /// the same user; elsewhere there are none. O(open files).
    ///
    /// Children of this process do not count: until it runs its own program, each has all that this
    /// process has open.
    static func holders(of identity: StoreFile.Identity, at path: String) -> [Holder] {
        let place = realPath(of: path)
        return FolderContents.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
            process != getpid() && parent(of: process) != getpid()
                && has(process, open: identity, orFormerOf: place)
        }
        .map { Holder(process: $0, name: name(of: $0)) }
    }

    /// A process that just opens the new file and closes the former one may show neither at the
    /// first look.
    private static func has(
        _ process: pid_t, open identity: StoreFile.Identity, orFormerOf place: String
    ) -> Bool {
        for _ in 0..<3 {
            var hasClosed = false
            for number in FolderContents.names(in: "/proc/\(process)/fd") {
                let link = "/proc/\(process)/fd/\(number)"
                var status = stat()
                guard stat(link, &status) == 0 else {
                    hasClosed = true
                    continue
                }
                if UInt64(status.st_ino) == identity.inode
                    && UInt64(status.st_dev) == identity.device
                    || status.st_nlink == 0 && isFormer(target(of: link), of: place)
                {
                    return true
                }
            }
            if !hasClosed { return false }
        }
        return false
    }

    /// True if the system shows this name for a deleted file that was at `place`. The file that
    /// replaced it had the name of a draft, and may have exchanged names with it.
    private static func isFormer(_ target: String?, of place: String) -> Bool {
        let mark = " (deleted)"
        guard let target, target.hasSuffix(mark) else { return false }
        let former = String(target.dropLast(mark.count))
        guard former.parentPath.hasBytes(of: place.parentPath) else { return false }
        return former.hasBytes(of: place)
            || FileDraft.isLeft(former.lastPathName, of: place, mark: StoreFile.savingMark)
    }

    /// The path of the file at `path`, without links in its folder.
    private static func realPath(of path: String) -> String {
        var folder = path.parentPath
        if let real = realpath(folder, nil) {
            folder = String(cString: real)
            free(real)
        }
        return "\(folder == "/" ? "" : folder)/\(path.lastPathName)"
    }

    private static func target(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func parent(of process: pid_t) -> pid_t? {
        // The name, in parentheses, may hold anything; state and parent follow it.
        let fields = text("stat", of: process)?.split(separator: ")").last?.split(separator: " ")
        return fields?.dropFirst().first.flatMap { pid_t($0) }
    }

    private static func name(of process: pid_t) -> String {
        text("comm", of: process)?.trimmed ?? "a process"
    }

    /// The content of the file `name` of `process` in `/proc`, or nil if the process has ended.
    private static func text(_ name: String, of process: pid_t) -> String? {
        do {
            return try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
        } catch {
            return nil
        }
    }
}
