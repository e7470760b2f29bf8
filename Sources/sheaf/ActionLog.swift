import Foundation
import Logging
import SheafCore
import SheafTUI

/// What `--log` writes: a line of JSON for every action, with what it changed, and for every turn that saving takes.
///
/// The names of items are in it, so it is for the user alone. A link in its place is not followed.
struct ActionLog {
    private let logger: Logger

    /// Opens the log at `path`, behind what is there.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written to.
    init(path: String) throws {
        // Not waiting, for a FIFO in its place would be waited for until somebody reads it.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else {
            let reason =
                errno == ELOOP ? "a link is not followed" : String(cString: strerror(errno))
            throw CommandFailure(.cannotCreate, "\(path): \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CommandFailure(.cannotCreate, "\(path): is no file to write a log to")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        logger = Logger(label: "sheaf") { _ in JSONLinesLogHandler(handle) }
    }

    /// Records actions on their way through the store.
    @MainActor
    var middleware: Middleware<AppState, AppAction> {
        .log(differences: true) { [logger] record in
            logger.debug(
                "\(record.action)",
                metadata: [
                    "number": .stringConvertible(record.number),
                    "microseconds": .stringConvertible(
                        record.duration.components.attoseconds / 1_000_000_000_000),
                    "changes": .array((record.difference?.lines ?? []).map { .string($0) }),
                ])
        }
    }
}

/// Writes what is logged as lines of JSON: `{"changes":[…],"level":"debug","message":"…","time":"…"}`.
private struct JSONLinesLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line: [String: Any] = [
            "time": Timestamp.now.iso8601, "level": event.level.rawValue,
            "message": event.message.description,
        ]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
            line[key] = Self.plain(value)
        }
        do {
            var data = try JSONSerialization.data(withJSONObject: line, options: [.sortedKeys])
            data.append(UInt8(ascii: "\n"))
            try handle.write(contentsOf: data)
        } catch {
            // While the screen is open there is nowhere else to say it, and the list matters more than its log.
        }
    }

    private static func plain(_ value: Logger.MetadataValue) -> Any {
        switch value {
        case .string(let text): text
        case .stringConvertible(let number as any BinaryInteger): Int64(clamping: number)
        case .stringConvertible(let value): value.description
        case .array(let values): values.map(plain)
        case .dictionary(let values): values.mapValues(plain)
        }
    }
}
