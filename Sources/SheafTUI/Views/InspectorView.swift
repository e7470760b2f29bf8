import SheafCore
import Terminal

/// `o`: all of the selected item, beside the list or below it.
enum InspectorView {
    static func draw(
        _ state: AppState, _ keymap: Keymap, in panel: Layout.List, at moment: Moment,
        on canvas: inout Canvas
    ) {
        ListPane.drawFrame("Inspector", isFocused: false, in: panel, on: &canvas)
        let region = textRegion(of: panel)
        guard let item = state.selectedItem else {
            canvas.put(
                DisplayText.truncated("No item is selected.", to: region.width),
                at: region.origin, style: Theme.dim)
            return
        }
        let wanted = state.ui.inspector.top + region.height + 1
        let lines = InspectorText(
            item, state, columns: region.width, limit: wanted, at: moment
        ).lines
        // The text may have become shorter since it was scrolled.
        let top = max(min(state.ui.inspector.top, lines.count - region.height), 0)
        for (offset, line) in lines.dropFirst(top).prefix(region.height).enumerated() {
            canvas.put(
                line, at: Point(x: region.x, y: region.y + offset), columns: region.width)
        }
        if lines.count > top + region.height { drawHint(keymap, in: panel, on: &canvas) }
    }

    /// The last line of the text that can be at the top, or 0 where nothing is inspected; a smaller
    /// one will do that is as far as `rows` lead. Only what stands above is laid out.
    static func lastTop(of state: AppState, scrolledBy rows: Int) -> Int {
        guard let panel = Layout(state).inspector, let item = state.selectedItem else { return 0 }
        let region = textRegion(of: panel)
        // Minutes later a time may take a line more or less, which drawing puts up with.
        let wanted = state.ui.inspector.top + max(rows, 0) + region.height
        let lines = InspectorText(
            item, state, columns: region.width, limit: wanted, at: .now
        ).lines
        return max(lines.count - region.height, 0)
    }

    private static func textRegion(of panel: Layout.List) -> Rect {
        panel.rows.inset(left: 1, right: 1)
    }

    /// That there is more, and the key for it.
    private static func drawHint(
        _ keymap: Keymap, in panel: Layout.List, on canvas: inout Canvas
    ) {
        guard let frame = panel.frame, let key = keymap.scrollKey else { return }
        _ = canvas.putRight(
            " \(key) more ",
            in: Rect(x: frame.x + 1, y: frame.maxY - 1, width: frame.width - 3, height: 1),
            style: Theme.dim)
    }
}

extension Keymap {
    /// The key that scrolls the inspector down.
    fileprivate var scrollKey: String? {
        bindings.first { binding in
            if case .inspector(.scrolled(rows: 1, last: _)) = binding.action { true } else { false }
        }?.shortLabel
    }
}
