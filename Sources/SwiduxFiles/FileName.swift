/// Names of files are bytes. `==` and `hasPrefix` take two names for one that differ in Unicode
/// normalization, of which a folder can have both.
extension StringProtocol {
    /// Whether both have the same bytes.
    package func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether it begins with the bytes of `start`.
    package func beginsWithBytes(of start: some StringProtocol) -> Bool {
        utf8.starts(with: start.utf8)
    }
}
