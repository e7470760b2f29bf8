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
    /// The highlight is a tag, never a row number: it stays when rows come and go around it.
    private var highlighted: Row.ID?
    /// The row of ``highlighted`` when it was last seen: the one that takes over when its tag goes.
    public private(set) var highlightedRow = 0

    /// A row: a tag that there is, or the one that typing would make.
    public enum Row: Hashable, Sendable, Identifiable {
        case tag(Tag)
        case create(String)

        public enum ID: Hashable, Sendable {
            case tag(Tag.ID), create
        }

        public var id: ID {
            switch self {
            case .tag(let tag): .tag(tag.id)
            case .create: .create
            }
        }
    }

    init(item: Item.ID) {
        self.item = item
    }

    /// The tags that contain what was typed, those that begin with it first; then, unless one is
    /// named just so, the row that creates it. O(tags).
    public func rows(in state: AppState) -> [Row] {
        guard let typed = Tag.name(from: line.text) else { return state.tags.values.map(Row.tag) }
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
        let folded = Tag.fold(Tag.name(from: line.text) ?? "")
        if case .tag(let first)? = rows.first, first.begins(with: folded) {
            highlight(0, of: rows)
        } else {
            highlight(rows.count - 1, of: rows)
        }
    }

    /// Highlights a row of `rows`, or the nearest that there is.
    mutating func highlight(_ row: Int, of rows: [Row]) {
        highlightedRow = max(0, min(row, rows.count - 1))
        highlighted = rows.isEmpty ? nil : rows[highlightedRow].id
    }

    mutating func highlight(_ tag: Tag.ID) { highlighted = .tag(tag) }

    /// Finds the highlight again among rows that may be others now. A tag that is gone leaves it to
    /// the row that took its place, or to what fits best what was typed; a tag that is no longer to
    /// be made, to the one of its name.
    mutating func settleHighlight(in state: AppState) {
        let rows = rows(in: state)
        if let row = rows.firstIndex(where: { $0.id == highlighted }) {
            highlightedRow = row
        } else if line.isEmpty {
            highlight(highlightedRow, of: rows)
        } else if highlighted == .create,
            let tag = Tag.name(from: line.text).flatMap(state.tag(named:)),
            let row = rows.firstIndex(where: { $0.id == .tag(tag.id) })
        {
            highlight(row, of: rows)
        } else {
            highlightBestRow(in: state)
        }
    }
}

struct TagPickerReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: TagPickerAction, environment: AppEnvironment
    ) -> Effect? {
        if action == .opened {
            guard let item = state.chosenItem() else { return nil }
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
            picker.highlight(picker.highlightedRow + step, of: rows)
            state.ui.mode = .tagPicker(picker)
        case .chosen:
            state.ui.mode = .normal
            _ = toggle(rows, picker, &state, environment)
        case .toggled:
            if let tag = toggle(rows, picker, &state, environment) { picker.highlight(tag) }
            picker.line = LineEditor()
            state.ui.mode = .tagPicker(picker)
        }
        return nil
    }

    /// Puts the highlighted tag on or takes it off, and returns it.
    private func toggle(
        _ rows: [TagPicker.Row], _ picker: TagPicker, _ state: inout AppState,
        _ environment: AppEnvironment
    ) -> Tag.ID? {
        guard rows.indices.contains(picker.highlightedRow) else { return nil }
        guard state.items.contains(picker.item) else {
            state.ui.show("The item was deleted elsewhere meanwhile", isAlert: true)
            return nil
        }
        let id: Tag.ID
        switch rows[picker.highlightedRow] {
        case .tag(let tag):
            id = tag.id
        case .create(let name):
            id = environment.makeID()
            state.addTag(named: name, id: id)
        }
        state.items.edit(picker.item, at: environment.now()) { item in
            if item.tags.remove(id) == nil { item.tags.insert(id) }
        }
        return id
    }
}
