import SheafList

/// `t`: adds tags to the marked items, or else to the current one, or removes them. The user types
/// part of a tag's name.
package enum TagPickerAction: Hashable, Sendable {
    case opened
    case moved(rows: Int)
    /// Enter: adds or removes the highlighted tag, and closes the picker.
    case chosen
    /// Tab: adds or removes the highlighted tag, and keeps the picker open.
    case toggled
    case closed
    /// The number of items with each tag, as counted on another thread.
    case counted(TagUses)
}

extension TagPickerAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .opened: return .request(under: .tags, verb: "tag")
        case .moved, .closed: return .user(under: .tags)
        case .chosen, .toggled:
            // Creating a tag and adding it to many items by a bulk command is one step.
            var traits = ActionTraits.user(under: .tags)
            traits.undo = { .part(of: $0.ui.bulks + 1, name: "tag") }
            return traits
        case .counted: return .program
        }
    }
}

/// The open picker.
package struct TagPicker: Hashable, Sendable {
    package let items: Set<Item.ID>
    /// The number of the items with each tag, or nil while they are being counted.
    package private(set) var uses: [Tag.ID: Int]?
    /// The number of the items that still exist.
    package private(set) var itemCount: Int
    /// The revision of the items that were last counted, or are being counted.
    private var counted: Revision?
    package var line = LineEditor()
    /// The highlighted row. It is not a row number, so that the highlight stays in place when other
    /// rows come and go.
    private var highlighted: Row?
    /// The reason why the next Enter or Tab is refused, or nil: another process has deleted or
    /// renamed the highlighted tag, has added it to an item, or has removed it from one. A key that
    /// highlights a row clears the reason.
    fileprivate(set) var loss: String?
    /// The last known place of the highlighted row. If its tag is deleted, the row that moves to
    /// this place is highlighted.
    package private(set) var highlightedRow = 0

    /// A row: an existing tag, or one to create with the typed name.
    package enum Row: Hashable, Sendable, Identifiable {
        case tag(Tag)
        case create(String)

        package enum ID: Hashable, Sendable {
            case tag(Tag.ID), create
        }

        package var id: ID {
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

    /// Counts the tags of the items again if the items have changed: at once for up to `most`
    /// items, else through the returned effect.
    mutating func count(in items: EntityStore<Item>, most: Int) -> Effect? {
        guard counted != items.revision else { return nil }
        counted = items.revision
        guard self.items.count > most else {
            apply(TagUses(of: self.items, in: items))
            return nil
        }
        return Effects.cancellable(id: EffectID.tagUses, cancelInFlight: true) {
            [ids = self.items] send in
            await send(.tagPicker(.counted(await TagUses.found(of: ids, in: items))))
        }
    }

    /// Adopts the counts of an effect, unless the items have changed since.
    mutating func apply(_ found: TagUses) {
        guard found.revision == counted else { return }
        (uses, itemCount) = (found.uses, found.itemCount)
    }

    /// Returns the tags that contain the typed text: first those of that name, with or without
    /// their sigil, then those that begin with it. A row that creates a tag follows, unless a tag
    /// has exactly that name. O(tags).
    package func rows(in state: AppState) -> [Row] {
        guard let typed = Tag.name(from: line.text) else { return state.tags.values.map(Row.tag) }
        let folded = Tag.fold(typed)
        var named: [Row] = []
        var beginning: [Row] = []
        var containing: [Row] = []
        var isTaken = false
        for tag in state.tags {
            let name = tag.foldedName
            if name == folded {
                isTaken = true
                named.insert(.tag(tag), at: 0)
            } else if tag.isNamed(folded) {
                named.append(.tag(tag))
            } else if tag.begins(with: folded) {
                beginning.append(.tag(tag))
            } else if name.contains(folded) {
                containing.append(.tag(tag))
            }
        }
        return named + beginning + containing + (isTaken ? [] : [.create(typed)])
    }

    /// Highlights the first row that begins with the typed text, or else the row that creates a
    /// tag.
    mutating func highlightBestRow(in state: AppState) {
        let rows = rows(in: state)
        let folded = Tag.fold(Tag.name(from: line.text) ?? "")
        if case .tag(let first)? = rows.first, first.begins(with: folded) {
            highlight(0, of: rows)
        } else {
            highlight(rows.count - 1, of: rows)
        }
    }

    /// Highlights a row of `rows`, or the nearest existing one.
    mutating func highlight(_ row: Int, of rows: [Row]) {
        highlightedRow = max(0, min(row, rows.count - 1))
        highlighted = rows.isEmpty ? nil : rows[highlightedRow]
        loss = nil
    }

    mutating func highlight(_ tag: Tag) { highlighted = .tag(tag) }

    /// Refuses the next Enter or Tab if another process has added the highlighted tag to an item of
    /// the picker, or removed it from one. `former` holds the items' values before the change.
    /// O(changes).
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
            loss = "\(tag.label) was \(had ? "removed" : "added") by another process"
        }
    }

    /// Finds the highlighted row after the rows have changed: by its tag, else by its name. If the
    /// row is gone, highlights the best match of the typed text, or without a text the row that has
    /// taken its place. If another process has deleted or renamed the tag, sets ``loss``.
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
            loss = "\(tag.label) was renamed to \(now.label) by another process"
        } else if row == nil {
            loss = "\(tag.label) was deleted by another process"
        }
    }
}

/// The number of items with each tag, for a set of items.
package struct TagUses: Hashable, Sendable {
    fileprivate let uses: [Tag.ID: Int]
    fileprivate let itemCount: Int
    /// The revision of the items that were counted.
    fileprivate let revision: Revision

    /// Counts the tags of the items `ids`. O(`ids`).
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

    /// Returns the counts, computed on another thread.
    @concurrent static func found(
        of ids: Set<Item.ID>, in items: EntityStore<Item>
    ) async -> TagUses { TagUses(of: ids, in: items) }
}

extension TagPickerAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        if self == .opened {
            let items = state.subjects()
            guard !items.isEmpty else { return nil }
            state.ui.mode = .tagPicker(TagPicker(items: items))
            return nil
        }
        guard case .tagPicker(var picker) = state.ui.mode else { return nil }
        if case .counted(let found) = self {
            picker.apply(found)
            state.ui.mode = .tagPicker(picker)
            return nil
        }
        let rows = picker.rows(in: state)
        if self == .chosen || self == .toggled, let loss = picker.loss {
            picker.loss = nil
            state.ui.mode = .tagPicker(picker)
            state.ui.refuse("Cannot tag: \(loss)", isAlert: true)
            return nil
        }
        switch self {
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

    /// Returns the highlighted tag, and creates it first if necessary.
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

    /// Adds a tag to all items, or removes it if all items have it.
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
