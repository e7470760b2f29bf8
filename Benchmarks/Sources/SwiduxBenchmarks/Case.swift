/// One row of the table: an operation under Swidux and, where it has one, under the textbook
/// design.
@MainActor
struct Case {
    let name: String
    var budget = Budget()
    let workloads: (Fixture) -> [Workload]

    static let all = edits + sends + reads + bulk + logs
}

/// The budget of a row in DESIGN; nil for none.
struct Budget {
    /// Nanoseconds at the greatest size.
    var limit: Double?
    /// How many times slower than at the least size it may be at the greatest.
    var growth: Double?
    /// How many times faster than the textbook design at 100,000.
    var ratio: Double?
    /// How many times slower than the bare edit, in the same run, at the greatest size.
    var overBare: Double?

    // The pipeline holds a copy of the store, so each edit copies a small part of it.
    static let edit = Budget(limit: 150_000, growth: 8, ratio: 300)
    static let move = Budget(limit: 150_000, growth: 15, ratio: 300)
    static let sentEdit = Budget(limit: 300_000, overBare: 2)
    static let sentMove = Budget(limit: 300_000, overBare: 2)
    static let travel = Budget(limit: 300_000)
    static let view = Budget(limit: 250_000)
    static let read = Budget(limit: 10_000)
    static let log = Budget(limit: 30_000)
}
