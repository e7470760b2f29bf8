extension Int {
    /// Returns the number with a noun: `1 item`, `2,000 items`.
    package func counted(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
    }

    package var items: String { counted("item") }
    package var tags: String { counted("tag") }
    package var views: String { counted("view") }

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
