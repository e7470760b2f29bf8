import SheafApp
import Terminal

/// The text of the inspector about an item, as lines of a given number of columns.
struct InspectorText {
    /// The maximum number of bytes shown of a name, a note or an extra. It is enough to read, and
    /// small enough to lay out without a noticeable delay.
    static let maxBytes = 1 << 14

    private(set) var lines: [[StyledText]] = []
    private let columns: Int
    /// The maximum number of lines.
    private let limit: Int

    private var isFull: Bool { lines.count >= limit }

    /// Lays out the first `limit` lines about `item`. O(columns × limit), and at most
    /// O(``maxBytes``).
    init(_ item: Item, _ state: AppState, columns: Int, limit: Int = .max, at moment: Moment) {
        self.columns = max(columns, 1)
        self.limit = limit
        add(item.name, style: Theme.strong)
        addTags(state.tags(of: item))
        addNote(item.note)
        addGap()
        for field in item.described(on: state.today) { add(field.label, field.text) }
        add("created", moment.full(item.createdAt))
        add("changed", moment.full(item.updatedAt))
        if let author = state.authors.author(of: item) {
            add("by", "\(author.name), \(moment.full(author.at))")
        }
        if item.isDone { add("done", item.knownDoneAt.map(moment.full) ?? "on an unknown day") }
        add("id", String(item.id.uuidString.lowercased().prefix(8)))
        for extra in item.extras where !isFull {
            add(Self.beginning(of: extra.key).text, extra.value)
        }
        addSaving(of: item, state)
    }

    private mutating func add(_ pieces: [StyledText], hanging: Int = 0) {
        guard !isFull else { return }
        lines += pieces.wrapped(to: columns, hanging: hanging, limit: limit - lines.count)
    }

    private mutating func add(_ text: String, style: Style) {
        let (beginning, rest) = Self.beginning(of: text)
        add([StyledText(text: beginning, style: style)])
        addRest(rest)
    }

    /// Adds a line with a label before the text.
    private mutating func add(_ label: String, _ text: String) {
        let (beginning, rest) = Self.beginning(of: text)
        let width = max(8, DisplayText.width(of: label) + 1)
        let gap = String(repeating: " ", count: width - DisplayText.width(of: label))
        add(
            [StyledText(text: label + gap, style: Theme.dim), StyledText(text: beginning)],
            hanging: width)
        addRest(rest)
    }

    /// Adds a blank line, unless the last line is blank.
    private mutating func addGap() {
        if lines.last?.isEmpty == false { add([]) }
    }

    private mutating func addTags(_ tags: [Tag]) {
        guard !tags.isEmpty else { return }
        // A line holds at most half as many tags as it has columns, so these tags fill the lines.
        let most = tags.prefix(min(limit, Self.maxBytes / columns) * columns)
        add(
            most.flatMap {
                [
                    StyledText(
                        text: $0.label, style: Style(foreground: Theme.color($0.color))),
                    StyledText(text: " "),
                ]
            }.dropLast())
    }

    private mutating func addNote(_ note: String) {
        guard !note.isEmpty else { return }
        addGap()
        let (beginning, rest) = Self.beginning(of: note)
        var markdown = PlainMarkdown()
        for line in beginning.lines {
            guard !isFull else { return }
            let line = line.utf8.last == 0x0D ? Substring(line.utf8.dropLast()) : line
            if let shown = markdown.line(line) { add(shown.pieces, hanging: shown.hanging) }
        }
        addRest(rest)
    }

    /// Adds a line that states the number of omitted bytes, if any.
    private mutating func addRest(_ bytes: Int) {
        guard bytes > 0 else { return }
        add([StyledText(text: "… and \(bytes.grouped) more bytes", style: Theme.waiting)])
    }

    /// Adds a line with the state of saving of the item, in the words of the status line. The line
    /// is always present, so that the other lines do not move.
    private mutating func addSaving(of item: Item, _ state: AppState) {
        if let refusal = state.saving.refused.first(where: { $0.id == AnyID(item.id) }) {
            return add([StyledText(text: "! not saved: \(refusal.reason)", style: Theme.alert)])
        }
        let line =
            switch state.visibleSaveStates.inspected {
            case .pending where state.saving.phase == .failing:
                StyledText(
                    text: "! not saved: \(state.saving.reasonNotSaved ?? "storage failed")",
                    style: Theme.alert)
            case .pending: StyledText(text: "● unsaved", style: Theme.waiting)
            case .inFlight: StyledText(text: "↻ saving", style: Theme.busy)
            case .committed, .refused: StyledText(text: "✓ saved", style: Theme.good)
            }
        add([line])
    }

    /// Returns the part of `text` that is shown, and the number of omitted bytes.
    private static func beginning(of text: String) -> (text: String, rest: Int) {
        let count = text.utf8.count
        guard count > maxBytes else { return (text, 0) }
        let beginning = text[..<text.utf8.index(text.startIndex, offsetBy: maxBytes)]
        return (String(beginning), count - beginning.utf8.count)
    }
}

extension InspectorText {
    /// Returns the region of the text in the inspector.
    static func region(in panel: Layout.List) -> Rect { panel.rows.inset(left: 1, right: 1) }

    /// Returns the last line that can be at the top, at most `rows` lines below the current top.
    /// Returns 0 if no item is inspected. Lays out no more lines than this requires.
    static func lastTop(of state: AppState, scrolledBy rows: Int) -> Int {
        guard let panel = Layout(state).inspector, let item = state.selectedItem else { return 0 }
        let region = region(in: panel)
        // If the text is drawn a minute later, an age may take one line more or less. Drawing
        // tolerates that.
        let wanted = state.ui.inspector.top + max(rows, 0) + region.height
        let text = InspectorText(item, state, columns: region.width, limit: wanted, at: .now)
        return max(text.lines.count - region.height, 0)
    }
}
