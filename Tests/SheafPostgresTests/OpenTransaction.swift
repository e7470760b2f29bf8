import Foundation

/// A transaction that is left open by hand, in a `psql` of its own. One task uses it at a time, so
/// `@unchecked` is safe.
final class OpenTransaction: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let list: OneList

    /// Runs `sql`, whose statements may fail, and returns when all of it is done.
    init(_ list: OneList, as role: String, _ sql: String) throws {
        self.list = list
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "psql", "-h", "127.0.0.1", "-p", "\(list.server.port)", "-U", role, "-X", "-q",
            list.database,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try run(sql)
    }

    /// Runs `sql` after the earlier statements.
    func run(_ sql: String) throws {
        let text = sql.replacing("LIST", with: "'\(list.id.uuidString)'") + ";\n\\! echo done\n"
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        var seen = ""
        while !seen.contains("done\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return }
            seen += String(decoding: data, as: UTF8.self)
        }
    }

    func end() {
        // Nothing else ends it: it inherits a mask of blocked signals from a thread of the runtime.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { end() } }
}
