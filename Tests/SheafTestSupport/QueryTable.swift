import SheafList

/// Queries and the items that each finds, which must be the same on the screen, in saved views and
/// in commands.
package enum QueryTable {
    package static let tags = Fixtures.tags(["+House", "+House/Bath", "book", "@phone"])

    package static var items: [Item] {
        var items = Fixtures.items([
            "Call the roofer", "Görlitz by train", "roof rack", "buy prio:A paint", "Tiles",
            "Read “The Roof”", "x(y) and :)", "10:30 meeting",
        ])
        items[0].tags = [tags[0].id, tags[3].id]
        items[0].due = CalendarDay("2026-12-01")
        items[0].priority = .a
        items[1].note = "ask Ann\nabout the roofs"
        items[2].doneAt = Fixtures.now
        items[3].scheduled = CalendarDay("2023-11-01")
        items[4].tags = [tags[1].id]
        items[4].priority = .b
        items[5].tags = [tags[2].id]
        items[6].due = CalendarDay("2026-11-30")
        return items
    }

    /// For each query the numbers of the items that it finds.
    package static let rows: [(query: String, found: [Int])] = [
        ("", [0, 1, 2, 3, 4, 5, 6, 7]), ("roof", [0, 1, 2, 5]), ("ROOF", [0, 1, 2, 5]),
        ("gorlitz", [1]), ("GÖRLITZ", [1]), ("house", [0, 4]), ("phone call", [0]), ("rfr", []),
        ("\"the roof\"", [0, 1, 5]), ("-roof", [3, 4, 6, 7]), ("NOT roof book", []),
        ("+House", [0]), ("+house/", [0, 4]), ("#house/bath", [4]), ("#book OR @phone", [0, 5]),
        ("is:done", [2]), ("is:open roof", [0, 1, 5]), ("is:untagged is:noted", [1]),
        ("priority:A", [0]), ("priority:A..C", [0, 4]), ("priority:none roof", [1, 2, 5]),
        ("prio:A", [3]), ("due:2026-12-01", [0]), ("due:2026-11..2026-12", [0, 6]),
        ("due:none -is:untagged", [4, 5]), ("scheduled:2023-11-01", [3]),
        ("(roof OR tiles) -is:done", [0, 1, 4, 5]), ("(roof)(call)", [0]), ("x(y)", [6]),
        (":)", [6]), ("10:30", [7]), ("^roof", []), ("'roof", []), ("roof$", []), ("!roof", []),
        ("done:2023-11-14", [2]), ("-+house/ -is:done roof", [1, 5]), ("“the", [5]),
    ]
}
