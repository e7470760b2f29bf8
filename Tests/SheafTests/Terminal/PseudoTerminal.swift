import Foundation
import Glibc
import SheafTestSupport
import Testing

/// A terminal made of a pair of descriptors, with one process in it: the bytes that it receives,
/// and its modes.
///
/// tmux shows the result of the bytes on a terminal; this shows the bytes.
final class PseudoTerminal {
    /// A failure of the terminal itself, or of a wait.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// How a process ended.
    struct End: Equatable {
        /// The exit status, or the number of the signal that ended it.
        var status: Int32
        var isSignal: Bool
        /// The processor time that it took, in seconds.
        var processorTime: Double

        static func == (one: End, other: End) -> Bool {
            one.status == other.status && one.isSignal == other.isSignal
        }

        static func exited(_ status: Int32) -> End {
            End(status: status, isSignal: false, processorTime: 0)
        }

        static func killed(by signal: Int32) -> End {
            End(status: signal, isSignal: true, processorTime: 0)
        }
    }

    /// The process that was started, the first of its session.
    let process: pid_t
    private let main: Int32
    /// The modes before the process was started.
    let firstModes: String
    private var received: [UInt8] = []
    private var isOpen = true
    /// True if output is read. Otherwise the process soon has to wait.
    var isReading = true
    private var end: End?

    /// Starts `arguments` in a terminal of its own, in the folder and with the environment of
    /// `sheaf`.
    init(
        _ sheaf: SheafBinary, _ arguments: [String], columns: Int = 80, rows: Int = 20,
        environment: [String: String] = [:],
        prepare: (inout termios) -> Void = { _ in }
    ) throws {
        // Linux's own way: glibc hides posix_openpt and its like from Swift.
        let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
        main = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var index: Int32 = -1
        guard main >= 0, ioctl(main, unlock, &locked) == 0, ioctl(main, number, &index) == 0 else {
            throw Failure(description: "no pseudo terminal: \(String(cString: strerror(errno)))")
        }
        var modes = termios()
        tcgetattr(main, &modes)
        prepare(&modes)
        tcsetattr(main, TCSANOW, &modes)
        firstModes = Self.modes(of: main)
        Self.setSize(of: main, columns: columns, rows: rows)
        let variables = sheaf.programEnvironment.merging(environment) { $1 }
        process = try ChildProcess.spawn(
            arguments, in: sheaf.folder.path, environment: variables,
            streams: .terminal("/dev/pts/\(index)"))
    }

    deinit {
        if end == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        close()
    }

    /// Sends bytes as a keyboard would.
    func type(_ text: String) throws {
        try type(Array(text.utf8))
    }

    /// Sends bytes as a keyboard would.
    func type(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            drain()
            let count = rest.withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
            guard count > 0 else {
                throw Failure(description: "cannot type: \(String(cString: strerror(errno)))")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The bytes received so far.
    var output: [UInt8] {
        drain()
        return received.dropLast(cutCount)
    }

    /// How many bytes at the end are the beginning of a character whose rest is on the way.
    private var cutCount: Int {
        let rest = received.suffix(3).reversed().prefix { $0 & 0xc0 == 0x80 }.count
        guard let first = received.dropLast(rest).last, first >= 0xc0 else { return 0 }
        let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
        return rest + 1 < length ? rest + 1 : 0
    }

    /// Reads the output, so that the process need not wait.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
        while isOpen, isReading, poll(&entry, 1, 0) > 0 {
            let count = read(main, &buffer, buffer.count)
            // An error means that the other end of the terminal is closed.
            guard count > 0 else { return }
            received += buffer[..<count]
        }
    }

    /// The output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Drops the bytes received so far.
    func forget() {
        drain()
        received = received.suffix(cutCount)
    }

    /// Waits until `text` was received.
    func wait(for text: String) async throws {
        try await wait(until: "“\(text)”") { $0.text.contains(text) }
    }

    /// Waits until `condition` holds.
    func wait(
        until what: String, _ condition: (PseudoTerminal) async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + TmuxSession.timeout
        while try await !condition(self) {
            guard ContinuousClock.now < deadline else {
                throw Failure(description: "waited in vain for \(what) in \(text.debugDescription)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for the end of the process.
    func waitForEnd() async throws -> End {
        if let end { return end }
        var ended: End?
        try await wait(until: "the end of the process") { _ in
            var status: Int32 = 0
            var usage = rusage()
            drain()
            guard wait4(process, &status, WNOHANG, &usage) == process else { return false }
            let time = [usage.ru_utime, usage.ru_stime].reduce(0) {
                $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
            }
            let signal = status & 0x7f
            ended = End(
                status: signal == 0 ? (status >> 8) & 0xff : signal, isSignal: signal != 0,
                processorTime: time)
            return true
        }
        end = ended
        guard let ended else { throw Failure(description: "no end") }
        return ended
    }

    /// The modes of the line: echo, signals, flow control and their characters.
    var modes: String { Self.modes(of: main) }

    private static func modes(of main: Int32) -> String {
        var modes = termios()
        tcgetattr(main, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
        return "\(modes.c_iflag):\(modes.c_oflag):\(modes.c_cflag):\(modes.c_lflag):\(characters)"
    }

    /// Changes the size; the process gets SIGWINCH.
    func resize(columns: Int, rows: Int) {
        drain()
        Self.setSize(of: main, columns: columns, rows: rows)
    }

    /// Goes away, as a terminal's window does.
    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(main)
    }

    private static func setSize(of descriptor: Int32, columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = UInt16(rows)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }
}
