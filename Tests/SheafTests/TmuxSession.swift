import Foundation
import SheafTestSupport
import Testing

/// A real terminal: the built program in tmux, typed at and looked at.
final class TmuxSession: Sendable {
    /// A failure of tmux itself, or of a wait.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// How long anything is waited for: long enough for a machine with other things to do.
    static let timeout = Duration.seconds(30)

    private let socket = "sheaf-test-\(UUID().uuidString)"
    private let sheaf: SheafBinary

    /// Starts a shell of `columns` by `rows` in the program's folder.
    init(_ sheaf: SheafBinary, columns: Int = 80, rows: Int = 20) async throws {
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
        try await wait(for: "ready>")
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

    /// Sends a mouse report: the part after `CSI <`.
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
    func wait(for text: String, toShow isShown: Bool = true) async throws -> String {
        try await wait(until: "\(isShown ? "" : "no ")“\(text)”") { $0.contains(text) == isShown }
    }

    /// Waits until the screen is as `condition` wants it.
    @discardableResult
    func wait(until what: String, _ condition: (String) throws -> Bool) async throws -> String {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let screen = try screen
            if try condition(screen) { return screen }
            guard ContinuousClock.now < deadline else {
                throw Failure(description: "waited in vain for \(what):\n\(screen)")
            }
            // Each look at the screen starts a process; between two looks the program has the
            // machine.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let result = try ChildProcess.runBlocking(["tmux", "-u", "-L", socket] + arguments)
        guard result.status == 0 else {
            throw Failure(description: "tmux \(arguments.first ?? ""): \(result.errors)")
        }
        return result.output
    }
}
