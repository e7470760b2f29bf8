/// One row of the table: an operation under Swidux and, if it exists there, under the textbook
/// design.
@MainActor
struct Case {
    let name: String
    var budget = Budget()
    let workloads: (Fixture) -> [Workload]

    static let all = edits + sends + reads + bulk + logs
}

/// The budgets for a row. A property is `nil` if there is no such budget.
struct Budget {
    /// The maximum time in nanoseconds at the greatest size.
    var limit: Double?
    /// The maximum ratio of the time at the greatest size to the time at the smallest size.
    var growth: Double?
    /// The minimum ratio of the textbook design's time to Swidux's time, at 100,000 entries.
    var ratio: Double?
    /// The maximum ratio of the time to the time of the same edit without `Store.send`, at the
    /// greatest size.
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
