import Foundation

/// Runs a tool of the system and says whether it succeeded.
public func succeeds(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
        try process.run()
    } catch {
        return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
}

/// The system's tracer, where it may be used.
public enum Strace {
    /// Whether it is there, and processes may be traced.
    public static let isPossible = succeeds("strace", "-o", "/dev/null", "true")
}
