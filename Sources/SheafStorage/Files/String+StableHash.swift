/// The 64-bit FNV-1a hash (Fowler, Noll, Vo). Unlike `Hasher`, it gives a text the same hash in
/// every run. It does not resist deliberate collisions.
extension String {
    /// The hash in a file name, for which the text itself may be too long or too private.
    package var stableHashWord: String { String(stableHash(), radix: 16) }

    /// Returns the hash of the text, starting from `basis`. O(length).
    func stableHash(from basis: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
