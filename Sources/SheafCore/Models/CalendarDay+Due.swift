/// How a day looks beside an item that is due then.
extension CalendarDay {
    /// How far it is from `today`, in at most ten columns: `today`, `2d`, `3w`, `3d late`.
    public func dueWord(today: CalendarDay) -> String {
        let days = days(since: today)
        if days == 0 { return "today" }
        return days < 0 ? "\(Self.length(-days)) late" : Self.length(days)
    }

    /// So many days, in at most five columns: `2d`, `6w`, `14mo`, `3y`.
    public static func length(_ days: Int) -> String {
        switch days {
        case ..<14: "\(days)d"
        case ..<70: "\(days / 7)w"
        case ..<730: "\(days / 30)mo"
        default: "\(days / 365)y"
        }
    }
}

extension Item {
    /// Whether it is late: not done, and due before `today`.
    public func isOverdue(today: CalendarDay) -> Bool {
        !isDone && due.map { $0 < today } ?? false
    }
}
