import Foundation

/// The processor's name, as the system gives it.
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

/// How many threads wanted a processor over the last minute. Above the number of cores, times are
/// too long: caches and memory are shared even where processor time is not.
var load: Double {
    var averages = [0.0, 0, 0]
    getloadavg(&averages, 3)
    return averages[0]
}

/// The version of the compiler, which `make bench` passes.
var swiftVersion: String { ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "Swift 6" }

var date: String { Date().formatted(.iso8601.year().month().day()) }
