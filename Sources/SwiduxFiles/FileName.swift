/// Comparison of file names by their bytes. A folder can contain two names that differ only in
/// Unicode normalization. `==` and `hasPrefix` treat them as equal.
extension StringProtocol {
    /// Returns true if both have equal bytes.
    package func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Returns true if the first bytes are the bytes of `start`.
    package func beginsWithBytes(of start: some StringProtocol) -> Bool {
        utf8.starts(with: start.utf8)
    }
}
