import SheafList

extension Item {
    /// The fields beside texts, tags and times that have a value, as the inspector and `sheaf show`
    /// print them. A test fails if a field is in neither.
    ///
    /// - Parameter today: the day that distances are counted from.
    public func described(on today: CalendarDay) -> [(label: String, text: String)] {
        func text(_ day: CalendarDay) -> String { "\(day), \(day.distance(from: today))" }
        let fields = [
            ("priority", priority?.description), ("due", due.map(text)),
            ("scheduled", scheduled.map(text)), ("repeat", `repeat`.map { "\($0), \($0.words)" }),
        ]
        return fields.compactMap { label, text in text.map { (label, $0) } }
    }
}
