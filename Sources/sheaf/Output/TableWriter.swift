import FoundationEssentials
import Glibc
import SheafList
import SheafTUI
import Terminal

/// A writer that prints items as a table: short id, state, priority, name, tags, due day, and the
/// time by which they are sorted. A column is omitted if it is empty for all items of the first
/// page.
///
/// Pages arrive one at a time, so the first page determines the widths of the columns. On a
/// terminal, texts that do not fit are cut. Elsewhere, a longer name moves the rest of its row to
/// the right. The output contains no control sequences from the items.
struct TableWriter {
    /// The properties of the output of the table.
    struct TerminalTraits {
        /// The columns of the terminal, or `nil` if rows may have any length.
        var columns: Int?
        /// The number of colors, or 0 for plain text.
        var colors: Int

        /// Returns the traits of standard output. A terminal has its width and its colors, but no
        /// colors if `NO_COLOR` is set. Other outputs have neither.
        static func ofStandardOutput(
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) -> TerminalTraits {
            guard FileOutput.isTerminal else { return TerminalTraits(columns: nil, colors: 0) }
            var size = winsize()
            let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            let term = environment["TERM"] ?? ""
            let hasMany =
                term.contains("256color") || environment["COLORTERM"].map { !$0.isEmpty } ?? false
            return TerminalTraits(
                columns: isKnown ? Int(size.ws_col) : 80,
                colors: refusesColor || term == "dumb" ? 0 : hasMany ? 256 : 8)
        }

        /// Returns `text` in `style`, or plain text without colors.
        func styled(_ text: some StringProtocol, _ style: Style) -> String {
            guard colors > 0, let code = style.graphicRendition(colors: colors) else {
                return String(text)
            }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }
    }

    private struct Row {
        var item: Item
        var name: String
        var tags: [(text: String, color: TagColor)]
        /// The due day of an item that is not done.
        var due: String?
        /// The time by which the items are sorted.
        var time: String?

        var tagColumns: Int {
            tags.reduce(max(tags.count - 1, 0)) { $0 + DisplayText.width(of: $1.text) }
        }
    }

    private struct Widths {
        /// The number of id characters that distinguish the items of the first page.
        var id: Int
        var name: Int
        var tags: Int
        var priority: Int
        var due: Int
        var time: Int
    }

    /// The columns of a row except id, name, tags and dates: the state, and the gaps between
    /// columns.
    private static let fixedColumns = 2 + 1 + 1 + 2

    /// The columns of the name that have priority over other columns.
    private static let nameColumns = 30

    private let tags: [Tag]
    private let sort: ItemSort
    private let hasHeadings: Bool
    private let terminal: TerminalTraits
    private let output: FileOutput
    private let moment = Moment.now
    private let today = CalendarDay.today
    private var widths: Widths?
    /// The heading of the last row.
    private var heading: DayHeading?

    /// - Parameters:
    ///   - tags: all tags of the list, in their order.
    ///   - sort: the sort order. Its time is printed.
    ///   - hasHeadings: true for headings above the days of a sort by date.
    init(
        tags: [Tag], sortedBy sort: ItemSort, hasHeadings: Bool = false, terminal: TerminalTraits,
        output: FileOutput
    ) {
        self.tags = tags
        self.sort = sort
        self.hasHeadings = hasHeadings
        self.terminal = terminal
        self.output = output
    }

    /// Prints `items` below the earlier ones.
    mutating func write(_ items: [Item]) throws {
        let rows = items.map(row)
        let isFirst = self.widths == nil
        let widths = self.widths ?? fittingWidths(for: rows)
        self.widths = widths
        if isFirst, !rows.isEmpty { try output.enqueue(self.heading(widths)) }
        try output.enqueue(rows.map { dayHeading($0.item) + line($0, widths) }.joined())
    }

    /// Returns the heading above `item` with its line break, or an empty text if the row above has
    /// the same heading.
    private mutating func dayHeading(_ item: Item) -> String {
        guard hasHeadings,
            let next = DayHeading(
                of: item, sortedBy: sort, today: today, calendar: moment.calendar),
            next != heading
        else { return "" }
        heading = next
        return terminal.styled(next.title, next == .late ? Theme.alert : Theme.title) + "\n"
    }

    private func row(_ item: Item) -> Row {
        Row(
            item: item, name: DisplayText.sanitized(item.name),
            tags: item.tags.isEmpty
                ? []
                : tags.filter { item.tags.contains($0.id) }
                    .map { (DisplayText.sanitized($0.label), $0.color) },
            due: item.isDone ? nil : item.due.map(text),
            time: item.time(for: sort).map { text(moment.day(of: $0)) })
    }

    /// Returns a day in words, or the full date if a program may read it.
    private func text(_ day: CalendarDay) -> String {
        terminal.columns == nil ? "\(day)" : day.word(today: today)
    }

    private func fittingWidths(for rows: [Row]) -> Widths {
        let id = IDPrefix.distinctLength(of: rows.map(\.item.id))
        // The name column must also have room for its heading.
        let name = max(rows.map { DisplayText.width(of: $0.name) }.max() ?? 0, 4)
        let maxTags = rows.map(\.tagColumns).max() ?? 0
        let tags = maxTags > 0 ? max(maxTags, 4) : 0
        var priority = rows.contains { $0.item.priority != nil } ? 2 : 0
        var due = rows.compactMap { $0.due.map { max($0.count, 3) + 2 } }.max() ?? 0
        var time =
            rows.compactMap { $0.time.map { max($0.count, sort.title.count) + 2 } }.max() ?? 0
        guard let columns = terminal.columns else {
            return Widths(
                id: id, name: min(name, 60), tags: min(tags, 30), priority: priority, due: due,
                time: time)
        }
        var room = max(columns - id - Self.fixedColumns, 2)
        // The date columns are omitted before the name is shortened.
        if room - priority - due - time < min(name, Self.nameColumns) {
            (priority, due, time) = (0, 0, 0)
        }
        room -= priority + due + time
        let tagColumns = min(tags, max(room * 2 / 5, room - name))
        return Widths(
            id: id, name: min(name, room - tagColumns), tags: tagColumns, priority: priority,
            due: due, time: time)
    }

    /// Returns the line of headings above the rows.
    private func heading(_ widths: Widths) -> String {
        func right(_ text: String, _ columns: Int) -> String {
            columns > 0 ? padding(columns - text.count) + text : ""
        }
        let line = [
            left("id", widths.id), "    ", left("", widths.priority), left("name", widths.name),
            "  ",
            left("tags", widths.tags), right("due", widths.due), right(sort.title, widths.time),
        ].joined()
        return terminal.styled(line.trimmedEnd, Theme.dim) + "\n"
    }

    /// Returns `text` in a column of this width, cut if it is longer.
    private func left(_ text: String, _ columns: Int) -> String {
        text.prefix(columns) + padding(columns - text.count)
    }

    private func line(_ row: Row, _ widths: Widths) -> String {
        let isCut = terminal.columns != nil
        let name = isCut ? DisplayText.truncated(row.name, to: widths.name) : row.name
        let cells = [
            terminal.styled(row.item.id.uuidString.lowercased().prefix(widths.id), Theme.dim), "  ",
            row.item.isDone ? terminal.styled("✓", Theme.good) : "○", " ",
            priorityText(row.item.priority, widths.priority),
            row.item.isDone ? terminal.styled(name, Theme.dim) : name,
            padding(max(widths.name - DisplayText.width(of: name), 0) + 2),
            tagText(row.tags, columns: isCut ? widths.tags : .max, padded: widths.tags),
            dueText(row, widths.due), timeText(row.time ?? "", widths.time),
        ]
        return cells.joined().trimmedEnd + "\n"
    }

    private func timeText(_ time: String, _ columns: Int) -> String {
        columns > 0 ? padding(columns - time.count) + terminal.styled(time, Theme.dim) : ""
    }

    private func priorityText(_ priority: Priority?, _ columns: Int) -> String {
        guard let priority, columns > 0 else { return padding(columns) }
        return terminal.styled("\(priority)", Theme.priority(priority)) + " "
    }

    private func dueText(_ row: Row, _ columns: Int) -> String {
        guard let due = row.due, columns > 0 else { return padding(columns) }
        let style = row.item.due.map { Theme.due($0, today: today) } ?? Theme.text
        return padding(columns - due.count) + terminal.styled(due, style)
    }

    /// Returns the tags in their colors, in at most `columns` columns and padded to `padded`.
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
            text += padding(gap) + terminal.styled(shown, Theme.tag(tag.color))
            used += gap + DisplayText.width(of: shown)
        }
        return text + padding(padded - used)
    }
}

/// Returns spaces for a number of columns. Empty if the number is negative.
func padding(_ columns: Int) -> String {
    String(repeating: " ", count: max(columns, 0))
}

extension String {
    /// Returns the text, followed by spaces up to a number of columns.
    func padded(to columns: Int) -> String {
        self + padding(columns - DisplayText.width(of: self))
    }

    /// Returns the text without spaces at its end.
    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.hasSuffix(" ") { text.removeLast() }
        return String(text)
    }
}
