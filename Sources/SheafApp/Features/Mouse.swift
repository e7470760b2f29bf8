import SheafList

/// Reports of the left button and the wheel, and actions that turn the mouse on or off. The reducer
/// translates a report into an action of another feature, such as ``BrowseAction``.
package enum MouseAction: Hashable, Sendable {
    /// The button was pressed at a cell, on `target`.
    case pressed(at: Point, on: MouseTarget)
    /// The pointer moved to another cell with the button down.
    case dragged(over: MouseTarget)
    case released(on: MouseTarget)
    /// The wheel was turned by a number of steps, downwards if positive.
    case wheeled(steps: Int, over: MouseTarget)
    /// The wheel was turned over the inspector. `last` is the maximum of ``Inspector/top``.
    case wheeledInspector(steps: Int, last: Int)
    /// The user turns the mouse on or off.
    case toggled
    /// The terminal cannot report the mouse. A message says so if the user has just turned it on.
    case unsupported(isAnswer: Bool)
}

/// The part of the screen under the pointer. A row is identified by its item, tag or view instead
/// of a number. A report that waits behind keys therefore still applies to the row that the user
/// saw.
package enum MouseTarget: Hashable, Sendable {
    case item(Item.ID)
    case tagRow(TagPaneRow)
    /// An empty part of a pane.
    case pane(Pane)
    /// Outside the panes: the header, the status line, a box above the panes, or outside the
    /// screen.
    case nothing

    /// The pane that contains the target.
    var pane: Pane? {
        switch self {
        case .item: .items
        case .tagRow: .tags
        case .pane(let pane): pane
        case .nothing: nil
        }
    }
}

extension MouseAction: FeatureAction {
    var traits: ActionTraits {
        var traits = ActionTraits.program
        switch self {
        case .pressed, .dragged, .wheeled, .wheeledInspector, .toggled, .unsupported: break
        case .released(let target):
            traits.undo = { state in
                state.drop(on: target).map { AppAction.undoRole(of: $0, before: state) } ?? .ignored
            }
        }
        return traits
    }
}

/// The mouse state that persists between reports.
package struct MouseState: Sendable {
    /// True if the terminal should report the mouse. The terminal follows this value.
    package var isOn = true
    /// The item on which the button was pressed, until it is released.
    private(set) var pressedItem: Item.ID?
    /// The current target of the drag, once the pointer has left the pressed item.
    private var target: MouseTarget?
    /// The serial of the toast that describes the drop.
    private var toast: Int?
    private var lastPress: (point: Point, target: MouseTarget, time: Timestamp)?

    /// The longest time between the two presses of a double click, in milliseconds.
    private static let doubleClick: Int64 = 400

    /// True if the user is dragging an item.
    var isDragging: Bool { target != nil }

    /// Records a press, and returns true if it is the second of a double click. A third press
    /// begins a new click.
    fileprivate mutating func press(_ point: Point, _ target: MouseTarget, at now: Timestamp)
        -> Bool
    {
        let isDouble = lastPress.map { last in
            last.point == point && last.target == target
                && 0...Self.doubleClick ~= now.milliseconds - last.time.milliseconds
        }
        lastPress = isDouble == true ? nil : (point, target, now)
        return isDouble ?? false
    }

    fileprivate mutating func setPressedItem(_ item: Item.ID?) {
        pressedItem = item
        target = nil
    }

    /// Records a drag, and returns true if the target has changed.
    fileprivate mutating func drag(over new: MouseTarget) -> Bool {
        guard let pressedItem, target != new, target != nil || new != .item(pressedItem) else {
            return false
        }
        target = new
        lastPress = nil
        return true
    }

    fileprivate mutating func noteToast(_ toast: Int) { self.toast = toast }

    /// Ends a drag, and returns true if `serial` is the serial of the toast about it.
    mutating func endDrag(toast serial: Int?) -> Bool {
        setPressedItem(nil)
        defer { toast = nil }
        return serial != nil && serial == toast
    }
}

extension MouseAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard state.ui.mouse.isOn || self == .toggled else { return nil }
        let meaning: AppAction?
        switch self {
        case .toggled:
            state.endDrag()
            state.ui.mouse.isOn.toggle()
            state.ui.show(
                state.ui.mouse.isOn ? "Mouse on; hold Shift to select text" : "Mouse off")
            return nil
        case .unsupported(let isAnswer):
            state.ui.mouse.isOn = false
            if isAnswer { state.ui.show("This terminal does not support a mouse", isAlert: true) }
            return nil
        case .pressed(let point, let target):
            meaning = press(&state, point, target, environment)
        case .dragged(let target):
            if state.takesCommands, state.ui.mouse.drag(over: target) { showDrop(&state, target) }
            meaning = nil
        case .released(let target):
            meaning = state.drop(on: target)
            state.endDrag()
        case .wheeled(let steps, let target):
            meaning = state.scroll(by: steps, over: target)
            // The dragged item stays selected even when its row scrolls out of sight.
            if state.ui.mouse.isDragging, case .browse(.scrolled(.items, _)) = meaning {
                state.ui.itemScroll.isAway = true
            }
        case .wheeledInspector(let steps, let last):
            meaning =
                state.takesCommands
                ? .inspector(.scrolled(rows: steps * AppState.rowsPerStep, last: last))
                : state.scroll(by: steps, over: .nothing)
        }
        return meaning.flatMap { AppReducer().perform($0, on: &state, environment) }
    }

    private func press(
        _ state: inout AppState, _ point: Point, _ target: MouseTarget,
        _ environment: AppEnvironment
    ) -> AppAction? {
        // Not every terminal reports a release outside its window.
        state.endDrag()
        // In a box above the panes, or while the user types a line, the intent of a click is
        // ambiguous.
        guard state.takesCommands, state.has(target) else { return nil }
        let isDouble = state.ui.mouse.press(point, target, at: environment.now())
        switch target {
        case .item(let id):
            if isDouble, state.ui.selectedItem == id { return .items(.renameRequested) }
            state.ui.mouse.setPressedItem(id)
            return .browse(.itemChosen(id))
        case .tagRow(let row):
            if isDouble, row.hasName, state.chosenRow == row { return .tags(.renameRequested) }
            return .browse(.tagRowChosen(row))
        case .pane(let pane):
            return .browse(.paneChosen(pane))
        case .nothing:
            return nil
        }
    }

    /// Shows a message about the effect of a drop on `target`, because the rows do not show it.
    private func showDrop(_ state: inout AppState, _ target: MouseTarget) {
        guard let item = state.ui.mouse.pressedItem.flatMap({ state.items[$0] }) else { return }
        let what = state.draggedItems(with: item)
        switch (state.drop(on: target), target) {
        case (.items(.tagged)?, .tagRow(.choice(.tag(let id)))):
            state.ui.show("Add \(state.tags[id]?.label ?? "tag"): \(what)")
        case (.items(.placed)?, _): state.ui.show(state.moveRefusal ?? "Move here: \(what)")
        default: state.ui.show("Leave in place: \(what)")
        }
        state.ui.mouse.noteToast(state.ui.toastSerial)
    }
}

extension AppState {
    /// Returns the action of dropping the dragged item on `target`, or nil if there is none.
    func drop(on target: MouseTarget) -> AppAction? {
        guard takesCommands, ui.mouse.isDragging, let item = ui.mouse.pressedItem,
            items.contains(item),
            has(target)
        else {
            return nil
        }
        return switch target {
        case .item(let other) where !group(with: item).contains(other):
            .items(.placed(item, at: other))
        case .tagRow(.choice(.tag(let tag))): .items(.tagged(item, with: tag))
        case .item, .tagRow, .pane, .nothing: nil
        }
    }

    fileprivate func draggedItems(with item: Item) -> String {
        let count = group(with: item.id).count
        guard count > 1 else { return "“\(item.name)”" }
        let hidden = ui.marks.hiddenCount ?? 0
        return count.items + (hidden > 0 ? ", \(hidden) of them hidden" : "")
    }

    /// Ends a drag without a drop.
    mutating func endDrag() {
        ui.itemScroll.isAway = false
        if ui.mouse.endDrag(toast: ui.toast?.serial) { ui.toast = nil }
    }

    /// Ends a drag if Esc has nothing more urgent to reset, and returns true if it did.
    mutating func escapesDrag() -> Bool {
        guard ui.mouse.isDragging, ui.count == nil, ui.pendingKeys.isEmpty else { return false }
        endDrag()
        return true
    }

    /// Returns the part of the list that `action` requires. A row under the pointer is already
    /// loaded, but a move also requires the rows around it. While items are marked, a drop requires
    /// all of them.
    package func requirement(of action: MouseAction) -> Requirement {
        guard case .released(let target) = action else { return .nothing }
        return switch drop(on: target) {
        case .items(.placed): ui.marks.isEmpty ? .rows(to: "move") : .marked(to: "move")
        case .items(.tagged): ui.marks.isEmpty ? .nothing : .marked(to: "tag")
        default: .nothing
        }
    }

    /// Returns true if the target still exists.
    fileprivate func has(_ target: MouseTarget) -> Bool {
        switch target {
        case .item(let id): items.contains(id)
        case .tagRow(.choice(.tag(let id))): tags.contains(id)
        case .tagRow(.view(let id)): views.contains(id)
        case .tagRow, .pane, .nothing: true
        }
    }

    /// The number of rows by which one step of the wheel scrolls.
    package static let rowsPerStep = 3

    /// Returns the action of the wheel. In a box, it does not depend on the target.
    fileprivate func scroll(by steps: Int, over target: MouseTarget) -> AppAction? {
        guard !leaving.isAsking else { return nil }
        let rows = steps * Self.rowsPerStep
        switch ui.mode {
        case .normal, .filter:
            return target.pane.flatMap { pane in
                // A list that fits does not scroll, so turning the wheel has no effect.
                let layout = Layout(self)
                let isLonger =
                    pane == .items
                    ? firstItemPlace(showing: itemPlaceCount - 1, layout) > 0
                    : tagRowCount > layout.paneRows
                return isLonger ? .browse(.scrolled(pane, rows: rows)) : nil
            }
        case .help: return .help(.scrolled(rows: rows))
        case .tagPicker: return .tagPicker(.moved(rows: steps))
        case .sortMenu: return .sort(.menuMoved(rows: steps))
        case .palette: return .palette(.moved(rows: steps))
        case .draft, .prompt, .confirmation: return nil
        }
    }
}

extension AppState {
    /// Returns the part of the screen at a cell, as it is drawn now. O(log n).
    package func mouseTarget(at point: Point) -> MouseTarget {
        let layout = Layout(self)
        if ui.showsWrites, layout.writesBox.contains(point) { return .nothing }
        if let list = layout.tags, list.contains(point) {
            let row = list.row(at: point, from: ui.tagScroll.top, newRow: newTagRow)
            return row.flatMap { $0 < tagRowCount ? .tagRow(tagPaneRow(at: $0)) : nil }
                ?? .pane(.tags)
        }
        if let list = layout.items, list.contains(point) {
            let lines = list.rows.contains(point) ? itemLines(layout) : []
            let line = point.y - list.rows.y
            guard lines.indices.contains(line), case .row(let row) = lines[line] else {
                return .pane(.items)
            }
            return rows.id(at: row).map { .item($0) } ?? .pane(.items)
        }
        return .nothing
    }
}

extension Layout.List {
    fileprivate func contains(_ point: Point) -> Bool { (frame ?? rows).contains(point) }

    /// Returns the row of the list at `point`, which may be beyond the last row; nil in the frame
    /// and in the row being typed.
    fileprivate func row(at point: Point, from top: Int, newRow: Int?) -> Int? {
        guard rows.contains(point) else { return nil }
        let row = top + point.y - rows.y
        guard let newRow, row >= newRow else { return row }
        return row == newRow ? nil : row - 1
    }
}
