import Foundation

/// The processor's name, as the system reports it.
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

/// The number of threads that wanted a processor over the last minute. Above the number of cores,
/// times are too long. Caches and memory are shared even if processor time is not.
var load: Double {
    var averages = [0.0, 0, 0]
    getloadavg(&averages, 3)
    return averages[0]
}

/// The version of the compiler, as `make bench` passes it.
var swiftVersion: String { ProcessInfo.processInfo.environment["SWIFT_VERSION"] ?? "Swift 6" }

var date: String { Date().formatted(.iso8601.year().month().day()) }
