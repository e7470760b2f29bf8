import FoundationEssentials

extension UUID {
    /// Returns a new id of random bits: version 4 of RFC 9562.
    ///
    /// Foundation's initializer reads `/dev/urandom`. If that cannot be opened, because it is
    /// missing or too many files are open, all of its ids are zero and items replace each other.
    /// The system call needs no file.
    package static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var halves: (UInt64, UInt64) = (generator.next(), generator.next())
        return withUnsafeMutableBytes(of: &halves) { bytes in
            bytes[6] = bytes[6] & 0x0f | 0x40
            bytes[8] = bytes[8] & 0x3f | 0x80
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}
