/// Names of files are bytes: a folder can have two names that differ only in Unicode normalization,
/// which `==` and `hasPrefix` take for one.
extension StringProtocol {
    /// Whether both have the same bytes.
    package func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the first bytes are those of `start`.
    package func beginsWithBytes(of start: some StringProtocol) -> Bool {
        utf8.starts(with: start.utf8)
    }
}
