import SheafApp
import Swidux
import Terminal

/// A cache of the tags pane of the last frame. The next frame copies it if its contents have not
/// changed, for example while the cursor moves through the items.
struct TagCache {
    /// The inputs that determine the appearance of the pane while another pane has the focus.
    private struct Inputs: Equatable {
        private let list: Layout.List
        private let tags: Revision
        private let views: Revision
        private let rows: Int
        private let top: Int
        private let chosen: TagPaneRow
        private let showsChosenView: Bool

        /// Returns `nil` if the pane must be drawn.
        init?(_ state: borrowing AppState, _ list: Layout.List) {
            guard state.ui.pane != .tags, state.ui.mode.draft == nil else {
                return nil
            }
            self.list = list
            tags = state.tags.revision
            views = state.views.revision
            rows = state.rows.changes
            top = state.ui.tagScroll.top
            chosen = state.chosenRow
            showsChosenView = state.showsChosenView
        }
    }

    private var inputs: Inputs?
    private var rows: [[Cell]] = []

    /// Draws the pane with `body`, or copies it from the last frame.
    mutating func draw(
        _ state: AppState, in list: Layout.List, on canvas: inout Canvas,
        _ body: (inout Canvas) -> Void
    ) {
        guard let frame = list.frame, canvas.bounds.intersection(frame) == frame else {
            inputs = nil
            return body(&canvas)
        }
        let inputs = Inputs(state, list)
        if inputs != nil, inputs == self.inputs {
            for (y, row) in rows.enumerated() {
                canvas.put(row, at: Point(x: frame.x, y: frame.y + y))
            }
        } else {
            body(&canvas)
            self.inputs = inputs
            rows = inputs == nil ? [] : (0..<frame.height).map { canvas.cells(of: frame.row($0)) }
        }
    }
}
