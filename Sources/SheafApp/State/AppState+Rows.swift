import SheafList

/// The row numbers of both panes, for the views that draw them and the reducers that move through
/// them.
extension AppState {
    /// The two fixed rows of the tags pane, between the views and the tags.
    private static let fixedChoices: [TagChoice] = [.all, .untagged]

    /// The number of rows in the tags pane, not counting an open draft.
    package var tagRowCount: Int { views.count + choiceCount }

    /// Returns the view or the choice in a row of the tags pane. O(log rows).
    package func tagPaneRow(at row: Int) -> TagPaneRow {
        row < views.count
            ? .view(views.ids[max(row, 0)]) : .choice(tagChoice(at: row - views.count))
    }

    /// Returns the number of a row of the tags pane. For a deleted view this is 0; for a deleted
    /// tag it is the row of all items. O(log rows).
    package func row(of row: TagPaneRow) -> Int {
        switch row {
        case .view(let id): views.position(of: id) ?? 0
        case .choice(let choice): views.count + place(of: choice)
        }
    }

    private var choiceCount: Int { Self.fixedChoices.count + tags.count }

    /// Returns the choice at `place` below the views, or the nearest existing one. O(log tags).
    func tagChoice(at place: Int) -> TagChoice {
        let place = max(0, min(place, choiceCount - 1))
        if place < Self.fixedChoices.count { return Self.fixedChoices[place] }
        return .tag(tags.ids[place - Self.fixedChoices.count])
    }

    /// Returns the place of `choice` below the views, or 0 for a deleted tag. O(log tags).
    func place(of choice: TagChoice) -> Int {
        switch choice {
        case .all: 0
        case .untagged: 1
        case .tag(let id): tags.position(of: id).map { $0 + Self.fixedChoices.count } ?? 0
        }
    }

    /// The row of the new item being typed or of the item being renamed, or nil.
    var draftItemRow: Int? {
        switch ui.mode.draft?.target {
        case .renamedItem(let id): rows.row(of: id)
        case .newItem, .newItemAtEnd: newItemRow
        case .renamedTag, .newTag, .renamedView, .newView, nil: nil
        }
    }

    /// The row of the new item being typed, or nil if there is none.
    package var newItemRow: Int? {
        switch ui.mode.draft?.target {
        case .newItem(below: let id): id.flatMap { rows.row(of: $0) }.map { $0 + 1 } ?? 0
        case .newItemAtEnd: rows.count
        default: nil
        }
    }

    /// The row of the tag or view being typed or renamed, or nil.
    var draftTagRow: Int? {
        switch ui.mode.draft?.target {
        case .renamedTag(let id): row(of: .choice(.tag(id)))
        case .renamedView(let id): row(of: .view(id))
        default: newTagRow
        }
    }

    /// The row of the new tag or view being typed, or nil if there is none.
    package var newTagRow: Int? {
        switch ui.mode.draft?.target {
        case .newTag(below: let id): id.map { row(of: .choice(.tag($0))) + 1 } ?? tagRowCount
        case .newView: views.count
        default: nil
        }
    }
}

extension AppState {
    /// Returns the screen row of an item, or nil if it is out of sight. O(log n).
    package func screenRow(of item: Item.ID) -> Int? {
        rows.row(of: item).flatMap { screenLine(ofRow: $0, Layout(self)) }
    }
}
