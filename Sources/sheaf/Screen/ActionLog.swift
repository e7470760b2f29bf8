import Glibc
import SheafApp
import SheafFormats
import SheafStorage
import SheafTUI
import SwiduxFiles

/// The file of `--log`: a line of JSON for every action, with its changes. Actions that report the
/// progress of saving are included.
///
/// It contains the names of items, so only the user can read it.
struct ActionLog {
    private let file: OpenFile

    /// Opens the log at `path` and appends to its contents.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be written to, or is a file other than a log.
    init(path: String) throws {
        file = try FileOutput.creating(path) { try Self.open(path) }
    }

    private static func open(_ path: String) throws -> OpenFile {
        let noFile = CommandFailure(
            .cannotCreate, "\(path): is not a file that a log can be written to")
        let followed = try ResolvedPath(path)
        try followed.checkWritable()
        if access(followed.path, F_OK) != 0 {
            try WrittenFile.check(path, source: nil, replacing: false)
        }
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(
                followed.path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            // The path is a socket, or a device that does not exist.
            throw error.number == ENXIO ? noFile : error
        }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw noFile }
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        guard status.st_size == 0 || pread(file.number, &bytes, bytes.count, 0) > 0,
            status.st_size == 0 || bytes == beginning
        else {
            throw CommandFailure(
                .cannotCreate,
                "\(path): this file is not an action log; name a new file, or a log to continue")
        }
        return file
    }

    /// The beginning of each line.
    private static let beginning = Array("{\"time\":\"".utf8)

    /// Records the actions that pass through the store.
    @MainActor
    var middleware: Middleware<AppState, AppAction> {
        var number = 0
        return .log(differences: true) { [file] action, duration, difference in
            number += 1
            let changes = difference.map(JSONText.quoted)
            let microseconds = Int64(duration / .microseconds(1))
            let line = """
                {"time":"\(Timestamp.now.iso8601)","number":\(number),\
                "action":\(JSONText.quoted("\(action)")),\
                "microseconds":\(microseconds),"changes":[\(changes.joined(separator: ","))]}

                """
            do throws(SystemError) {
                try file.write(Array(line.utf8))
            } catch {
                // While the screen is open, the failure cannot be reported, and the list matters
                // more than its log.
            }
        }
    }
}
