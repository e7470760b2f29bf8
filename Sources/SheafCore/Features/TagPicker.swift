import Foundation

/// `t`: puts tags on the selected item and takes them off, by typing a part of the name.
public enum TagPickerAction: Hashable, Sendable {
    case opened
    case moved(rows: Int)
    /// Enter: the highlighted tag goes on or off, and the picker closes.
    case chosen
    /// Tab: the highlighted tag goes on or off, and the picker stays.
    case toggled
    case closed
}

/// The picker while it is open.
public struct TagPicker: Hashable, Sendable {
    public var item: Item.ID
    public var line = LineEditor()
    public var highlighted = 0

    /// A row: a tag that there is, or the one that typing would make.
    public enum Row: Hashable, Sendable {
        case tag(Tag)
        case create(String)
    }

    init(item: Item.ID) {
        self.item = item
    }

    /// The tags that contain what was typed, those that begin with it first; then, unless one is named just so, the
    /// row that creates it. O(tags).
    public func rows(in state: AppState) -> [Row] {
        let typed = Tag.name(fromTyped: line.text)
        guard !typed.isEmpty else { return state.tags.values.map(Row.tag) }
        let folded = Tag.fold(typed)
        var beginning: [Row] = []
        var containing: [Row] = []
        var isTaken = false
        for tag in state.tags {
            let name = tag.foldedName
            if name == folded { isTaken = true }
            if tag.begins(with: folded) {
                beginning.append(.tag(tag))
            } else if name.contains(folded) {
                containing.append(.tag(tag))
            }
        }
        return beginning + containing + (isTaken ? [] : [.create(typed)])
    }

    /// The first row that begins with what was typed; where none does, the one that creates it.
    mutating func highlightBestRow(in state: AppState) {
        let rows = rows(in: state)
        let folded = Tag.fold(Tag.name(fromTyped: line.text))
        if case .tag(let first)? = rows.first, first.begins(with: folded) {
            highlighted = 0
        } else {
            highlighted = max(rows.count - 1, 0)
        }
    }
}

struct TagPickerReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: TagPickerAction, environment: AppEnvironment
    ) -> Effect? {
        if action == .opened {
            guard let item = state.selectedItem else { return nil }
            state.ui.mode = .tagPicker(TagPicker(item: item.id))
            return nil
        }
        guard case .tagPicker(var picker) = state.ui.mode else { return nil }
        let rows = picker.rows(in: state)
        switch action {
        case .opened:
            break
        case .closed:
            state.ui.mode = .normal
        case .moved(let step):
            picker.highlighted = max(0, min(picker.highlighted + step, rows.count - 1))
            state.ui.mode = .tagPicker(picker)
        case .chosen:
            state.ui.mode = .normal
            toggle(rows, picker, &state, environment)
        case .toggled:
            toggle(rows, picker, &state, environment)
            picker.line = LineEditor()
            picker.highlighted = highlightedRow(rows, picker, state)
            state.ui.mode = .tagPicker(picker)
        }
        return nil
    }

    private func toggle(
        _ rows: [TagPicker.Row], _ picker: TagPicker, _ state: inout AppState,
        _ environment: AppEnvironment
    ) {
        guard rows.indices.contains(picker.highlighted) else { return }
        guard state.items.contains(picker.item) else {
            state.ui.show("The item was deleted elsewhere meanwhile", isAlert: true)
            return
        }
        let id: Tag.ID
        switch rows[picker.highlighted] {
        case .tag(let tag):
            id = tag.id
        case .create(let name):
            id = environment.makeID()
            state.addTag(named: name, id: id)
        }
        state.items.edit(picker.item, at: environment.now()) { item in
            if item.tags.remove(id) == nil { item.tags.insert(id) }
        }
    }

    /// Where the tag just toggled stands once the line is empty again.
    private func highlightedRow(
        _ rows: [TagPicker.Row], _ picker: TagPicker, _ state: AppState
    ) -> Int {
        guard rows.indices.contains(picker.highlighted) else { return 0 }
        switch rows[picker.highlighted] {
        case .tag(let tag): return state.tags.position(of: tag.id) ?? 0
        case .create: return max(state.tags.count - 1, 0)
        }
    }
}
