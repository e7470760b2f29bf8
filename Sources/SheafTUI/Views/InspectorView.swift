import SheafApp
import Terminal

/// `o`: all fields of the selected item, beside the list or below it.
enum InspectorView {
    static func draw(
        _ state: AppState, _ keymap: Keymap, in panel: Layout.List, at moment: Moment,
        on canvas: inout Canvas
    ) {
        ListPane.drawFrame("Inspector", isFocused: false, in: panel, on: &canvas)
        let region = InspectorText.region(in: panel)
        let isNew = state.newItemRow != nil
        guard let item = state.selectedItem, !isNew else {
            let text = isNew ? "A new item is being added." : "No item is selected."
            canvas.put(
                DisplayText.truncated(text, to: region.width),
                at: region.origin, style: Theme.dim)
            return
        }
        let wanted = state.ui.inspector.top + region.height + 1
        let lines = InspectorText(
            item, state, columns: region.width, limit: wanted, at: moment
        ).lines
        // The text may be shorter now than when it was scrolled.
        let top = max(min(state.ui.inspector.top, lines.count - region.height), 0)
        for (offset, line) in lines.dropFirst(top).prefix(region.height).enumerated() {
            canvas.put(
                line, at: Point(x: region.x, y: region.y + offset), columns: region.width)
        }
        if lines.count > top + region.height { drawHint(keymap, in: panel, on: &canvas) }
    }

    /// Draws a hint that there is more text, with the key that scrolls to it.
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
