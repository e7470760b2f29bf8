import Foundation
import Logging
import SheafCore
import SheafStorage
import SheafTUI

/// What `--log` writes: a line of JSON for every action, with what it changed, and for every turn that saving takes.
///
/// The names of items are in it, so it is for the user alone.
struct ActionLog {
    private let logger: Logger

    /// Opens the log at `path`, behind what is there.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written to.
    init(path: String) throws {
        let file = try Self.open(path)
        logger = Logger(label: "sheaf") { _ in JSONLinesLogHandler(file) }
    }

    private static func open(_ path: String) throws -> OpenFile {
        do {
            let followed = try FollowedPath(path)
            try followed.checkWritable()
            let file = try OpenFile(followed.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
            if try file.status().st_mode & S_IFMT == S_IFREG { return file }
        } catch let error as StorageError {
            throw CommandFailure(.cannotCreate, error.description)
        } catch let error as SystemError {
            // What nobody reads from, as a FIFO, is told below.
            guard error.number == ENXIO else {
                throw CommandFailure(.cannotCreate, "\(path): \(error.words)")
            }
        }
        throw CommandFailure(.cannotCreate, "\(path): is no file to write a log to")
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
    private let file: OpenFile

    init(_ file: OpenFile) { self.file = file }

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
            try file.write(Array(data))
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
