import Foundation

/// The built program, run in a folder and a home of its own.
final class SheafBinary {
    /// What a run left.
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The folder that the runs work in; it goes with the value.
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

    /// The environment of every run: nothing of the user's own. What is set for sanitizers goes for
    /// the program too.
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
    func run(_ arguments: String..., input: String = "") throws -> Result {
        try run(arguments, input: input)
    }

    /// Runs the program with `input` on its standard input.
    func run(_ arguments: [String], input: String = "") throws -> Result {
        try run(Self.path, arguments, input: Data(input.utf8))
    }

    /// Runs a line of the shell, with the program as `$SHEAF`.
    func shell(_ line: String) throws -> Result {
        try run("/bin/sh", ["-c", line], input: Data())
    }

    private func run(_ program: String, _ arguments: [String], input: Data) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = environment.merging(["SHEAF": Self.path]) { $1 }
        // Files, not pipes: whatever is printed, nobody has to read it in time.
        let files = try ["in", "out", "err"].map { name in
            let url = folder.appendingPathComponent(".\(name)-\(UUID().uuidString)")
            try (name == "in" ? input : Data()).write(to: url)
            return url
        }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let output = try Data(contentsOf: files[1])
        let errors = try Data(contentsOf: files[2])
        for file in files { try FileManager.default.removeItem(at: file) }
        return Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}
