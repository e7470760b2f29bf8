extension [String: String] {
    /// The path in the environment variable `name`. One that is empty or relative is as if there
    /// were none, as the XDG specification has it: it would mean another folder in each working
    /// folder.
    public func absolutePath(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
