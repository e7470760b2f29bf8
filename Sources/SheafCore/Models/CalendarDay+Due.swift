/// How a day looks beside an item that is due then.
extension CalendarDay {
    /// How far it is from `today`, in at most ten columns: `today`, `2d`, `3w`, `3d late`.
    public func dueWord(today: CalendarDay) -> String {
        let days = days(since: today)
        if days == 0 { return "today" }
        let length =
            switch abs(days) {
            case ..<14: "\(abs(days))d"
            case ..<70: "\(abs(days) / 7)w"
            case ..<730: "\(abs(days) / 30)mo"
            default: "\(abs(days) / 365)y"
            }
        return days < 0 ? "\(length) late" : length
    }
}

extension Item {
    /// Whether it is late: not done, and due before `today`.
    public func isOverdue(today: CalendarDay) -> Bool {
        !isDone && due.map { $0 < today } ?? false
    }
}
