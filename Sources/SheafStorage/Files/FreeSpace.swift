import Glibc

extension statvfs {
    /// How many bytes a user may still write, at most what 64 bits hold: a file system in user
    /// space may report any number.
    var freeBytes: Int64 {
        let (bytes, isTooLarge) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}
