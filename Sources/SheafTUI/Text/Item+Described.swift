import SheafList

extension Item {
    /// Returns the fields with a value, other than texts, tags and times, in the form that the
    /// inspector and `sheaf show` print. A test fails if neither prints a field.
    ///
    /// - Parameter today: the day from which distances are counted.
    package func described(on today: CalendarDay) -> [(label: String, text: String)] {
        func text(_ day: CalendarDay) -> String { "\(day), \(day.distance(from: today))" }
        let fields = [
            ("priority", priority?.description), ("due", due.map(text)),
            ("scheduled", scheduled.map(text)), ("repeat", `repeat`.map { "\($0), \($0.words)" }),
        ]
        return fields.compactMap { label, text in text.map { (label, $0) } }
    }
}
