/// FNV-1a (Fowler, Noll, Vo) of 64 bits: the same for the same text in every run, unlike `Hasher`.
/// It is no protection against texts that are made to have the same hash.
package enum StableHash {
    /// Where the hash begins.
    static let offsetBasis: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The hash of `text` as a name of a file, which `text` itself may be too long or too private
    /// for.
    package static func word(_ text: String) -> String { String(hash(text), radix: 16) }

    /// The hash of `text`, begun at `basis`. O(length).
    static func hash(_ text: String, from basis: UInt64 = offsetBasis) -> UInt64 {
        text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
