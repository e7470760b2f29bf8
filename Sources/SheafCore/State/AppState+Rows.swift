/// The rows of both panes, as numbers: what the views draw and the reducers move through.
extension AppState {
    /// The two fixed rows of the tags pane come before the tags.
    static let fixedTagRows: [TagChoice] = [.all, .untagged]

    /// The number of rows in the tags pane, without an open draft.
    public var tagRowCount: Int { Self.fixedTagRows.count + tags.count }

    /// The choice that the row stands for. O(log tags).
    public func tagChoice(at row: Int) -> TagChoice {
        if row < Self.fixedTagRows.count { return Self.fixedTagRows[max(row, 0)] }
        return .tag(tags.id(at: row - Self.fixedTagRows.count))
    }

    /// The row of `choice`; of a deleted tag, the first. O(log tags).
    public func row(of choice: TagChoice) -> Int {
        switch choice {
        case .all: 0
        case .untagged: 1
        case .tag(let id): tags.position(of: id).map { $0 + Self.fixedTagRows.count } ?? 0
        }
    }

    /// The row at which a new item is being typed, or the row of the item that is renamed, or nil.
    var draftItemRow: Int? {
        switch ui.mode.draft?.target {
        case .renamedItem(let id): rows.row(of: id)
        case .newItem, .newItemAtEnd: newItemRow
        case .renamedTag, .newTag, nil: nil
        }
    }

    /// The row that an item being typed pushes in, or nil if none is.
    public var newItemRow: Int? {
        switch ui.mode.draft?.target {
        case .newItem(below: let id): id.flatMap { rows.row(of: $0) }.map { $0 + 1 } ?? 0
        case .newItemAtEnd: rows.count
        default: nil
        }
    }

    /// The row at which a tag is typed or renamed, or nil.
    var draftTagRow: Int? {
        if case .renamedTag(let id) = ui.mode.draft?.target { return row(of: .tag(id)) }
        return newTagRow
    }

    /// The row that a tag being typed pushes in, or nil if none is.
    public var newTagRow: Int? {
        guard case .newTag(below: let id) = ui.mode.draft?.target else { return nil }
        return id.map { row(of: .tag($0)) + 1 } ?? tagRowCount
    }
}
