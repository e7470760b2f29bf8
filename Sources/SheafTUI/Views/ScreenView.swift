import SheafApp
import Terminal

/// The whole screen, as a function of the state.
package enum ScreenView {
    /// Draws `state` at `moment`. O(cells of the screen × log items).
    package static func canvas(
        of state: AppState, keymap: Keymap = .standard, at moment: Moment
    ) -> Canvas {
        var drawn = RowCache()
        return canvas(of: state, keymap: keymap, at: moment, reusing: &drawn)
    }

    /// Draws `state` at `moment` and reuses parts of the last frame. Pass `drawn` to the next call
    /// again.
    package static func canvas(
        of state: AppState, keymap: Keymap = .standard, at moment: Moment,
        reusing drawn: inout RowCache
    ) -> Canvas {
        let layout = Layout(state)
        var canvas = Canvas(size: layout.size)
        if let header = layout.header { HeaderView.draw(state, in: header, on: &canvas) }
        if let list = layout.tags {
            drawn.tags.draw(state, in: list, on: &canvas) { canvas in
                TagListView.draw(state, in: list, on: &canvas)
            }
        }
        if let list = layout.items {
            ItemListView.draw(state, layout, in: list, at: moment, reusing: &drawn, on: &canvas)
        }
        if let panel = layout.inspector {
            InspectorView.draw(state, keymap, in: panel, at: moment, on: &canvas)
        }
        ListPane.drawDividers(layout, on: &canvas)
        if state.ui.showsWrites { WritesView.draw(state, layout, at: moment, on: &canvas) }
        switch state.ui.mode {
        case .tagPicker(let picker): TagPickerView.draw(picker, state, layout, on: &canvas)
        case .help(let help): HelpView.draw(help, layout, on: &canvas)
        case .palette(let palette): PaletteView.draw(palette, state, layout, on: &canvas)
        case .prompt(let prompt): PromptView.draw(prompt, state, layout, on: &canvas)
        case .sortMenu(let menu): SortMenuView.draw(menu, state, keymap, layout, on: &canvas)
        case .confirmation(let confirmation):
            PreviewView.draw(confirmation, state, layout, on: &canvas)
        case .normal, .draft, .filter: break
        }
        if let status = layout.status {
            StatusView.draw(state, keymap, in: status, at: moment, on: &canvas)
        }
        return canvas
    }
}

extension Canvas {
    /// Draws `text` at the right end of `region` and returns the number of columns left before it.
    mutating func putRight(_ text: String, in region: Rect, style: Style) -> Int {
        let width = min(DisplayText.width(of: text), region.width)
        put(
            DisplayText.truncated(text, to: width),
            at: Point(x: region.x + region.width - width, y: region.y), style: style)
        return region.width - width
    }

    /// Draws a box above the panes, with a frame if that leaves `minRows`, and returns the
    /// inside. Clears the pane lines that the box covers in part, so that no fragments of rows and
    /// frames remain.
    mutating func box(
        _ box: Rect, title: String, in layout: Layout, minRows: Int = 1
    ) -> Rect {
        for pane in [layout.tags, layout.items, layout.inspector].compactMap(\.self)
        where !pane.rows.intersection(box).isEmpty {
            fill(Rect(x: pane.rows.x, y: box.y, width: pane.rows.width, height: box.height))
        }
        fill(box)
        guard box.height >= minRows + 2 else { return box }
        frame(box, title: title, style: Theme.accent, titleStyle: Theme.title)
        return box.inset()
    }

    /// The minimum width of fields with the signs `‹` and `›`. Narrower fields show text in every
    /// column.
    private static let minSignedColumns = 6

    /// Draws an edited line in `region`, scrolled so that the caret is visible, and puts the cursor
    /// on the caret. `‹` and `›` in the first and the last column show that the line continues.
    /// O(columns), independent of the line's length.
    ///
    /// - Parameter marks: ranges with another style, in bytes of UTF-8, in ascending order.
    /// - Returns: the visible range of the line, in bytes of UTF-8.
    @discardableResult
    mutating func put(
        _ line: LineEditor, in region: Rect, style: Style,
        marks: [(place: Range<Int>, style: Style)] = []
    ) -> Range<Int> {
        guard region.width > 0 else { return 0..<0 }
        fill(region, style: style)
        let (before, after) = (line.beforeCaret, line.afterCaret)
        var inner = region
        // The caret needs a column even after the last character.
        var caretColumns = 1
        let hasSigns = region.width >= Self.minSignedColumns
        if hasSigns, let character = after.first {
            caretColumns = DisplayText.columns(of: character)
            if after.dropFirst().first != nil { caretColumns += 1 }
        }
        var shown = end(of: before, in: inner.width - caretColumns)
        if hasSigns, shown.startIndex > before.startIndex {
            inner = inner.inset(left: 1)
            shown = end(of: before, in: inner.width - caretColumns)
            put("‹", at: region.origin, style: Theme.accent)
        }
        let caret = DisplayText.width(of: shown)
        var rest = beginning(of: after, in: inner.width - caret)
        if hasSigns, rest.endIndex < after.endIndex {
            inner = inner.inset(right: 1)
            rest = beginning(of: after, in: inner.width - caret)
            put("›", at: Point(x: inner.maxX, y: region.y), style: Theme.accent)
        }
        shown = line.text[shown.startIndex..<rest.endIndex]
        put(String(shown), at: inner.origin, style: style, maxColumns: inner.width)
        if !marks.isEmpty { put(marks, of: line, shown, in: inner) }
        cursor = Point(x: inner.x + caret, y: region.y)
        let utf8 = line.text.utf8
        return utf8.distance(
            from: utf8.startIndex, to: shown.startIndex)..<utf8.distance(
                from: utf8.startIndex, to: shown.endIndex)
    }

    /// Returns the last characters of `text` that fit in `columns` columns. O(columns).
    private func end(of text: Substring, in columns: Int) -> Substring {
        var room = columns
        var start = text.endIndex
        while start > text.startIndex {
            let previous = text.index(before: start)
            room -= DisplayText.columns(of: text[previous])
            guard room >= 0 else { break }
            start = previous
        }
        return text[start...]
    }

    /// Returns the first characters of `text` that fit in `columns` columns. O(columns).
    private func beginning(of text: Substring, in columns: Int) -> Substring {
        text.prefix(DisplayText.count(of: text.prefix(max(columns, 0)), within: columns))
    }

    /// Redraws the marked parts of a line, where `shown` is the visible part.
    private mutating func put(
        _ marks: [(place: Range<Int>, style: Style)], of line: LineEditor, _ shown: Substring,
        in region: Rect
    ) {
        var x = 0
        var index = shown.startIndex
        var rest = marks[...]
        while index < shown.endIndex, x < region.width {
            let columns = DisplayText.columns(of: shown[index])
            let byte = line.text.utf8.distance(from: line.text.startIndex, to: index)
            rest = rest.drop { $0.place.upperBound <= byte }
            if let mark = rest.first, mark.place.contains(byte), x + columns <= region.width {
                put(
                    String(shown[index]), at: Point(x: region.x + x, y: region.y), style: mark.style
                )
            }
            x += columns
            shown.formIndex(after: &index)
        }
    }
}
