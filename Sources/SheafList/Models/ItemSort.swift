/// The sort keys of a list.
package enum ItemSort: String, CaseIterable, Hashable, Codable, Sendable {
    /// The order that the user arranges by hand.
    case manual
    /// The best matches of a query first.
    case match
    case name
    /// The newest first.
    case created, changed, done
    /// By the first tag of each item, in the order of the tags.
    case tag
    /// The earliest first, the most important first.
    case due, priority

    /// The name for menus and messages.
    package var title: String {
        switch self {
        case .manual: "manual order"
        case .match: "best match"
        case .name: "name"
        case .created: "created"
        case .changed: "changed"
        case .done: "done"
        case .tag: "tag"
        case .due: "due"
        case .priority: "priority"
        }
    }

    /// True if it sorts by a time of the items.
    package var isTime: Bool {
        switch self {
        case .created, .changed, .done: true
        case .manual, .match, .name, .tag, .due, .priority: false
        }
    }
}

extension Item {
    /// Returns the time by which a list is sorted, or nil if the item has no such time or `sort` is
    /// not by a time.
    package func time(for sort: ItemSort) -> Timestamp? {
        switch sort {
        case .created: createdAt
        case .changed: updatedAt
        case .done: knownDoneAt
        case .manual, .match, .name, .tag, .due, .priority: nil
        }
    }
}
