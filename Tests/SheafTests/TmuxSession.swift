import Foundation
import Testing

/// A real terminal: the built program in tmux, typed at and looked at.
final class TmuxSession {
    /// What went wrong with tmux itself, or with a wait.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// How long anything is waited for: long enough for a machine with other things to do.
    static let patience = Duration.seconds(30)

    private let socket = "sheaf-test-\(UUID().uuidString)"
    private let sheaf: SheafBinary

    /// Starts a shell of `columns` by `rows` in the program's folder.
    init(_ sheaf: SheafBinary, columns: Int = 80, rows: Int = 20) throws {
        self.sheaf = sheaf
        try sheaf.write("PS1='ready> '\n", to: ".shrc")
        let variables = sheaf.environment
            .merging([
                "SHEAF": SheafBinary.path, "ENV": sheaf.path(".shrc"), "TERM": "",
            ]) { $1 }
            .filter { $0.key != "TERM" }
            .flatMap { ["-e", "\($0.key)=\($0.value)"] }
        try tmux(
            [
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c",
                sheaf.folder.path,
            ] + variables + ["/bin/bash --norc -i"])
        try tmux(["set", "-g", "status", "off"])
        try tmux(["set", "-s", "escape-time", "0"])
        try tmux(["set", "-g", "remain-on-exit", "on"])
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
        // Not as it will be shown: the terminal echoes the line.
        try run("PS1='ready''> '; clear")
        try wait(for: "ready>")
    }

    deinit {
        do {
            try tmux(["kill-server"])
        } catch {
            print("tmux: \(error)")
        }
    }

    /// Types a line of the shell, with Enter.
    func run(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    /// Types text, as it is.
    func type(_ text: String) throws {
        // A semicolon at the end would end the command for tmux.
        let isEnd = text.hasSuffix(";")
        try tmux(["send-keys", "-l", isEnd ? text.dropLast() + "\\;" : text])
    }

    /// Presses keys by tmux's names.
    func press(_ keys: String...) throws {
        try tmux(["send-keys"] + keys)
    }

    /// Pastes text, in the brackets that the program asked for.
    func paste(_ text: String) throws {
        try tmux(["set-buffer", text])
        try tmux(["paste-buffer", "-p", "-r"])
    }

    /// Sends a report of the mouse: what follows `CSI <`.
    func mouse(_ report: String) throws {
        try type("\u{1b}[<\(report)")
    }

    /// Presses and releases the left button in a cell, counted from 1.
    func click(_ column: Int, _ row: Int) throws {
        try mouse("0;\(column);\(row)M")
        try mouse("0;\(column);\(row)m")
    }

    /// Whether tmux has been asked for the mouse: drags, and numbers in SGR's way.
    var isAskedForMouse: Bool {
        get throws {
            let flags = "#{mouse_button_flag} #{mouse_sgr_flag}"
            return try tmux(["display-message", "-p", flags]) == "1 1\n"
        }
    }

    /// Takes text that programs have for the clipboard, as terminals do where users allow it.
    func takeClipboard() throws { try tmux(["set", "-s", "set-clipboard", "on"]) }

    /// The text that a program had for the clipboard last.
    var clipboard: String {
        get throws { try tmux(["show-buffer"]) }
    }

    /// Where the cursor is, shown or not: column and row, counted from 1.
    var cursor: [Int] {
        get throws {
            try tmux(["display-message", "-p", "#{cursor_x} #{cursor_y}"])
                .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.map { $0 + 1 }
        }
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The rows of the screen.
    var screen: String {
        get throws { try tmux(["capture-pane", "-p"]) }
    }

    /// Waits until the screen shows `text`, or does not any more, and returns the screen.
    @discardableResult
    func wait(for text: String, toShow isShown: Bool = true) throws -> String {
        try wait(until: "\(isShown ? "" : "no ")“\(text)”") { $0.contains(text) == isShown }
    }

    /// Waits until the screen is as `condition` wants it.
    @discardableResult
    func wait(until what: String, _ condition: (String) throws -> Bool) throws -> String {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let screen = try screen
            if try condition(screen) { return screen }
            guard ContinuousClock.now < deadline else {
                throw Failure(description: "waited in vain for \(what):\n\(screen)")
            }
            // A look at the screen is a process each; between two of them the program has the
            // machine.
            _ = poll(nil, 0, 20)
        }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let path = sheaf.path(".tmux-\(UUID().uuidString)")
        let status = try Self.spawn(["tmux", "-u", "-L", socket] + arguments, output: path)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        let text = String(decoding: data, as: UTF8.self)
        guard status == 0 else {
            throw Failure(description: "tmux \(arguments.first ?? ""): \(text)")
        }
        return text
    }

    /// Runs a command and waits for it alone. Foundation's `Process` would also wait for the server
    /// that tmux leaves behind, because that inherits the socket by which it learns of the end.
    private static func spawn(_ arguments: [String], output path: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Threads of the test runner block nearly all signals, and children inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &variables)
        guard failure == 0 else {
            throw Failure(
                description: "cannot run \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
