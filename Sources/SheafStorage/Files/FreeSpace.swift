import Glibc

extension statvfs {
    /// The number of bytes that a user can still write. Limited to the range of `Int64`, because a
    /// file system in user space may report any number.
    var freeBytes: Int64 {
        let (bytes, isTooLarge) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}
