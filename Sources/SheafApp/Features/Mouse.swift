import SheafList

/// What the left button and the wheel do. Each report stands for another action, which keys could
/// have asked for as well.
public enum MouseAction: Hashable, Sendable {
    /// The button went down at a cell, on what lies there.
    case pressed(at: Point, on: MouseTarget)
    /// The pointer moved to another cell with the button down.
    case dragged(over: MouseTarget)
    case released(on: MouseTarget)
    /// So many steps of the wheel, down if above zero.
    case wheeled(steps: Int, over: MouseTarget)
    /// The same over the inspector, of whose text `last` is the last line that can be at the top.
    case wheeledInspector(steps: Int, last: Int)
    /// The user turns the mouse on or off.
    case toggled
    /// The terminal cannot report the mouse. A message says so if the user has just turned it on.
    case missing(isAnswer: Bool)
}

/// The part of the screen under the pointer. A row is identified by its item, tag or view, never by
/// a number: a report that waits behind keys is about the row that the user saw.
public enum MouseTarget: Hashable, Sendable {
    case item(Item.ID)
    case tagRow(TagPaneRow)
    /// A pane, where it has no row.
    case pane(Pane)
    /// Neither: the header, the status line, a box above the panes, nothing of the screen at all.
    case nothing

    /// The pane that it belongs to.
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
    static let reducer = MouseReducer()

    var traits: ActionTraits {
        var traits = ActionTraits.program
        switch self {
        case .pressed, .dragged, .wheeled, .wheeledInspector, .toggled, .missing: break
        case .released(let target):
            traits.undo = { state in
                state.drop(on: target).map { AppAction.undoRole(of: $0, before: state) } ?? .ignored
            }
        }
        return traits
    }
}

/// What of the mouse outlasts a report.
public struct MouseState: Sendable {
    /// True if the terminal is to report it. The terminal follows this value.
    public var isOn = true
    /// The item that the button went down on, until it goes up.
    private(set) var held: Item.ID?
    /// What the held item is being dragged over, once that is something else.
    private var target: MouseTarget?
    /// The toast that says what letting go would do.
    private var toast: Int?
    private var lastPress: Press?

    private struct Press {
        var point: Point
        var target: MouseTarget
        var time: Timestamp
    }

    /// The longest time between the two presses of a double click, in milliseconds.
    private static let doubleClick: Int64 = 400

    /// Whether a held item is on its way.
    var isDragging: Bool { target != nil }

    /// Takes a press, and says whether it is the second of a double click. A third one is none.
    fileprivate mutating func press(_ point: Point, _ target: MouseTarget, at now: Timestamp)
        -> Bool
    {
        let isDouble = lastPress.map { last in
            last.point == point && last.target == target
                && 0...Self.doubleClick ~= now.milliseconds - last.time.milliseconds
        }
        lastPress = isDouble == true ? nil : Press(point: point, target: target, time: now)
        return isDouble ?? false
    }

    fileprivate mutating func hold(_ item: Item.ID?) {
        held = item
        target = nil
    }

    /// Takes a drag, and says whether there is something new to say about it.
    fileprivate mutating func drag(over new: MouseTarget) -> Bool {
        guard let held, target != new, target != nil || new != .item(held) else { return false }
        target = new
        lastPress = nil
        return true
    }

    fileprivate mutating func said(_ toast: Int) { self.toast = toast }

    /// Ends a drag, and says whether `serial` is the toast about it.
    mutating func letGo(toast serial: Int?) -> Bool {
        hold(nil)
        defer { toast = nil }
        return serial != nil && serial == toast
    }
}

struct MouseReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: MouseAction, environment: AppEnvironment
    ) -> Effect? {
        guard state.ui.mouse.isOn || action == .toggled else { return nil }
        let meaning: AppAction?
        switch action {
        case .toggled:
            state.letGo()
            state.ui.mouse.isOn.toggle()
            state.ui.show(
                state.ui.mouse.isOn ? "Mouse on; hold Shift to select text" : "Mouse off")
            return nil
        case .missing(let isAnswer):
            state.ui.mouse.isOn = false
            if isAnswer { state.ui.show("This terminal does not support a mouse", isAlert: true) }
            return nil
        case .pressed(let point, let target):
            meaning = press(&state, point, target, environment)
        case .dragged(let target):
            if state.takesCommands, state.ui.mouse.drag(over: target) { sayDrop(&state, target) }
            meaning = nil
        case .released(let target):
            meaning = state.drop(on: target)
            state.letGo()
        case .wheeled(let steps, let target):
            meaning = state.scroll(by: steps, over: target)
            // The dragged item stays selected out of sight.
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
        // A button that went up elsewhere is not reported by every terminal.
        state.letGo()
        // Above the panes, and while a line is typed, a click would be a guess at what is meant.
        guard state.takesCommands, state.has(target) else { return nil }
        let isDouble = state.ui.mouse.press(point, target, at: environment.now())
        switch target {
        case .item(let id):
            if isDouble, state.ui.selectedItem == id { return .items(.renameRequested) }
            state.ui.mouse.hold(id)
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

    /// Says what letting go would do: nothing else shows it.
    private func sayDrop(_ state: inout AppState, _ target: MouseTarget) {
        guard let item = state.ui.mouse.held.flatMap({ state.items[$0] }) else { return }
        let what = state.wordsForDragged(with: item)
        switch (state.drop(on: target), target) {
        case (.items(.tagged)?, .tagRow(.choice(.tag(let id)))):
            state.ui.show("Add \(state.tags[id]?.label ?? "tag"): \(what)")
        case (.items(.placed)?, _): state.ui.show(state.moveRefusal ?? "Move here: \(what)")
        default: state.ui.show("Leave in place: \(what)")
        }
        state.ui.mouse.said(state.ui.toastSerial)
    }
}

extension AppState {
    /// What letting go of the held item on `target` means, or nil if nothing.
    func drop(on target: MouseTarget) -> AppAction? {
        guard takesCommands, ui.mouse.isDragging, let item = ui.mouse.held, items.contains(item),
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

    fileprivate func wordsForDragged(with item: Item) -> String {
        let count = group(with: item.id).count
        guard count > 1 else { return "“\(item.name)”" }
        let hidden = ui.marks.hiddenCount ?? 0
        return count.items + (hidden > 0 ? ", \(hidden) of them hidden" : "")
    }

    /// Ends a drag without a drop.
    mutating func letGo() {
        ui.itemScroll.isAway = false
        if ui.mouse.letGo(toast: ui.toast?.serial) { ui.toast = nil }
    }

    /// What has to be here before `action` can be done: what is shown can be pointed at, but a row
    /// is only moved where its neighbours are known, and marked ones go along once all are.
    public func need(of action: MouseAction) -> Need {
        guard case .released(let target) = action else { return .nothing }
        return switch drop(on: target) {
        case .items(.placed): ui.marks.isEmpty ? .rows(to: "move") : .marked(to: "move")
        case .items(.tagged): ui.marks.isEmpty ? .nothing : .marked(to: "tag")
        default: .nothing
        }
    }

    /// Whether what was pointed at is still there.
    fileprivate func has(_ target: MouseTarget) -> Bool {
        switch target {
        case .item(let id): items.contains(id)
        case .tagRow(.choice(.tag(let id))): tags.contains(id)
        case .tagRow(.view(let id)): views.contains(id)
        case .tagRow, .pane, .nothing: true
        }
    }

    /// The rows that a step of the wheel scrolls a list by.
    public static let rowsPerStep = 3

    /// What the wheel does: in a box, whatever lies under the pointer.
    fileprivate func scroll(by steps: Int, over target: MouseTarget) -> AppAction? {
        guard !leaving.isAsking else { return nil }
        let rows = steps * Self.rowsPerStep
        switch ui.mode {
        case .normal, .filter:
            return target.pane.flatMap { pane in
                // What fits has nowhere to go: an early turn of the wheel is no wish.
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
    /// The part of the screen at a cell, as it is drawn now. O(log n).
    public func mouseTarget(at point: Point) -> MouseTarget {
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

    /// The row of the list at `point`, which may be none of those that it has: nil in the frame,
    /// and in the row that is being typed.
    fileprivate func row(at point: Point, from top: Int, newRow: Int?) -> Int? {
        guard rows.contains(point) else { return nil }
        let row = top + point.y - rows.y
        guard let newRow, row >= newRow else { return row }
        return row == newRow ? nil : row - 1
    }
}
