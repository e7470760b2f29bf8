import Dispatch
import Glibc
import SheafList
import SwiduxFiles

/// A watch on a file, and on any file that replaces it. It costs nothing while the file stays the
/// same.
///
/// The watch cannot tell who changed the file; storage compares the file with its own record. The
/// watch uses inotify on the folder. On a network file system it notices only changes made on this
/// machine.
final class FileWatch: StorageWatch, @unchecked Sendable {
    // Unchecked, because the source is not `Sendable`. It is set in `init` and cancelled in
    // `deinit`, and not used elsewhere.
    private let source: any DispatchSourceRead

    /// Calls `body` when `file` changes, or when a file beside it changes whose name is that of
    /// `file` plus one of `suffixes`. The call comes after the delay of `backoff`, counted from the
    /// first of several events. Nil if the system allows no more watches.
    init?(
        _ file: StoreFile, alsoNamed suffixes: [String] = [], backoff: PollBackoff,
        _ body: @escaping @Sendable () -> Void
    ) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
        guard inotify_add_watch(descriptor, file.folder, events) >= 0 else {
            close(descriptor)
            return nil
        }
        let name = file.path.lastPathName
        let names = Set([name] + suffixes.map { name + $0 })
        let queue = DispatchQueue(label: "sheaf.watch")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // Both closures run only on `queue`.
        nonisolated(unsafe) var isDue = false
        source.setEventHandler {
            let told = Self.readNames(descriptor)
            // An event without a name means that the system's event queue overflowed.
            guard told.contains(where: { names.contains($0) || $0.isEmpty }), !isDue else { return }
            isDue = true
            queue.asyncAfter(deadline: .now() + .milliseconds(backoff.delay)) {
                isDue = false
                body()
            }
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Returns the file names of all waiting events.
    private static func readNames(_ descriptor: Int32) -> Set<String> {
        var names: Set<String> = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                let header = MemoryLayout<inotify_event>.size
                while offset + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = buffer[offset + header..<offset + header + Int(event.len)]
                    names.insert(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
                    offset += header + Int(event.len)
                }
            }
        }
        return names
    }
}
