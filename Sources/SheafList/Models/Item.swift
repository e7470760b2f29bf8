import FoundationEssentials
import Swidux

/// One entry of the list.
public struct Item: Identifiable, Hashable, Sendable, Ranked {
    public let id: UUID
    // So that a million lie in memory: eight bytes each, and after them nine of `doneAt` beside 13
    // of four that need no word of their own.
    private(set) var texts = ItemTexts()
    /// The ids of the item's tags. A set: the tags' own order decides how they are shown.
    public var tags: Set<Tag.ID> = []
    /// What an import brought and no field holds; an export gives it back in this order.
    public var extras: [Extra] = []
    public var rank = Rank.middle
    public var createdAt = Timestamp.zero
    public var updatedAt = Timestamp.zero
    /// When the item was marked done, or nil while it is not.
    public var doneAt: Timestamp?
    /// How much it matters, or nil if that is not said.
    public var priority: Priority?
    /// The day until which it is to be done.
    public var due: CalendarDay?
    /// The day until which it can wait, out of sight: the `t:` of a todo.txt.
    public var scheduled: CalendarDay?
    /// After how long it comes again once it is done: see ``next(today:now:rank:)``.
    public var `repeat`: Repeat?

    /// The day of the month that a repeat keeps, as the `recday:` of a todo.txt has it, while the
    /// item's date has another one.
    public static let dayOfMonthSpelling = Field<Item>.Spelling(
        get: { $0.repeat?.dayOfMonth.map { "\($0)" } },
        set: { item, text in
            guard let text else {
                item.repeat?.dayOfMonth = nil
                return true
            }
            guard let rule = item.repeat, let kept = Repeat("\(rule)@\(text)") else { return false }
            item.repeat = kept
            return true
        },
        unreadable: .ignored)

    /// The rule of a repeat without that day, as the `rec:` of a todo.txt has it.
    public static let ruleSpelling = Field<Item>.Spelling(
        get: { item in
            var rule = item.repeat
            rule?.dayOfMonth = nil
            return rule?.description
        },
        set: { item, text in
            let rule = text.flatMap(Repeat.init)
            guard rule == nil ? text == nil : rule?.dayOfMonth == nil else { return false }
            item.repeat = rule
            return true
        },
        unreadable: .ignored)

    /// The entry's text. Kept byte for byte, control characters included; views sanitize what they
    /// draw.
    public var name: String {
        get { texts.name }
        set { texts.name = newValue }
    }

    /// Free text of any length, or empty.
    public var note: String {
        get { texts.note }
        set { texts.note = newValue }
    }

    /// Each property but the id, once. Texts that yield in a merge go to the note in this order.
    public static let fields: [Field<Item>] = [
        .text("name", .keepingText, get: { $0.name }, set: { $0.name = $1 }),
        .tags("tags", get: { $0.tags }, set: { $0.tags = $1 }),
        .optionalTime("doneAt", .mine, get: { $0.doneAt }, set: { $0.doneAt = $1 }),
        .rank(),
        .time("createdAt", .least, get: { $0.createdAt }, set: { $0.createdAt = $1 }),
        .time("updatedAt", .greatest, get: { $0.updatedAt }, set: { $0.updatedAt = $1 }),
        .pairs("extras", .keepingText, get: { $0.extras }, set: { $0.extras = $1 }),
        .text("note", .keepingText, get: { $0.note }, set: { $0.note = $1 }),
        .optionalWord("due", .keepingText, get: { $0.due }, set: { $0.due = $1 }),
        .optionalWord("scheduled", .keepingText, get: { $0.scheduled }, set: { $0.scheduled = $1 }),
        .optionalWord("repeat", .keepingText, get: { $0.repeat }, set: { $0.repeat = $1 }),
        .optionalWord("priority", .keepingText, get: { $0.priority }, set: { $0.priority = $1 }),
    ]

    /// One key and value that an import brought. Keys may repeat.
    public struct Extra: Hashable, Sendable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// An item of which nothing is known but its id: every field has its default.
    public init(id: UUID) { self.id = id }

    public init(
        id: UUID,
        name: String,
        note: String = "",
        tags: Set<Tag.ID> = [],
        doneAt: Timestamp? = nil,
        due: CalendarDay? = nil,
        scheduled: CalendarDay? = nil,
        repeat: Repeat? = nil,
        priority: Priority? = nil,
        rank: Rank,
        createdAt: Timestamp,
        updatedAt: Timestamp? = nil,
        extras: [Extra] = []
    ) {
        self.id = id
        texts = ItemTexts(name: name, note: note)
        self.tags = tags
        self.doneAt = doneAt
        self.due = due
        self.scheduled = scheduled
        self.repeat = `repeat`
        self.priority = priority
        self.rank = rank
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.extras = extras
    }

    public var isDone: Bool { doneAt != nil }

    /// Sets ``updatedAt`` to `now`, or just after the previous time if that lies ahead, as that of
    /// a day without a time does east of Greenwich.
    public mutating func touch(at now: Timestamp) {
        updatedAt = updatedAt > now ? updatedAt.next : now
    }
}

/// Where an item stands in the list. A page of items ends at one, and the next begins after it.
public typealias ItemPosition = Position<Item.ID>

extension ItemPosition {
    /// The columns of a position in a table, for a comparison of rows: `rank, id`.
    ///
    /// - Parameter table: the name of the table in the statement, or nil for the only one.
    package static func columns(of table: String? = nil) -> String {
        let prefix = table.map { "\($0)." } ?? ""
        return "\(prefix)rank, \(prefix)id"
    }

    /// The `ORDER BY` clause for rows in the order of their positions.
    package static func order(of table: String? = nil, isBackward: Bool = false) -> String {
        let prefix = table.map { "\($0)." } ?? ""
        let direction = isBackward ? " DESC" : ""
        return "ORDER BY \(prefix)rank\(direction), \(prefix)id\(direction)"
    }
}
