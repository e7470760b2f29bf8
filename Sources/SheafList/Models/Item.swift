import FoundationEssentials
import Swidux

/// One entry of the list.
package struct Item: Identifiable, Hashable, Sendable, Ranked {
    package let id: UUID
    // The order of the properties saves memory, because a list may have a million items. The first
    // properties take eight bytes each. `doneAt` takes nine bytes and the rest 13, which together
    // fit into three words.
    private(set) var texts = ItemTexts()
    /// The ids of the item's tags. A set, because the ranks of the tags determine their display
    /// order.
    package var tags: Set<Tag.ID> = []
    /// Data of an import that no field holds. An export writes it in this order.
    package var extras: [Extra] = []
    package var rank = Rank.middle
    package var createdAt = Timestamp.zero
    package var updatedAt = Timestamp.zero
    /// The time when the item was marked done, or nil if it is open.
    package var doneAt: Timestamp?
    /// The priority, or nil if it has none.
    package var priority: Priority?
    /// The day by which the item is due.
    package var due: CalendarDay?
    /// The day until which the item is hidden: the `t:` of a todo.txt.
    package var scheduled: CalendarDay?
    /// The recurrence rule of the item: see ``next(today:now:rank:)``.
    package var `repeat`: Repeat?

    /// The spelling of the day of the month that a recurrence keeps while the item's date has
    /// another one, such as 31 on 28 February. It is `recday:` in a todo.txt.
    package static let dayOfMonthSpelling = Field<Item>.Spelling(
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

    /// The spelling of the recurrence rule without the kept day of the month. It is `rec:` in a
    /// todo.txt.
    package static let ruleSpelling = Field<Item>.Spelling(
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

    /// The item's name. Its bytes are kept, including control characters; views sanitize the text
    /// that they draw.
    package var name: String {
        get { texts.name }
        set { texts.name = newValue }
    }

    /// Free text of any length; may be empty.
    package var note: String {
        get { texts.note }
        set { texts.note = newValue }
    }

    /// All properties except the id, each once. Texts that yield in a merge are added to the note
    /// in this order.
    package static let fields: [Field<Item>] = [
        .text("name", .keepingText, get: { $0.name }, set: { $0.name = $1 }),
        .tags("tags", get: { $0.tags }, set: { $0.tags = $1 }),
        .optionalTime("doneAt", .mine, get: { $0.doneAt }, set: { $0.doneAt = $1 }),
        .rank(),
        .time("createdAt", .minimum, get: { $0.createdAt }, set: { $0.createdAt = $1 }),
        .time("updatedAt", .maximum, get: { $0.updatedAt }, set: { $0.updatedAt = $1 }),
        .pairs("extras", .keepingText, get: { $0.extras }, set: { $0.extras = $1 }),
        .text("note", .keepingText, get: { $0.note }, set: { $0.note = $1 }),
        .optionalWord("due", .keepingText, get: { $0.due }, set: { $0.due = $1 }),
        .optionalWord("scheduled", .keepingText, get: { $0.scheduled }, set: { $0.scheduled = $1 }),
        .optionalWord("repeat", .keepingText, get: { $0.repeat }, set: { $0.repeat = $1 }),
        .optionalWord("priority", .keepingText, get: { $0.priority }, set: { $0.priority = $1 }),
    ]

    /// A key and value from an import. Keys may repeat.
    package struct Extra: Hashable, Sendable {
        package var key: String
        package var value: String

        /// The key of the heading above the item in a Markdown file: `## Garden`.
        package static let headingKey = "markdown-heading"
        /// The key of the tags at the beginning of the item's line in a Markdown file:
        /// `#task #home`.
        package static let firstTagsKey = "markdown-tags"
        /// The key of the line in a todo.txt file, if Sheaf would have written it differently.
        package static let todoLineKey = "todo.txt"

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Creates an item with an id and default values.
    package init(id: UUID) { self.id = id }

    package init(
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

    package var isDone: Bool { doneAt != nil }

    /// The time when the item was marked done, or nil if it is open or if that time is unknown, as
    /// in the line `x Buy nails` of an import. ``Timestamp/unknown`` stands for an unknown time.
    package var knownDoneAt: Timestamp? { doneAt == .unknown ? nil : doneAt }

    /// Sets ``updatedAt`` to `now`. If the previous time is later, as an imported date may be, sets
    /// it to the next moment after that time.
    package mutating func touch(at now: Timestamp) {
        let previous = LocalCalendar.system.moment(updatedAt)
        updatedAt = previous > now ? previous.next : now
    }
}

/// The position of an item in the list. It also serves as the cursor between pages of items.
package typealias ItemPosition = Position<Item.ID>

extension ItemPosition {
    /// Returns the columns of a position in a table, for a row comparison: `rank, id`.
    ///
    /// - Parameter table: the name of the table in the statement, or nil if there is only one.
    package static func columns(of table: String? = nil) -> String {
        let prefix = table.map { "\($0)." } ?? ""
        return "\(prefix)rank, \(prefix)id"
    }

    /// Returns the `ORDER BY` clause for rows in order of their positions.
    package static func order(of table: String? = nil, isBackward: Bool = false) -> String {
        let prefix = table.map { "\($0)." } ?? ""
        let direction = isBackward ? " DESC" : ""
        return "ORDER BY \(prefix)rank\(direction), \(prefix)id\(direction)"
    }
}
