import Foundation

/// What takes minutes runs only where it is asked for, by `SHEAF_TORTURE=1`.
public enum Torture {
    public static let isOn = ProcessInfo.processInfo.environment["SHEAF_TORTURE"] != nil
}
