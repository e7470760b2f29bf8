import Foundation

/// Another process that has a file open.
struct Holder {
    /// Its number.
    let process: String
    private let shell = Process()
    private let input = Pipe()

    init(of path: String) throws {
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Children of this process do not count, so the file is opened by a child of the shell.
        shell.arguments = ["-c", "sh -c 'echo $$; read line' 3<\"$0\"; :", path]
        let output = Pipe()
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        process = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmed
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        shell.waitUntilExit()
    }
}
