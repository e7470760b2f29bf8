import Foundation

/// What decides whether the tests run that take minutes: `.enabled(if: Torture.isOn)`.
public enum Torture {
    /// Whether `SHEAF_TORTURE` is set, as `make torture` does.
    public static let isOn = ProcessInfo.processInfo.environment["SHEAF_TORTURE"] != nil
}
