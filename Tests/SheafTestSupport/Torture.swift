import Foundation

/// What decides whether the tests run that take minutes: `.enabled(if: Torture.isOn)`.
public enum Torture {
    /// Whether `SHEAF_TORTURE` is set, as `make torture` does.
    public static let isOn = ProcessInfo.processInfo.environment["SHEAF_TORTURE"] != nil

    /// Whether a sanitizer slows the program down, so that what is promised of its speed cannot be
    /// tested.
    public static let isSanitized = ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }
}
