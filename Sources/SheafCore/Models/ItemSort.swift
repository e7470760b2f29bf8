/// What a list can be sorted by.
public enum ItemSort: String, CaseIterable, Hashable, Sendable {
    /// The order that the user decides.
    case manual
    /// The best matches of a query first.
    case match
    case name
    /// The newest first.
    case created, changed, done
    /// By the first tag of each item, in the order of the tags.
    case tag
}
