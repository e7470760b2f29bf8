import Swidux

/// An order of items. Those that are equal in it stand in manual order, and those that have nothing
/// to be sorted by stand last in both directions.
public struct ItemOrder: Hashable, Sendable {
    public internal(set) var sort = ItemSort.manual
    var isReversed = false
    /// The places of the tags, if items are sorted by tag.
    package var tagPlaces: [Tag.ID: Int] = [:]
    /// The milliseconds from midnight UTC to the beginning of the user's today, if items are sorted
    /// by a time. A day without a time stands there among moments: exactly, or an hour off in the
    /// other half of the year.
    var dayShift: Int64 = 0

    package static let manual = ItemOrder(sort: .manual)

    package init(
        sort: ItemSort, isReversed: Bool = false, tagPlaces: [Tag.ID: Int] = [:],
        dayShift: Int64 = 0
    ) {
        self.sort = sort
        self.isReversed = isReversed
        self.tagPlaces = tagPlaces
        self.dayShift = dayShift
    }

    /// The number that items are sorted by, ascending, unless they are sorted by name.
    func number(of item: Item) -> UInt64 {
        UInt64(bitPattern: signedNumber(of: item)) ^ 1 << 63
    }

    private func signedNumber(of item: Item) -> Int64 {
        switch sort {
        case .manual, .match, .name: 0
        case .created: number(of: item.createdAt)
        case .changed: number(of: item.updatedAt)
        case .done: item.doneAt.map(number) ?? .max
        case .tag: item.tags.lazy.compactMap { tagPlaces[$0] }.min().map(ascending) ?? .max
        case .due: item.due.map { ascending($0.sortNumber) } ?? .max
        case .priority: item.priority.map { ascending(Int($0.rawValue)) } ?? .max
        }
    }

    private func ascending(_ number: Int) -> Int64 { Int64(isReversed ? ~number : number) }

    private func number(of time: Timestamp) -> Int64 {
        let number = time.isDay ? time.milliseconds &+ dayShift : time.milliseconds
        return isReversed ? number : ~number
    }
}

extension ItemOrder {
    /// - Parameters:
    ///   - tags: all tags of the list, in their order, which sorting by tag follows.
    ///   - now: the present, for sorting by a time: days without a time begin as the present day
    ///     does in `calendar`.
    public init(
        _ sort: ItemSort, isReversed: Bool = false, tags: [Tag] = [],
        now: Timestamp = .now, calendar: LocalCalendar = .system
    ) {
        let places = sort == .tag ? tags.enumerated().map { ($1.id, $0) } : []
        self.init(
            sort: sort, isReversed: isReversed,
            tagPlaces: Dictionary(places, uniquingKeysWith: { first, _ in first }),
            dayShift: sort.isTime ? calendar.shift(of: calendar.day(now)) : 0)
    }

    /// True if it is the order in which storage returns items.
    public var isManual: Bool { self == .manual }

    /// True if an item's tags decide where it stands: a query may look for them.
    public var needsTags: Bool { sort == .tag || sort == .match }
}
