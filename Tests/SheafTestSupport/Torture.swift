import Foundation

/// The long form of random tests. `make test` runs a seeded sample, `make torture` everything.
package enum Torture {
    /// True if `SHEAF_TORTURE` is set. Tests that take minutes have `.enabled(if: Torture.isOn)`.
    package static let isOn = ProcessInfo.processInfo.environment["SHEAF_TORTURE"] != nil

    /// The number of cases to run: `sample` of `all`, or `all` under torture.
    package static func count(_ sample: Int, of all: Int) -> Int { isOn ? all : sample }

    /// True if a sanitizer slows the program down, so that promises of speed cannot be tested.
    package static let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }
}
