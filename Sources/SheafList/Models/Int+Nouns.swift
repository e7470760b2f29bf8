extension Int {
    /// The number with its noun: `1 item`, `2,000 items`.
    package var items: String { self == 1 ? "1 item" : "\(grouped) items" }
    /// `1 tag`, `2 tags`.
    package var tags: String { self == 1 ? "1 tag" : "\(grouped) tags" }
    /// `1 view`, `2 views`.
    package var views: String { self == 1 ? "1 view" : "\(grouped) views" }

    /// The number with a comma between groups of three digits.
    package var grouped: String {
        let digits = String(magnitude)
        var grouped = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return grouped
    }
}
