import Glibc
import SwiduxFiles

/// The processes that have a file open, if the system reports them.
enum OpenFiles {
    /// Returns descriptions of the other processes that have the list `identity` at `path` open. If
    /// they belong to other users or containers, their names are unknown.
    static func words(forHoldersOf identity: StoreFile.Identity, at path: String) -> [String] {
        let names = holders(of: identity, at: path)
        return names.isEmpty && OpenMark.isSet(at: path)
            ? ["a process of another user or container"] : names
    }

    /// Returns the names and numbers of the other processes that have the file `identity` open, or
    /// a former file of `path`: each commit of a JSON list replaces its file. Only Linux reports
    /// open files, and only for processes of the same user. On other systems the result is empty.
    /// O(open files).
    ///
    /// Child processes are skipped: until a child runs its own program, it has every open file of
    /// this process.
    static func holders(of identity: StoreFile.Identity, at path: String) -> [String] {
        let place = realPath(of: path)
        return FolderContents.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
            process != getpid() && parent(of: process) != getpid()
                && has(process, open: identity, orFormerOf: place)
        }
        .map { "\(name(of: $0)) (process \($0))" }
    }

    /// Returns true if `process` has the file open, or a deleted file that was at `place` before.
    /// Looks up to three times: a process that is just opening the new file and closing the former
    /// one may show neither at the first look.
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

    /// Returns true if the system reports `target` as a deleted file that was at `place`. A draft
    /// that replaced the file may have exchanged names with it, so drafts count too.
    private static func isFormer(_ target: String?, of place: String) -> Bool {
        let mark = " (deleted)"
        guard let target, target.hasSuffix(mark) else { return false }
        let former = String(target.dropLast(mark.count))
        guard former.parentPath.hasBytes(of: place.parentPath) else { return false }
        return former.hasBytes(of: place)
            || FileDraft.isAbandoned(former.lastPathName, of: place, mark: StoreFile.savingMark)
    }

    /// Returns the path of the file at `path`, with the links in its folder resolved.
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
        // The name, in parentheses, can contain any characters. State and parent follow it.
        let fields = text("stat", of: process)?.split(separator: ")").last?.split(separator: " ")
        return fields?.dropFirst().first.flatMap { pid_t($0) }
    }

    private static func name(of process: pid_t) -> String {
        text("comm", of: process)?.trimmed ?? "a process"
    }

    /// Returns the content of the file `name` in the `/proc` folder of `process`, or nil if the
    /// process has ended.
    private static func text(_ name: String, of process: pid_t) -> String? {
        do {
            return try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
        } catch {
            return nil
        }
    }
}
