import SheafTestSupport
import Terminal

@testable import SheafApp

/// Invariants of every state and its frame, after any input and at any size.
@MainActor
enum ScreenInvariants {
    /// Returns the broken invariants, in words; empty if all hold.
    static func broken(_ state: AppState, _ canvas: Canvas, on screen: Size) -> [String] {
        selection(state) + scroll(state) + palette(state) + saving(state.saving)
            + frame(canvas, on: screen)
    }

    private static func check(_ holds: Bool, _ what: @autoclosure () -> String) -> [String] {
        holds ? [] : [what()]
    }

    private static func selection(_ state: AppState) -> [String] {
        let row = state.ui.selectedRow
        guard let id = state.ui.selectedItem else {
            return check(state.rows.count == 0, "\(state.rows.count) rows and no selection")
        }
        guard row >= 0, row < state.rows.count else {
            return ["the selection is at row \(row) of \(state.rows.count)"]
        }
        let chosen = state.row(of: state.chosenRow)
        return check(state.rows.id(at: row) == id, "row \(row) is not the selected item's")
            + check(state.items[id] != nil, "the selected item is not there")
            + check(
                state.tagPaneRow(at: chosen) == state.chosenRow, "the view or tag chosen is gone")
            + check(
                state.ui.chosenView == nil || state.selectedView != nil || !state.ui.mode.isNormal,
                "what was shown before a view that is gone has not come back")
            + check(
                state.ui.mode.isNormal || state.ui.pendingKeys.isEmpty,
                "a sequence is open in a mode: \(state.ui.pendingKeys)")
    }

    private static func scroll(_ state: AppState) -> [String] {
        let layout = Layout(state)
        let height = layout.paneRows
        let lines = state.itemLines(layout)
        let isShown =
            state.newItemRow == nil
            ? lines.contains(.row(state.draftItemRow ?? state.ui.selectedRow))
            : lines.contains(.newRow)
        let top = state.ui.itemScroll.top
        let tagTop = state.ui.tagScroll.top
        let tagCount = state.tagRowCount + (state.draftTagRow == nil ? 0 : 1)
        let tagRow = state.draftTagRow ?? state.row(of: state.chosenRow)
        // One row further up, a heading would push the last row out of sight.
        let lastTop = state.firstItemPlace(showing: state.itemPlaceCount - 1, layout)
        return check(
            top == 0 || lines.count == height || top == lastTop,
            "items begin at \(top) and fill \(lines.count) of \(height) lines")
            + check(
                isShown || state.rows.count == 0 || state.ui.itemScroll.isAway,
                "row \(state.ui.selectedRow) of the items is out of sight: \(lines)")
            + check(
                tagTop >= 0 && tagTop <= max(tagCount - height, 0),
                "tags begin at \(tagTop) of \(tagCount)")
            + check(
                tagCount == 0 || (tagTop <= tagRow && tagRow < tagTop + height),
                "row \(tagRow) of the tags is out of sight: \(tagTop) and \(height) rows")
    }

    private static func palette(_ state: AppState) -> [String] {
        guard case .palette(let palette) = state.ui.mode else { return [] }
        let count = palette.rows(in: state).count
        return check(
            0..<max(count, 1) ~= palette.highlightedRow,
            "row \(palette.highlightedRow) of \(count) is highlighted")
    }

    private static func saving(_ status: PersistenceStatus) -> [String] {
        check(
            status.pending >= 0 && status.inFlight >= 0,
            "pending \(status.pending), in flight \(status.inFlight)")
            + check(
                (status.phase == .saved) == (status.uncommitted == 0),
                "\(status.phase) with \(status.uncommitted) changes uncommitted")
    }

    private static func frame(_ canvas: Canvas, on screen: Size) -> [String] {
        guard canvas.size == screen else { return ["a frame of \(canvas.size) on \(screen)"] }
        var broken: [String] = []
        if let cursor = canvas.cursor, !canvas.bounds.contains(cursor) {
            broken.append("the cursor is at \(cursor) of \(screen)")
        }
        for y in 0..<screen.rows {
            var columns = 0
            for cell in canvas.row(y) {
                // A wide glyph is one cell of two columns and one of none.
                let isContinuing = cell.columns == 0
                if isContinuing != cell.text.isEmpty {
                    broken.append("row \(y): a cell without width")
                }
                columns += cell.columns
                if cell.text.unicodeScalars.contains(where: HostileText.isHarmful) {
                    broken.append("row \(y): \(cell.text.unicodeScalars.map(\.value))")
                }
            }
            if columns != screen.columns { broken.append("row \(y) has \(columns) columns") }
        }
        return broken
    }
}
