import SheafList

/// The tables of a list, one for each kind of entity.
final class EntityTables {
    let items: ItemTable
    let tagNames: TagNames
    private let small: [ObjectIdentifier: AnyObject]

    init(on connection: SQLiteConnection) throws {
        items = try ItemTable(on: connection)
        tagNames = try TagNames(on: connection)
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
}
