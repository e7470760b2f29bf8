import Foundation

/// The name and the number of cores of the processor, as the system reports them.
var machine: String {
    #if os(Linux)
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    #else
    let name: String? = nil
    #endif
    return (name ?? "unknown processor") + ", \(ProcessInfo.processInfo.activeProcessorCount) cores"
}

/// The average number of threads that were ready to run in the last minute. If it exceeds the
/// number of cores, measured times are too long. Even below, other threads share caches and memory.
var load: Double {
    var averages = [0.0, 0, 0]
    getloadavg(&averages, 3)
    return averages[0]
}

/// The version of the compiler, which `make bench` passes.
var swiftVersion: String { ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "Swift 6" }

var date: String { Date().formatted(.iso8601.year().month().day()) }
