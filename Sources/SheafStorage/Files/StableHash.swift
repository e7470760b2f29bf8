/// The 64-bit FNV-1a hash (Fowler, Noll, Vo). Unlike `Hasher`, it gives a text the same hash in
/// every run. It does not resist deliberate collisions.
package enum StableHash {
    /// The initial value of the hash.
    static let offsetBasis: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Returns the hash of `text` for use in a file name. The text itself may be too long or too
    /// private.
    package static func word(_ text: String) -> String { String(hash(text), radix: 16) }

    /// Returns the hash of `text`, starting from `basis`. O(length).
    static func hash(_ text: String, from basis: UInt64 = offsetBasis) -> UInt64 {
        text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
