import SheafList

/// The tables of a list, one for each kind of entity.
final class EntityTables {
    let items: ItemTable
    private let small: [ObjectIdentifier: AnyObject]
    private let tagNames: SQLiteStatement
    private let freeName: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        items = try ItemTable(on: connection)
        tagNames = try connection.statement("SELECT id, folded_name FROM tags")
        // Folded names have no white space at their ends, so no tag can have this name.
        freeName = try connection.statement(
            "UPDATE OR ABORT tags SET folded_name = ' ' || id WHERE id = ?1")
        var small: [ObjectIdentifier: AnyObject] = [:]
        func open<Entity: SmallEntity>(_ kind: Entity.Type) throws {
            small[ObjectIdentifier(kind)] = try SmallTable<Entity>(on: connection)
        }
        for kind in Kinds.small { try open(kind) }
        self.small = small
    }

    /// The table of a kind that is read as a whole.
    subscript<Entity: SmallEntity>(_ kind: Entity.Type) -> SmallTable<Entity> {
        guard let table = small[ObjectIdentifier(kind)] as? SmallTable<Entity> else {
            preconditionFailure("\(kind) is not among Kinds.small")
        }
        return table
    }

    /// Returns the folded names by which tags are compared, of the tags with valid ids. They are
    /// stored in a column of their own.
    func foldedTagNames() throws -> [Tag.ID: String] {
        defer { tagNames.reset() }
        var names: [Tag.ID: String] = [:]
        while try tagNames.step() {
            if let id = tagNames.uuid(0) { names[id] = tagNames.text(1) }
        }
        return names
    }

    /// Releases the folded name of the tag `id`, so that another tag can take the name.
    func releaseName(of id: Tag.ID) throws {
        try freeName.bind(id, at: 1)
        try freeName.run()
    }
}
