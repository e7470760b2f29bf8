import SheafApp
import Terminal

/// A row of the items, as all that its looks follow from: two that are equal look the same.
///
/// The columns are ` ○ A name ↻ ≡  #tag #tag      date`, and a dot at the end if it is not saved.
struct ItemRow: Equatable {
    /// A date as it is drawn.
    private struct Date: Equatable {
        var word: String
        var style: Style
    }

    /// The columns for marker, mark and state before the name.
    private static let nameColumn = 4
    /// The width of the longest ``CalendarDay/word(today:)``.
    private static let dateColumns = 9
    /// Narrower rows have no dates, for the sake of the names, unless they are sorted by them.
    private static let leastDateWidth = 50
    private static let leastSortedWidth = 36
    private static let leastAuthorWidth = 40

    let item: Item
    /// The name as the row shows it: links by their texts.
    private let name: String
    private let tags: [Tag]
    let isSelected: Bool
    private let isFocused: Bool
    private let isMarked: Bool
    private let isUnsaved: Bool
    private let isRefused: Bool
    /// The line in the place of the name while it is typed, and its meaning.
    let line: LineEditor?
    private let typed: TypedItem?
    private let width: Int
    /// The words of the name that stand for a tag.
    private let words: [Tag.Word]
    /// Whether there is a column for dates.
    private let hasDate: Bool
    /// The day that stands there, and its look.
    private let date: Date?
    /// The initials of another user who has just changed it.
    private let author: String?
    /// The letters of the name that the query found, and those of each tag.
    private let found: [Bool]
    private let foundInTags: [[Bool]]
    /// The first tag that a text of the query found, where it found none in the name.
    private let foundTag: Int?
    /// True if it was found only by the text of its note.
    private let isFoundByNote: Bool

    /// The row of `item`, the one at `index` of all, in a list of `width` columns. No initializer:
    /// that would own the state, and so copy it for each row.
    ///
    /// - Parameter typed: the meaning of the new name that is being typed.
    static func of(
        _ item: Item, at index: Int, _ state: AppState, typed: TypedItem? = nil, width: Int,
        at moment: Moment
    ) -> ItemRow {
        let all = item.tags.isEmpty ? [] : state.tags(of: item)
        let (name, words, found) = shownName(
            item.name, words: all.isEmpty ? [] : Tag.words(of: item.name, naming: all),
            found: state.foundLetters(in: item.name))
        // Of a name that is cut the words may be, too.
        let room = width - nameColumn - dateColumns - 6
        let isCut = !words.isEmpty && DisplayText.width(of: name, upTo: room + 1) > room
        let tags = isCut ? all : all.filter { tag in !words.contains { $0.tag.id == tag.id } }
        var foundInTags: [[Bool]] = []
        for tag in tags { foundInTags.append(state.foundLetters(inLabelOf: tag)) }
        let foundTag = found.isEmpty ? tags.firstIndex { state.findsText(inLabelOf: $0) } : nil
        let draft = state.ui.mode.draft
        let column = dateColumn(state, width: width)
        return ItemRow(
            item: item, name: name, tags: tags,
            isSelected: item.id == state.ui.selectedItem && state.newItemRow == nil,
            isFocused: state.ui.pane == .items,
            isMarked: state.isMarked(item.id, at: index),
            isUnsaved: state.shownSaving.unsaved.contains(item.id),
            isRefused: state.saving.refused.contains { $0.id == AnyID(item.id) },
            line: draft?.target == .renamedItem(item.id) ? draft?.line : nil,
            typed: typed,
            width: width,
            words: words,
            hasDate: column != nil,
            date: column.flatMap { date(of: item, $0, today: state.today, at: moment) },
            author: width < leastAuthorWidth || state.authors.isEmpty
                ? nil : state.authors.newsAuthor(of: item, now: moment.wall)?.initials,
            found: found, foundInTags: foundInTags, foundTag: foundTag,
            isFoundByNote: found.isEmpty && foundTag == nil && state.findsText(inNoteOf: item))
    }

    /// Replaces links by their texts, unless letters were found in an address: those must show.
    private static func shownName(
        _ name: String, words: [Tag.Word], found: [Bool]
    ) -> (name: String, words: [Tag.Word], found: [Bool]) {
        let hidden = PlainMarkdown.hiddenRanges(in: name)
        let showsAll = hidden.contains { range in
            range.contains { found.indices.contains($0) && found[$0] }
        }
        guard !hidden.isEmpty, !showsAll else { return (name, words, found) }
        let characters = Array(name)
        let shown = characters.indices.filter { index in
            !hidden.contains { $0.contains(index) }
        }
        var moved = words
        for index in moved.indices {
            let (start, end) = (words[index].range.lowerBound, words[index].range.upperBound)
            moved[index].range = shown.count { $0 < start }..<shown.count { $0 < end }
        }
        return (
            String(shown.map { characters[$0] }), moved,
            found.isEmpty ? [] : shown.map { found[$0] }
        )
    }

    /// The field in the column of dates at that width, or nil if there is no such column.
    static func dateColumn(_ state: AppState, width: Int) -> ItemSort? {
        guard let column = state.dateColumn else { return nil }
        return width >= (column == state.shownSort ? leastSortedWidth : leastDateWidth)
            ? column : nil
    }

    /// The date of `item` in a column, and its look.
    private static func date(
        of item: Item, _ column: ItemSort, today: CalendarDay, at moment: Moment
    ) -> Date? {
        if column == .due {
            guard !item.isDone, let due = item.due else { return nil }
            return Date(word: due.word(today: today), style: Theme.due(due, today: today))
        }
        return item.time(for: column).map {
            Date(word: moment.day(of: $0).word(today: today), style: Theme.dim)
        }
    }

    /// The columns of a row for name and tags.
    static func inner(of region: Rect, hasDate: Bool) -> Rect {
        region.inset(left: nameColumn, right: hasDate ? dateColumns + 2 : 1)
    }

    /// The columns that a line takes with its caret at the end, or `columns` if it takes more.
    static func columns(of line: LineEditor, upTo columns: Int) -> Int {
        min(DisplayText.width(of: line.text, upTo: columns) + 1, columns)
    }

    func draw(in region: Rect, on canvas: inout Canvas) {
        var style: (Style) -> Style = { $0 }
        // Tags on the selected row have no color: each step would send a change of color for each.
        var tagStyle = style
        if isSelected {
            // Typed text stands in its own field, without the tint.
            if line != nil {
                ListPane.drawMarker(in: region, on: &canvas)
            } else {
                style = ListPane.drawSelection(isFocused: isFocused, in: region, on: &canvas)
                if isFocused { tagStyle = { _ in Theme.selected } }
            }
        }
        drawSigns(style, in: region, on: &canvas)
        if let date {
            let place = region.inset(right: 1)
            _ = canvas.putRight(date.word, in: place, style: style(date.style))
        }
        var inner = Self.inner(of: region, hasDate: hasDate)
        if line == nil { drawPriority(style, in: &inner, on: &canvas) }
        drawAuthor(style, in: &inner, on: &canvas)
        let marks = (item.repeat == nil ? "" : " ↻") + (item.note.isEmpty ? "" : " ≡")
        let taken =
            line.map { Self.columns(of: $0, upTo: inner.width) }
            ?? DisplayText.width(of: name, upTo: inner.width) + marks.count
        let labels = RowTags(
            zip(tags, foundInTags).map { ($0, found: $1) }, in: inner.width, beside: taken,
            showing: line == nil ? foundTag : nil)
        let room = labels.room(in: inner.width)
        var end = Point(x: inner.x + min(taken, room), y: inner.y)
        if let line {
            inner.width = room
            canvas.put(line, in: inner, style: Theme.draft, marks: Theme.marks(of: typed))
        } else {
            let marked = MarkedText(
                name, found: found, showsFound: true,
                words: words.map { ($0.range, tagStyle(self.style(of: $0.tag))) })
            let used = marked.draw(
                in: max(room - marks.count, 0), at: inner.origin, style: style(nameStyle),
                on: &canvas)
            end.x = inner.x + used + marks.count
            let place = Point(x: inner.x + used, y: inner.y)
            canvas.put(marks, at: place, style: style(Theme.dim))
            if isFoundByNote {
                canvas.put(
                    "≡", at: Point(x: end.x - 1, y: place.y), style: Theme.found(style(Theme.dim)))
            }
        }
        labels.draw(at: end, style: { tagStyle(item.isDone ? Theme.dim : $0) }, on: &canvas)
    }

    /// Done items are drawn without colour.
    private func style(of tag: Tag) -> Style {
        item.isDone ? Theme.dim : Theme.tag(tag.color)
    }

    private var nameStyle: Style {
        if isSelected { return Theme.strong }
        return item.isDone ? Theme.dim : Theme.text
    }

    /// Draws the signs at both ends: marked, done or refused by storage, and not saved.
    private func drawSigns(
        _ style: (Style) -> Style, in region: Rect, on canvas: inout Canvas
    ) {
        if isMarked {
            canvas.put(
                "*", at: Point(x: region.x + 1, y: region.y), style: style(Theme.waiting))
        }
        let place = Point(x: region.x + 2, y: region.y)
        // A refused item is not saved, whether or not the others are.
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

    /// The priority before the name, where that has room beside it.
    private func drawPriority(
        _ style: (Style) -> Style, in inner: inout Rect, on canvas: inout Canvas
    ) {
        guard let priority = item.priority, inner.width >= 24 else { return }
        canvas.put(
            "\(priority)", at: inner.origin,
            style: style(item.isDone ? Theme.dim : Theme.priority(priority)))
        inner = inner.inset(left: 2)
    }
}
