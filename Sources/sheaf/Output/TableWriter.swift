import FoundationEssentials
import Glibc
import SheafCore
import SheafTUI
import Terminal

/// Prints items as a table: short id, state, priority, name, tags, when it is due, age. What no
/// item of the first page has, has no column.
///
/// Pages come one at a time, so the first one decides the widths of the columns. On a terminal what
/// does not fit is cut; elsewhere a longer name pushes its row to the right. Nothing that is
/// printed can be a control sequence.
struct TableWriter {
    /// What the table is printed on.
    struct Look {
        /// The columns of the terminal, or nil where rows may be of any length.
        var columns: Int?
        var isColored: Bool

        /// A terminal with its width, in colour unless `NO_COLOR` is set; anything else without
        /// either.
        static func ofStandardOutput(
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) -> Look {
            guard FileOutput.isTerminal else { return Look(columns: nil, isColored: false) }
            var size = winsize()
            let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            return Look(
                columns: isKnown ? Int(size.ws_col) : 80,
                isColored: !refusesColor && environment["TERM"] != "dumb")
        }

        /// `text` in the graphic rendition `code`, unless there is no colour.
        func painted(_ text: some StringProtocol, _ code: String) -> String {
            isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : String(text)
        }
    }

    private struct Row {
        var item: Item
        var name: String
        var tags: [(text: String, color: TagColor)]
        /// Of an item that is not done.
        var due: String?

        var tagColumns: Int {
            tags.reduce(max(tags.count - 1, 0)) { $0 + DisplayText.width(of: $1.text) }
        }
    }

    private struct Widths {
        /// As many characters of the ids as tell the first page's items apart.
        var id: Int
        var name: Int
        var tags: Int
        var priority: Int
        var due: Int
    }

    /// Everything of a row but id, name and tags: the state, the age, and what is between the
    /// columns.
    private static let fixedColumns = 2 + 1 + 1 + 2 + 2 + ageColumns
    private static let ageColumns = 5

    /// Names have so many columns before other things do.
    private static let nameColumns = 30

    private let tags: [Tag]
    private let sort: ItemSort
    private let look: Look
    private let output: FileOutput
    private let moment = Moment.now
    private let today = CalendarDay.today
    private var widths: Widths?

    /// - Parameters:
    ///   - tags: all tags of the list, in their order.
    ///   - sort: the time that the items are sorted by is the one whose age is printed.
    init(tags: [Tag], sortedBy sort: ItemSort, look: Look, output: FileOutput) {
        self.tags = tags
        self.sort = sort
        self.look = look
        self.output = output
    }

    /// Prints `items` below those before.
    mutating func write(_ items: [Item]) throws {
        let rows = items.map(row)
        let widths = self.widths ?? fittingWidths(for: rows)
        self.widths = widths
        try output.write(rows.map { line($0, widths) }.joined())
    }

    private func row(_ item: Item) -> Row {
        Row(
            item: item, name: DisplayText.sanitized(item.name),
            tags: item.tags.isEmpty
                ? []
                : tags.filter { item.tags.contains($0.id) }
                    .map { (DisplayText.sanitized($0.label), $0.color) },
            due: item.isDone ? nil : item.due?.dueWord(today: today))
    }

    private func fittingWidths(for rows: [Row]) -> Widths {
        let id = IDPrefix.distinctLength(of: rows.map(\.item.id))
        let name = rows.map { DisplayText.width(of: $0.name) }.max() ?? 0
        let tags = rows.map(\.tagColumns).max() ?? 0
        var priority = rows.contains { $0.item.priority != nil } ? 2 : 0
        var due = rows.compactMap { $0.due.map { $0.count + 2 } }.max() ?? 0
        guard let columns = look.columns else {
            return Widths(
                id: id, name: min(name, 60), tags: min(tags, 30), priority: priority, due: due)
        }
        var room = max(columns - id - Self.fixedColumns, 2)
        // They give way before names do.
        if room - priority - due < min(name, Self.nameColumns) { (priority, due) = (0, 0) }
        room -= priority + due
        let tagColumns = min(tags, max(room * 2 / 5, room - name))
        return Widths(
            id: id, name: min(name, room - tagColumns), tags: tagColumns, priority: priority,
            due: due)
    }

    private func line(_ row: Row, _ widths: Widths) -> String {
        let isCut = look.columns != nil
        let name = isCut ? DisplayText.truncated(row.name, to: widths.name) : row.name
        let age = age(of: row.item)
        let cells = [
            look.painted(row.item.id.uuidString.lowercased().prefix(widths.id), "2"), "  ",
            row.item.isDone ? look.painted("✓", "32") : "○", " ",
            priorityText(row.item.priority, widths.priority),
            row.item.isDone ? look.painted(name, "2") : name,
            padding(widths.name - DisplayText.width(of: name) + 2),
            tagText(row.tags, columns: isCut ? widths.tags : .max, padded: widths.tags),
            dueText(row, widths.due),
            "  ", padding(Self.ageColumns - age.count), look.painted(age, "2"), "\n",
        ]
        return cells.joined()
    }

    private func age(of item: Item) -> String {
        switch sort {
        case .created: moment.age(of: item.createdAt)
        case .done: item.doneAt.map(moment.age) ?? ""
        case .manual, .match, .name, .changed, .tag, .due, .priority:
            moment.age(of: item.updatedAt)
        }
    }

    private func priorityText(_ priority: Priority?, _ columns: Int) -> String {
        guard let priority, columns > 0 else { return padding(columns) }
        return look.painted("\(priority)", "1") + " "
    }

    /// When it is due, in colour only where that is today or past.
    private func dueText(_ row: Row, _ columns: Int) -> String {
        guard let due = row.due, columns > 0 else { return padding(columns) }
        let isUrgent = row.item.due.map { $0 <= today } ?? false
        let text = isUrgent ? look.painted(due, row.item.due == today ? "33" : "31") : due
        return padding(columns - due.count) + text
    }

    /// The tags in their colours, in at most `columns` columns and at least `padded`.
    private func tagText(
        _ tags: [(text: String, color: TagColor)], columns: Int, padded: Int
    ) -> String {
        var text = ""
        var used = 0
        for (index, tag) in tags.enumerated() {
            let gap = index == 0 ? 0 : 1
            let room = columns - used - gap
            guard room >= 2 else { break }
            let shown = DisplayText.truncated(tag.text, to: room)
            text += padding(gap) + look.painted(shown, tag.color.graphicRendition)
            used += gap + DisplayText.width(of: shown)
        }
        return text + padding(padded - used)
    }

    private func padding(_ columns: Int) -> String {
        String(repeating: " ", count: max(columns, 0))
    }
}

extension TagColor {
    /// The number of ECMA-48's "select graphic rendition" for a foreground.
    var graphicRendition: String {
        switch self {
        case .red: "31"
        case .green: "32"
        case .yellow: "33"
        case .blue: "34"
        case .magenta: "35"
        case .cyan: "36"
        case .white: "37"
        }
    }
}
