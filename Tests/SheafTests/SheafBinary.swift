import Foundation
import SheafTestSupport

/// The built program, run in a folder and a home of its own.
final class SheafBinary: Sendable {
    typealias Result = ChildProcess.Result

    /// The working folder of the runs, removed with this object.
    let folder: URL

    /// `SHEAF_BINARY`, or the program beside the tests.
    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["SHEAF_BINARY"] { return path }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = tests.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("sheaf")
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
                !isFolder.boolValue
            {
                return candidate.path
            }
            folder.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../.build/debug/sheaf").standardizedFileURL.path
    }()

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("sheaf-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // A program that is just ending may still write into it.
        for _ in 0..<50 {
            do { return try FileManager.default.removeItem(at: folder) } catch {
                _ = poll(nil, 0, 20)
            }
        }
        print("left behind: \(folder.path)")
    }

    /// The environment of every run, without the user's own. Settings of sanitizers also apply to
    /// the program.
    var environment: [String: String] {
        let inherited = ProcessInfo.processInfo.environment
        return inherited.filter { ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key) }.merging([
            "HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "PATH": inherited["PATH"] ?? "/usr/bin:/bin",
        ]) { $1 }
    }

    /// Where the store of a name lies.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Writes a file of the folder.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    /// The bytes of a file of the folder.
    func bytes(of name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// Runs the program with `input` on its standard input.
    func run(_ arguments: String..., input: String = "") async throws -> Result {
        try await run(arguments, input: input)
    }

    /// Runs the program with `input` on its standard input.
    func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Result {
        try await ChildProcess.run(
            [Self.path] + arguments, in: folder.path,
            environment: programEnvironment.merging(environment) { $1 }, input: Data(input.utf8))
    }

    /// Runs a line of the shell, with the program as `$SHEAF`.
    func shell(_ line: String) async throws -> Result {
        try await ChildProcess.run(
            ["/bin/sh", "-c", line], in: folder.path, environment: programEnvironment)
    }

    /// The environment of every run, with the program's path as `SHEAF`.
    var programEnvironment: [String: String] { environment.merging(["SHEAF": Self.path]) { $1 } }
}
