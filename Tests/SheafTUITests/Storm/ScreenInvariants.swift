import SheafTestSupport
import Terminal

@testable import SheafCore

/// What holds of every state and its frame, whatever was typed and however large the terminal is.
@MainActor
enum ScreenInvariants {
    /// What does not hold, in words; empty if all does.
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
        func check(_ name: String, _ top: Int, shown row: Int, of count: Int, height: Int)
            -> [String]
        {
            Self.check(
                top >= 0 && top <= max(count - height, 0), "\(name) begin at \(top) of \(count)")
                + Self.check(
                    count == 0 || (top <= row && row < top + height),
                    "row \(row) of the \(name) is out of sight: \(top) and \(height) rows")
        }
        let itemCount = state.rows.count + (state.draftItemRow == nil ? 0 : 1)
        let tagCount = state.tagRowCount + (state.draftTagRow == nil ? 0 : 1)
        return check(
            "items", state.ui.itemScroll.top, shown: state.draftItemRow ?? state.ui.selectedRow,
            of: itemCount, height: layout.paneRows)
            + check(
                "tags", state.ui.tagScroll.top,
                shown: state.draftTagRow ?? state.row(of: state.chosenRow), of: tagCount,
                height: layout.paneRows)
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
