extension Int {
    /// The number with its noun: `1 item`, `2 items`.
    package var items: String { self == 1 ? "1 item" : "\(self) items" }
    /// The same with tags.
    package var tags: String { self == 1 ? "1 tag" : "\(self) tags" }
    /// The same with views.
    package var views: String { self == 1 ? "1 view" : "\(self) views" }
}
