import SheafList

/// The rows of `views`.
///
/// None of them refers to a tag that is not there, unless a hand made it so: such a view is read as
/// one without a tag.
final class ViewTable {
    private let rows: SmallTable<SavedView>
    private let detach: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        rows = try SmallTable("views", on: connection)
        detach = try connection.statement(
            "UPDATE OR ABORT views SET tag = NULL, commit_number = ?2 WHERE tag = ?1 RETURNING id")
    }

    /// As ``SmallTable/load(writtenAfter:)``, with those of `tags` that exist.
    func load(writtenAfter number: Int64 = .min, tags: TagSets) throws -> [SavedView] {
        try rows.load(writtenAfter: number).map { $0.withoutTag { !tags.contains($0) } }
    }

    /// Writes `view` in the commit `number`.
    func save(_ view: SavedView, in number: Int64) throws { try rows.save(view, in: number) }

    /// Takes the tag `tag` off the views that choose it, in the commit `number`, and returns those.
    func detach(_ tag: Tag.ID, in number: Int64) throws -> [SavedView.ID] {
        defer { detach.reset() }
        try detach.bind(tag, at: 1)
        try detach.bind(number, at: 2)
        var ids: [SavedView.ID] = []
        while try detach.step() {
            if let id = detach.uuid(0) { ids.append(id) }
        }
        return ids
    }

    /// Deletes the view `id`, if it is there.
    func delete(_ id: SavedView.ID) throws { try rows.delete(id) }
}
