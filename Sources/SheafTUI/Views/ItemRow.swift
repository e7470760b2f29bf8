import SheafApp
import Terminal

/// A row of the item list with all values that determine its look. Equal rows look the same.
///
/// The columns are ` ○ A name ↻ ≡  #tag #tag      date`, and a dot at the end if the item is
/// unsaved.
struct ItemRow: Equatable {
    /// The columns for marker, mark and state before the name.
    private static let nameColumn = 4
    /// The width of the longest ``CalendarDay/word(today:)``.
    private static let dateColumns = 9
    /// The minimum width at which rows show dates. Narrower rows leave the room for names, unless
    /// the list is sorted by date.
    private static let minDateWidth = 50
    private static let minSortedWidth = 36
    private static let minAuthorWidth = 40

    let item: Item
    /// The displayed name, in which links are replaced by their texts.
    private let name: String
    private let tags: [Tag]
    let isSelected: Bool
    private let isFocused: Bool
    private let isMarked: Bool
    private let isUnsaved: Bool
    private let isRefused: Bool
    /// The line editor that replaces the name while the user types.
    let line: LineEditor?
    private let typed: TypedItem?
    private let width: Int
    /// The words of the name that represent a tag.
    private let words: [Tag.Word]
    /// A Boolean value that indicates whether the row has a column for dates.
    private let hasDate: Bool
    /// The day in that column, and its style.
    private let date: StyledText?
    /// The initials of another user who has just changed the item.
    private let author: String?
    /// The letters of the name that the query matched.
    private let found: [Bool]
    private let foundInTags: [[Bool]]
    /// The first tag that a text of the query matched, if the query matched none in the name.
    private let foundTag: Int?
    /// A Boolean value that indicates whether the query matched the text of the note, and no text
    /// that the row shows.
    private let isFoundByNote: Bool

    /// Returns the row of `item`, which has the index `index`, in a list of `width` columns. This
    /// is not an initializer, because an initializer would own the state, and therefore copy it for
    /// each row.
    ///
    /// - Parameter typed: the interpretation of the new name that the user is typing.
    static func of(
        _ item: Item, at index: Int, _ state: AppState, typed: TypedItem? = nil, width: Int,
        at moment: Moment
    ) -> ItemRow {
        let all = item.tags.isEmpty ? [] : state.tags(of: item)
        let (name, words, found) = shownName(
            item.name, words: all.isEmpty ? [] : Tag.words(of: item.name, naming: all),
            found: state.foundLetters(in: item.name))
        // If the name is cut, the words may be cut off too.
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
            isUnsaved: state.visibleSaveStates.unsaved.contains(item.id),
            isRefused: state.saving.refused.contains { $0.id == AnyID(item.id) },
            line: draft?.target == .renamedItem(item.id) ? draft?.line : nil,
            typed: typed,
            width: width,
            words: words,
            hasDate: column != nil,
            date: column.flatMap { date(of: item, $0, today: state.today, at: moment) },
            author: width < minAuthorWidth || state.authors.isEmpty
                ? nil : state.authors.recentAuthor(of: item, now: moment.wall)?.initials,
            found: found, foundInTags: foundInTags, foundTag: foundTag,
            isFoundByNote: found.isEmpty && foundTag == nil && state.findsText(inNoteOf: item))
    }

    /// Returns the name in which each link is replaced by its text, with its words and found
    /// letters. If the query matched letters of an address, these must stay visible, so the name is
    /// unchanged.
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

    /// Returns the field in the column of dates at that width, or `nil` if there is no such column.
    static func dateColumn(_ state: AppState, width: Int) -> ItemSort? {
        guard let column = state.dateColumn else { return nil }
        return width >= (column == state.shownSort ? minSortedWidth : minDateWidth)
            ? column : nil
    }

    /// Returns the date of `item` in a column, and its style.
    private static func date(
        of item: Item, _ column: ItemSort, today: CalendarDay, at moment: Moment
    ) -> StyledText? {
        if column == .due {
            guard !item.isDone, let due = item.due else { return nil }
            return StyledText(text: due.word(today: today), style: Theme.due(due, today: today))
        }
        return item.time(for: column).map {
            StyledText(text: moment.day(of: $0).word(today: today), style: Theme.dim)
        }
    }

    /// Returns the region of a row for name and tags.
    static func inner(of region: Rect, hasDate: Bool) -> Rect {
        region.inset(left: nameColumn, right: hasDate ? dateColumns + 2 : 1)
    }

    /// Returns the columns that a line takes with its caret at the end, or `columns` if it takes
    /// more.
    static func columns(of line: LineEditor, upTo columns: Int) -> Int {
        min(DisplayText.width(of: line.text, upTo: columns) + 1, columns)
    }

    func draw(in region: Rect, on canvas: inout Canvas) {
        var style: (Style) -> Style = { $0 }
        // Tags on the selected row have no color, since otherwise each step would send a color
        // change for each tag.
        var tagStyle = style
        if isSelected {
            // The edited line has its own style, without the tint.
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
            _ = canvas.putRight(date.text, in: place, style: style(date.style))
        }
        var inner = Self.inner(of: region, hasDate: hasDate)
        if line == nil { drawPriority(style, in: &inner, on: &canvas) }
        drawAuthor(style, in: &inner, on: &canvas)
        let marks = (item.repeat == nil ? "" : " ↻") + (item.note.isEmpty ? "" : " ≡")
        let taken =
            line.map { Self.columns(of: $0, upTo: inner.width) }
            ?? DisplayText.width(of: name, upTo: inner.width) + marks.count
        let labels = TagLabels(
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

    /// Returns the style of a tag. Done items are drawn without color.
    private func style(of tag: Tag) -> Style {
        item.isDone ? Theme.dim : Theme.tag(tag.color)
    }

    private var nameStyle: Style {
        if isSelected { return Theme.strong }
        return item.isDone ? Theme.dim : Theme.text
    }

    /// Draws the signs at both ends of the row: marked, done, refused by storage, and unsaved.
    private func drawSigns(
        _ style: (Style) -> Style, in region: Rect, on canvas: inout Canvas
    ) {
        if isMarked {
            canvas.put(
                "*", at: Point(x: region.x + 1, y: region.y), style: style(Theme.waiting))
        }
        let place = Point(x: region.x + 2, y: region.y)
        // The sign for a refused item takes precedence over all others.
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

    /// Draws the initials of another user who changed the item, at the end of its region.
    private func drawAuthor(
        _ style: (Style) -> Style, in inner: inout Rect, on canvas: inout Canvas
    ) {
        guard let author, inner.width > 12 else { return }
        let shown = DisplayText.truncated(author, to: 4)
        _ = canvas.putRight(shown, in: inner, style: style(Theme.accent))
        inner.width -= DisplayText.width(of: shown) + 1
    }

    /// Draws the priority before the name, if the name still has room beside it.
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
