import Glibc

extension statvfs {
    /// What a user may still write, in bytes, or the most that 64 bits hold: a file system in user
    /// space says what it likes.
    var freeBytes: Int64 {
        let (bytes, isTooLarge) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}
