extension Int {
    /// The number with its noun: `1 item`, `2 items`.
    package var items: String { self == 1 ? "1 item" : "\(self) items" }
    /// `1 tag`, `2 tags`.
    package var tags: String { self == 1 ? "1 tag" : "\(self) tags" }
    /// `1 view`, `2 views`.
    package var views: String { self == 1 ? "1 view" : "\(self) views" }
}
