import SheafCore
import Terminal

/// A row of the items, as all that its looks follow from: two that are equal look the same.
///
/// It is ` ○ (A) name … #tag #tag due age`, and a dot at its end says that it is not saved.
struct ItemRow: Equatable {
    /// The columns for marker, mark and state before the name.
    private static let nameColumn = 4
    private static let ageColumns = 5
    /// As many as the longest word of ``CalendarDay/dueWord(today:)`` and a gap before the age.
    private static let dueColumns = 10
    /// Narrower rows have no column for due days, for the sake of the names.
    private static let leastDueWidth = 50
    static let leastAgeWidth = 40

    let item: Item
    private let tags: [Tag]
    let isSelected: Bool
    private let isFocused: Bool
    private let isMarked: Bool
    private let isUnsaved: Bool
    private let isRefused: Bool
    /// What is typed in the place of the name.
    let line: LineEditor?
    private let width: Int
    private let showsDue: Bool
    private let today: CalendarDay
    private let age: String?
    /// The initials of somebody else who has just changed it.
    private let author: String?
    /// The letters of the name that the query found, and those of each tag.
    private let found: [Bool]
    private let foundInTags: [[Bool]]
    /// The first tag that a text of the query found, where it found none in the name.
    private let foundTag: Int?
    /// Whether it was found by the text of its note, and by that of nothing that the row says.
    private let isFoundByNote: Bool

    /// The row of `item`, the one at `index` of all, in a list of `width` columns. No initializer:
    /// that would own the state, and so copy it for each row.
    static func of(
        _ item: Item, at index: Int, _ state: AppState, width: Int, at moment: Moment
    ) -> ItemRow {
        let tags = item.tags.isEmpty ? [] : state.tags(of: item)
        var foundInTags: [[Bool]] = []
        for tag in tags { foundInTags.append(state.foundLetters(inLabelOf: tag)) }
        let found = state.foundLetters(in: item.name)
        let foundTag = found.isEmpty ? tags.firstIndex { state.findsText(inLabelOf: $0) } : nil
        let draft = state.ui.mode.draft
        let time = width < leastAgeWidth ? nil : item.time(for: state.shownSort)
        return ItemRow(
            item: item, tags: tags,
            isSelected: item.id == state.ui.selectedItem && state.newItemRow == nil,
            isFocused: state.ui.pane == .items,
            isMarked: state.isMarked(item.id, at: index),
            isUnsaved: state.shownSaving.unsaved.contains(item.id),
            isRefused: state.saving.refused.contains { $0.id == AnyID(item.id) },
            line: draft?.target == .renamedItem(item.id) ? draft?.line : nil,
            width: width,
            showsDue: showsDue(state, width: width),
            today: state.today,
            age: time.map { moment.age(of: $0) },
            author: width < leastAgeWidth || state.authors.isEmpty
                ? nil : state.authors.newsAuthor(of: item, now: moment.wall)?.initials,
            found: found, foundInTags: foundInTags, foundTag: foundTag,
            isFoundByNote: found.isEmpty && foundTag == nil && state.findsText(inNoteOf: item))
    }

    /// Whether rows of that width have a column for due days: where there are any.
    static func showsDue(_ state: AppState, width: Int) -> Bool {
        state.hasDueItems && width >= leastDueWidth
    }

    /// The columns of a row for name and tags.
    static func inner(of region: Rect, showsDue: Bool) -> Rect {
        region.inset(
            left: nameColumn,
            right: region.width >= leastAgeWidth
                ? ageColumns + 2 + (showsDue ? dueColumns : 0) : 1)
    }

    /// The columns that a line takes with its caret at the end, or `columns` if it takes more.
    static func columns(of line: LineEditor, upTo columns: Int) -> Int {
        min(DisplayText.width(of: line.text, upTo: columns) + 1, columns)
    }

    func draw(in region: Rect, on canvas: inout Canvas) {
        var style: (Style) -> Style = { $0 }
        if isSelected {
            // What is typed stands in its own field, without the tint.
            if line != nil {
                ListPane.drawMarker(in: region, on: &canvas)
            } else {
                style = ListPane.drawSelection(isFocused: isFocused, in: region, on: &canvas)
            }
        }
        drawSigns(style, in: region, on: &canvas)
        drawTimes(style, in: region, on: &canvas)
        var inner = Self.inner(of: region, showsDue: showsDue)
        if line == nil { drawPriority(style, in: &inner, on: &canvas) }
        drawAuthor(style, in: &inner, on: &canvas)
        let mark = item.note.isEmpty ? "" : " ≡"
        let taken =
            line.map { Self.columns(of: $0, upTo: inner.width) }
            ?? DisplayText.width(of: item.name, upTo: inner.width) + mark.count
        if !tags.isEmpty {
            let labels = RowTags(
                zip(tags, foundInTags).map { ($0, found: $1) }, in: inner.width, beside: taken,
                showing: line == nil ? foundTag : nil)
            // Colours are for what is still to be done.
            let isQuiet = item.isDone && !isSelected
            labels.draw(in: inner, style: { isQuiet ? Theme.dim : style($0) }, on: &canvas)
            inner.width = labels.room(in: inner.width)
        }
        if let line {
            canvas.put(line, in: inner, style: Theme.draft)
            return
        }
        let name = MarkedText(item.name, found: found, showsFound: true)
        let used = name.draw(
            in: max(inner.width - mark.count, 0), at: inner.origin, style: style(nameStyle),
            on: &canvas)
        let place = Point(x: inner.x + used, y: inner.y)
        canvas.put(mark, at: place, style: style(Theme.dim))
        guard isFoundByNote else { return }
        canvas.put("≡", at: Point(x: place.x + 1, y: place.y), style: Theme.found(style(Theme.dim)))
    }

    private var nameStyle: Style {
        if isSelected { return Theme.strong }
        return item.isDone ? Theme.dim : Theme.text
    }

    /// What stands at both ends: marked, done or refused by storage, and not saved.
    private func drawSigns(
        _ style: (Style) -> Style, in region: Rect, on canvas: inout Canvas
    ) {
        if isMarked {
            canvas.put(
                "*", at: Point(x: region.x + 1, y: region.y), style: style(Theme.waiting))
        }
        let place = Point(x: region.x + 2, y: region.y)
        // Refused by storage is not saved, whatever the others are.
        if isRefused {
            canvas.put("!", at: place, style: style(Theme.alert))
        } else {
            canvas.put(
                item.isDone ? "✓" : "○", at: place,
                style: style(item.isDone ? Theme.good : Theme.text))
        }
        if isUnsaved {
            canvas.put(
                "•", at: Point(x: region.maxX - 1, y: region.y), style: style(Theme.dim))
        }
    }

    /// Who else has changed it, at the end of its room.
    private func drawAuthor(
        _ style: (Style) -> Style, in inner: inout Rect, on canvas: inout Canvas
    ) {
        guard let author, inner.width > 12 else { return }
        let shown = DisplayText.truncated(author, to: 4)
        _ = canvas.putRight(shown, in: inner, style: style(Theme.accent))
        inner.width -= DisplayText.width(of: shown) + 1
    }

    private func drawTimes(
        _ style: (Style) -> Style, in region: Rect, on canvas: inout Canvas
    ) {
        if showsDue, !item.isDone, let day = item.due {
            let place = region.inset(right: 1 + Self.ageColumns + 2)
            _ = canvas.putRight(
                day.dueWord(today: today), in: place, style: style(Theme.due(day, today: today)))
        }
        if let age {
            _ = canvas.putRight(age, in: region.inset(right: 1), style: style(Theme.dim))
        }
    }

    /// The priority before the name, where that has room beside it.
    private func drawPriority(
        _ style: (Style) -> Style, in inner: inout Rect, on canvas: inout Canvas
    ) {
        guard let priority = item.priority, inner.width >= 24 else { return }
        let text = "(\(priority)) "
        canvas.put(
            text, at: inner.origin, style: style(item.isDone ? Theme.dim : Theme.accent))
        inner = inner.inset(left: text.count)
    }
}
