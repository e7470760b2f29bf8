import Glibc
import SwiduxFiles

/// Which processes have a file open, as far as the system tells.
enum OpenFiles {
    /// A process by its number and name.
    struct Holder: Equatable {
        var process: pid_t
        var name: String
    }

    /// The other processes that have the file `identity` open. Only Linux tells, and only of
    /// processes of the same user; elsewhere there are none. O(open files).
    ///
    /// Children of this process do not count: until it runs its own program, each has all that this
    /// process has open.
    static func holders(of identity: StoreFile.Identity) -> [Holder] {
        FolderContents.names(in: "/proc").compactMap { pid_t($0) }.filter { process in
            process != getpid() && parent(of: process) != getpid()
                && FolderContents.names(in: "/proc/\(process)/fd").contains { number in
                    var status = stat()
                    return stat("/proc/\(process)/fd/\(number)", &status) == 0
                        && UInt64(status.st_ino) == identity.inode
                        && UInt64(status.st_dev) == identity.device
                }
        }
        .map { Holder(process: $0, name: name(of: $0)) }
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
