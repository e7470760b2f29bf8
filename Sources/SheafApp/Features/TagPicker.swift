import SheafList

/// `t`: puts tags on the marked or else the current item and takes them off, by typing a part of
/// the name.
public enum TagPickerAction: Hashable, Sendable {
    case opened
    case moved(rows: Int)
    /// Enter: the highlighted tag goes on or off, and the picker closes.
    case chosen
    /// Tab: the highlighted tag goes on or off, and the picker stays.
    case toggled
    case closed
    /// How many of many items have each tag.
    case counted(TagUses)
}

extension TagPickerAction: FeatureAction {
    static let reducer = TagPickerReducer()

    var traits: ActionTraits {
        switch self {
        case .opened: return .request(under: .tags, verb: "tag")
        case .moved, .closed: return .user(under: .tags)
        case .chosen, .toggled:
            // A new tag and the bulk command that puts it on many items are one step.
            var traits = ActionTraits.user(under: .tags)
            traits.undo = { .part(of: $0.ui.bulks + 1, name: "tag") }
            return traits
        case .counted: return .program
        }
    }
}

/// The picker while it is open.
public struct TagPicker: Hashable, Sendable {
    public let items: Set<Item.ID>
    /// How many of the items have each tag, or nil while that is found out.
    public private(set) var uses: [Tag.ID: Int]?
    /// The number of the items that still exist.
    public private(set) var itemCount: Int
    /// What they were counted in, or are being counted in.
    private var counted: Revision?
    public var line = LineEditor()
    /// The highlight is a tag, never a row number: it stays when rows come and go around it.
    private var highlighted: Row?
    /// The reason why Enter or Tab is refused: another process has deleted or renamed the tag of
    /// the highlighted row, or has added or removed it, and no key has chosen a row since.
    fileprivate(set) var loss: String?
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

        var name: String {
            switch self {
            case .tag(let tag): tag.name
            case .create(let name): name
            }
        }
    }

    init(items: Set<Item.ID>) {
        self.items = items
        itemCount = items.count
    }

    /// Counts the tags of the items anew where these have changed: at once up to `most` of them,
    /// else by the effect that is returned.
    mutating func count(in items: EntityStore<Item>, most: Int) -> Effect? {
        guard counted != items.revision else { return nil }
        counted = items.revision
        guard self.items.count > most else {
            take(TagUses(of: self.items, in: items))
            return nil
        }
        return Effects.cancellable(id: TagUses.ID(), cancelInFlight: true) {
            [ids = self.items] send in
            await send(.tagPicker(.counted(await TagUses.found(of: ids, in: items))))
        }
    }

    /// What an effect found, unless the items have changed again since.
    mutating func take(_ found: TagUses) {
        guard found.revision == counted else { return }
        (uses, itemCount) = (found.uses, found.itemCount)
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
        highlighted = rows.isEmpty ? nil : rows[highlightedRow]
        loss = nil
    }

    mutating func highlight(_ tag: Tag) { highlighted = .tag(tag) }

    /// Compares the items of the picker in `state` with `former`, their values before another
    /// process changed them. O(changes).
    mutating func noteChanges(of former: [Item], in state: AppState) {
        let highlightedTag: Tag? =
            switch highlighted {
            case .tag(let tag): state.tags[tag.id]
            case .create(let name): state.tags.first(named: name)
            case nil: nil
            }
        guard let tag = highlightedTag else { return }
        for item in former where items.contains(item.id) {
            let had = item.tags.contains(tag.id)
            guard let now = state.items[item.id], now.tags.contains(tag.id) != had else { continue }
            loss = "\(tag.label) was \(had ? "removed" : "added") elsewhere"
        }
    }

    /// Finds the highlight again among rows that may be others now: its tag, else the row of the
    /// same name. A deleted tag leaves it to the row that takes its place, or to the best match
    /// of the typed text.
    mutating func settleHighlight(in state: AppState) {
        let rows = rows(in: state)
        let earlier = (row: highlighted, loss: loss)
        let row =
            rows.firstIndex { $0.id == earlier.row?.id }
            ?? earlier.row.flatMap { state.tags.first(named: $0.name) }.flatMap { tag in
                rows.firstIndex { $0.id == .tag(tag.id) }
            }
        if let row {
            highlight(row, of: rows)
        } else if line.isEmpty {
            highlight(highlightedRow, of: rows)
        } else {
            highlightBestRow(in: state)
        }
        loss = earlier.loss
        guard case .tag(let tag) = earlier.row else { return }
        if let now = state.tags[tag.id], now.name != tag.name {
            loss = "\(tag.label) was renamed to \(now.label) elsewhere"
        } else if row == nil {
            loss = "\(tag.label) was deleted elsewhere"
        }
    }
}

/// How many of some items have each tag.
public struct TagUses: Hashable, Sendable {
    struct ID: Hashable {}

    fileprivate let uses: [Tag.ID: Int]
    fileprivate let itemCount: Int
    /// What they were counted in.
    fileprivate let revision: Revision

    /// O(ids).
    init(of ids: Set<Item.ID>, in items: EntityStore<Item>) {
        var uses: [Tag.ID: Int] = [:]
        var itemCount = 0
        for id in ids {
            guard let item = items[id] else { continue }
            itemCount += 1
            for tag in item.tags { uses[tag, default: 0] += 1 }
        }
        (self.uses, self.itemCount) = (uses, itemCount)
        revision = items.revision
    }

    /// The same on another thread.
    @concurrent static func found(
        of ids: Set<Item.ID>, in items: EntityStore<Item>
    ) async -> TagUses { TagUses(of: ids, in: items) }
}

struct TagPickerReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: TagPickerAction, environment: AppEnvironment
    ) -> Effect? {
        if action == .opened {
            let items = state.subjects()
            guard !items.isEmpty else { return nil }
            state.ui.mode = .tagPicker(TagPicker(items: items))
            return nil
        }
        guard case .tagPicker(var picker) = state.ui.mode else { return nil }
        if case .counted(let found) = action {
            picker.take(found)
            state.ui.mode = .tagPicker(picker)
            return nil
        }
        let rows = picker.rows(in: state)
        if action == .chosen || action == .toggled, let loss = picker.loss {
            picker.loss = nil
            state.ui.mode = .tagPicker(picker)
            state.ui.refuse("Cannot tag: \(loss)", isAlert: true)
            return nil
        }
        switch action {
        case .opened, .counted:
            break
        case .closed:
            state.ui.mode = .normal
            state.ui.discard(picker.line)
        case .moved(let step):
            picker.highlight(picker.highlightedRow + step, of: rows)
            state.ui.mode = .tagPicker(picker)
        case .chosen:
            state.ui.mode = .normal
            return tag(at: rows, picker, &state, environment).flatMap {
                toggle($0, picker, &state, environment)
            }
        case .toggled:
            guard let tag = tag(at: rows, picker, &state, environment) else { return nil }
            if let tag = state.tags[tag] { picker.highlight(tag) }
            picker.line = LineEditor()
            state.ui.mode = .tagPicker(picker)
            return toggle(tag, picker, &state, environment)
        }
        return nil
    }

    /// The highlighted tag, which is made if it is to be.
    private func tag(
        at rows: [TagPicker.Row], _ picker: TagPicker, _ state: inout AppState,
        _ environment: AppEnvironment
    ) -> Tag.ID? {
        guard rows.indices.contains(picker.highlightedRow) else { return nil }
        guard picker.items.contains(where: state.items.contains) else {
            state.ui.show("Cannot tag: \(picker.items.deletion)", isAlert: true)
            return nil
        }
        switch rows[picker.highlightedRow] {
        case .tag(let tag): return tag.id
        case .create(let name): return state.addTag(named: name, environment)
        }
    }

    /// Puts a tag on all items, or takes it off where all have it.
    private func toggle(
        _ tag: Tag.ID, _ picker: TagPicker, _ state: inout AppState, _ environment: AppEnvironment
    ) -> Effect? {
        guard let tag = state.tags[tag] else { return nil }
        return state.change(.tag(tag.id), count: picker.items.count, environment) {
            let items = $0.inOrder(picker.items)
            let isOn = !items.allSatisfy { $0.tags.contains(tag.id) }
            return .edited(items.map(\.id), isOn ? .add(tag) : .remove(tag))
        }
    }
}
