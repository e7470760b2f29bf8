import Dispatch
import Foundation
import Synchronization

/// A program that a test starts, without Foundation's `Process`: that one waits for a server too
/// which a tool leaves behind, because the server inherits the socket that reports the end.
package enum ChildProcess {
    /// The exit status of a program and the text that it printed.
    package struct Result: Sendable {
        /// The exit status, or 128 and the number of the signal that ended it.
        package var status: Int32
        package var output: String
        package var errors: String
    }

    /// A program that cannot be started.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The standard streams of a program.
    package enum Streams {
        /// Paths of files. Standard input is `/dev/null` if `input` is nil.
        case files(input: String?, output: String, errors: String)
        /// The path of a terminal, which becomes the controlling terminal of a new session.
        case terminal(String)
    }

    /// Programs that run at a time: enough to keep the processors busy while some of them wait.
    private static let gate = Gate(width: 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// Runs a program to its end. The calling task is suspended meanwhile and holds no thread of
    /// the pool. If too many programs run already, it waits for its turn.
    ///
    /// - Parameters:
    ///   - arguments: the program, looked up in `PATH`, and its arguments.
    ///   - folder: the working folder.
    ///   - environment: all variables; those of this process by default.
    ///   - input: the standard input.
    package static func run(
        _ arguments: [String], in folder: String = "/", environment: [String: String]? = nil,
        input: Data = Data()
    ) async throws -> Result {
        try await gate.run {
            let files = try StreamFiles(input: input)
            defer { files.remove() }
            let process = try spawn(
                arguments, in: folder, environment: environment, streams: files.streams)
            let status = await withCheckedContinuation { continuation in
                DispatchQueue(label: "wait for \(process)").async {
                    continuation.resume(returning: waitForEnd(of: process))
                }
            }
            return try files.result(status)
        }
    }

    /// Runs a short tool to its end and blocks the thread meanwhile.
    package static func runBlocking(
        _ arguments: [String], in folder: String = "/", environment: [String: String]? = nil
    ) throws -> Result {
        let files = try StreamFiles(input: Data())
        defer { files.remove() }
        let process = try spawn(
            arguments, in: folder, environment: environment, streams: files.streams)
        return try files.result(waitForEnd(of: process))
    }

    /// Starts a program. It inherits no blocked signals: threads of the test runner block nearly
    /// all of them.
    package static func spawn(
        _ arguments: [String], in folder: String, environment: [String: String]?, streams: Streams
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        switch streams {
        case .files(let input, let output, let errors):
            let access = O_WRONLY | O_CREAT | O_APPEND
            posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, access, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors, access, 0o600)
        case .terminal(let path):
            // POSIX_SPAWN_SETSID, which glibc hides from Swift. The first terminal that the first
            // process of a session opens controls it.
            flags |= 0x80
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let environment = environment ?? ProcessInfo.processInfo.environment
        // glibc hides posix_spawn_file_actions_addchdir_np from Swift.
        var words: [UnsafeMutablePointer<CChar>?] =
            (["env", "-C", folder] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var process = pid_t()
        let problem = posix_spawnp(&process, "env", &actions, &attributes, &words, &variables)
        guard problem == 0 else {
            throw Failure(
                description: "cannot run \(arguments[0]): \(String(cString: strerror(problem)))")
        }
        return process
    }

    private static func waitForEnd(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}

/// Files for the standard streams of a program: unlike a pipe, a file needs no reader.
private struct StreamFiles {
    private let path =
        FileManager.default.temporaryDirectory.path + "/sheaf-run-\(UUID().uuidString)"
    private let hasInput: Bool

    init(input: Data) throws {
        hasInput = !input.isEmpty
        if hasInput { try input.write(to: URL(fileURLWithPath: path + "-in")) }
    }

    var streams: ChildProcess.Streams {
        .files(
            input: hasInput ? path + "-in" : nil, output: path + "-out", errors: path + "-err")
    }

    func result(_ status: Int32) throws -> ChildProcess.Result {
        ChildProcess.Result(
            status: status, output: try text("-out"), errors: try text("-err"))
    }

    private func text(_ suffix: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + suffix)), as: UTF8.self)
    }

    func remove() { for suffix in ["-in", "-out", "-err"] { unlink(path + suffix) } }
}

/// Lets a number of tasks do something at a time, in the order in which they came.
private final class Gate: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(width: Int) { state = Mutex((width, [])) }

    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows
        -> Result
    {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer {
            let next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil as CheckedContinuation<Void, Never>?
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
        return try await body()
    }
}
