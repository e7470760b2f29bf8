import Dispatch
import FoundationEssentials
import Glibc
import SheafList
import SwiduxFiles
import Terminal

/// The private file in which the user edits a note. Its name contains the id of the process that
/// made it.
package enum NoteFile {
    /// The folder of note files.
    package static var folder: String {
        ProcessInfo.processInfo.environment.absolutePath("TMPDIR") ?? "/tmp"
    }

    fileprivate static let mark = "sheaf-note-"

    /// Returns the process that made the file `name`, or `nil` if it is not a note file.
    package static func process(of name: String) -> pid_t? {
        let parts = name.split(separator: "-")
        return name.hasPrefix(mark) && parts.count == 4 ? pid_t(parts[2]) : nil
    }
}

/// An edit of a text in the user's external editor, in the terminal that the program has released.
@MainActor
final class ExternalEditor {
    /// The reason why there is no edited text, as a sentence for the user.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The path of the file while the user edits it.
    private(set) var path: String?
    private var process: pid_t?
    private var isInterrupted = false
    /// The read end of a pipe. The editor and its child processes hold the write end, which is
    /// closed when the last of them has ended.
    private var sign: Int32 = -1

    deinit { if sign >= 0 { close(sign) } }

    /// True if the editor, or one of its child processes, is still running. A process that a script
    /// has started may survive the hangup.
    private var isRunning: Bool {
        var poll = pollfd(fd: sign, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }

    /// The command of `$VISUAL`, else `$EDITOR`, else vi. It may have arguments, since the shell
    /// runs it.
    private static var command: String {
        let environment = ProcessInfo.processInfo.environment
        for name in ["VISUAL", "EDITOR"] {
            if let value = environment[name], !value.allSatisfy(\.isWhitespace) { return value }
        }
        return "vi"
    }

    /// Returns the text that the editor saved. If `text` ends without a line break, the file gets
    /// one, as editors expect, and the returned text does not have it.
    ///
    /// The file is private. This function removes it afterwards, with two exceptions: the file
    /// contains a text that could not be used, or the editor is still running. The editor may
    /// outlive a hangup, or may not wait for the user. If this program ended the editor, the editor
    /// may have been saving at that time. The original text is then kept below the saved text,
    /// unless the saved text contains all of it.
    ///
    /// - Throws: ``Failure`` if there is no text to use. It names the file if that was kept.
    func edit(_ text: String) async throws -> String {
        let path = try writeTemporary(Self.withBreak(text))
        self.path = path
        defer { self.path = nil }
        let edited: String
        do {
            edited = try await saved(text, in: path)
        } catch let failure as Failure {
            // The shell may have been killed without the editor that it runs.
            if isRunning {
                throw Failure(description: "\(path) is not read again: \(failure)")
            }
            if await isUnchanged(path, from: text) {
                unlink(path)
                throw failure
            }
            // The path comes first, since a message line may have no room for the reason.
            throw Failure(description: "Edited text kept in \(path): \(failure)")
        }
        if !isInterrupted, isRunning, edited == text {
            // For example, `code` without --wait returns at once.
            throw Failure(
                description:
                    "\(path) is not read again, note unchanged: \(Self.command) did not wait")
        } else if isInterrupted, isRunning {
            StandardError.write(
                "sheaf: The editor still runs. What it saves now is kept only in \(path)\n"
            )
        } else {
            unlink(path)
        }
        return edited
    }

    private func saved(_ text: String, in path: String) async throws -> String {
        let editor = try start(Self.command, on: path)
        process = editor
        // A signal may have asked the program to end while the editor was starting.
        if isInterrupted { interrupt() }
        let status = await Self.end(of: editor)
        process = nil
        let data = try await Self.read(path)
        // An editor that is killed while it saves leaves an empty file.
        guard await isAccepted(status), status == 0 || !data.isEmpty || text.isEmpty else {
            throw Failure(
                description: status > 128
                    ? "\(Self.command) was killed, note unchanged"
                    : "\(Self.command) ended with \(status), note unchanged")
        }
        guard let edited = String(validating: data, as: UTF8.self) else {
            throw Failure(description: "it is not UTF-8, note unchanged")
        }
        let note = Self.withoutAddedBreak(edited, of: text)
        guard status != 0, !note.contains(text) else { return note }
        var item = Item(id: .random())
        item.note = note
        item.keep(text)
        return item.note
    }

    /// Returns `text` with a line break at its end, which is CR LF if the first line ends in CR LF.
    /// An empty text stays empty.
    static func withBreak(_ text: String) -> String {
        guard !text.isEmpty, !text.endsWithLineFeed else { return text }
        let endsWithCR = text.last != "\r" && text.first(where: \.isNewline) == "\r\n"
        return text + (endsWithCR ? "\r\n" : "\n")
    }

    /// Returns `edited` without its final line break, if `text` ends without one. The break is CR
    /// LF if the other lines end in CR LF, but LF after a carriage return that belongs to the text.
    static func withoutAddedBreak(_ edited: String, of text: String) -> String {
        guard edited.endsWithLineFeed, !text.endsWithLineFeed else { return edited }
        return text.last == "\r"
            ? String(edited.unicodeScalars.dropLast()) : String(edited.dropLast())
    }

    /// Returns true if the saved text is used. It is not used if the editor failed, as vim does
    /// after `:cq`, or was killed. But if this program ended the editor, or the terminal closed,
    /// the text saved until then is used. This function waits a moment, because the terminal may
    /// report later that it closed.
    private func isAccepted(_ status: Int32) async -> Bool {
        if status == 0 || isInterrupted || isatty(STDIN_FILENO) == 0 { return true }
        do {
            try await Task.sleep(for: .milliseconds(200))
        } catch {
            return isInterrupted
        }
        return isInterrupted || isatty(STDIN_FILENO) == 0
    }

    /// Asks the editor to end, with the signal of a closed terminal. The text that it has saved
    /// until then is used.
    func interrupt() {
        isInterrupted = true
        if let process { kill(process, SIGHUP) }
    }

    private func writeTemporary(_ text: String) throws -> String {
        let folder = NoteFile.folder
        var template = Array("\(folder)/\(NoteFile.mark)\(getpid())-XXXXXX.txt".utf8CString)
        let descriptor = mkstemps(&template, 4)
        guard descriptor >= 0 else {
            throw Failure(
                description:
                    "Cannot create a file in \(folder): \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let failure = text.writeAll(to: descriptor)
        close(descriptor)
        guard failure == 0 else {
            unlink(path)
            throw Failure(
                description: "Cannot write \(path): \(String(cString: strerror(failure)))")
        }
        return path
    }

    /// Returns true if removing the file would lose no text.
    private func isUnchanged(_ path: String, from text: String) async -> Bool {
        do {
            let data = try await Self.read(path)
            return data == Data(text.utf8) || data == Data(Self.withBreak(text).utf8)
        } catch {
            return access(path, F_OK) != 0
        }
    }

    /// Reads a saved note off the main thread, since it may be large or on a slow disk.
    @concurrent
    private static func read(_ path: String) async throws -> Data {
        func failure(_ reason: String = String(cString: strerror(errno))) -> Failure {
            Failure(
                description: "Cannot read \(path.lastPathName): \(reason), note unchanged")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? failure("it became a link") : failure()
        }
        defer { close(descriptor) }
        // A pipe would read as empty, and a device may have no end.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a file") }
        guard status.st_size <= 64 << 20 else { throw failure("it is larger than 64 MB") }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure() }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    /// Starts the editor in this process's group, so that it has the terminal, and resets the
    /// signals that this program ignores to their defaults. Foundation's `Process` creates a new
    /// group, which the terminal would stop.
    private func start(_ command: String, on path: String) throws -> pid_t {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(
                description: "Cannot run \(command): \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        sign = ends[0]
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A descriptor that is duplicated onto itself stays open in the editor.
        posix_spawn_file_actions_adddup2(&actions, ends[1], ends[1])
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = CStrings(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path])
        let environment = CStrings(
            ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        var child = pid_t()
        let failure = posix_spawn(
            &child, "/bin/sh", &actions, &attributes, arguments.pointers, environment.pointers)
        guard failure == 0 else {
            throw Failure(
                description: "Cannot run \(command): \(String(cString: strerror(failure)))")
        }
        return child
    }

    /// Waits for the end of a process and returns its status in the form of the shell.
    private static func end(of editor: pid_t) async -> Int32 {
        await withCheckedContinuation { continuation in
            // A separate queue has a separate thread, which blocks as long as the user edits.
            DispatchQueue(label: "sheaf.editor").async {
                var status: Int32 = 0
                while waitpid(editor, &status, 0) < 0, errno == EINTR {}
                let isExit = status & 0x7f == 0
                continuation.resume(
                    returning: isExit ? (status >> 8) & 0xff : 128 + (status & 0x7f))
            }
        }
    }
}

/// Strings for C: an array of pointers that ends in `nil` and is freed with the value.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
