extension [String: String] {
    /// Returns the path in the environment variable `name`. An empty or relative path is ignored,
    /// as the XDG specification requires: a relative path would mean a different folder in each
    /// working folder.
    package func absolutePath(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
