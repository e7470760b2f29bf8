import FoundationEssentials
import SheafList
import Swidux

/// The readable content of a damaged list.
struct Salvage {
    /// A readable row.
    struct Row<Entity> {
        var entity: Entity
        /// The rank of the row. Nil if it is invalid; the row then comes last.
        var rank: Rank?
        /// True if the row got a new id because its own was invalid.
        var isRepaired = false

        /// True if the id or the rank was invalid.
        var isOutOfPlace: Bool { isRepaired || rank == nil }
    }

    private var rows: [ObjectIdentifier: Any] = [:]
    /// The known common bases of items that have several versions.
    var bases: [Item] = []
    /// Descriptions of unrecovered content, such as rows that are known to exist, lines of a text,
    /// and other versions of tags and views.
    var lost: [String] = []
    /// The number of items that were merged from several versions.
    private(set) var merged = 0

    /// The rows of one kind.
    subscript<Entity: ListEntity>(_ kind: Entity.Type) -> [Row<Entity>] {
        get { rows[ObjectIdentifier(kind)] as? [Row<Entity>] ?? [] }
        set { rows[ObjectIdentifier(kind)] = newValue }
    }

    /// Returns changes that insert the rows in their order. Every row gets a rank. Several rows
    /// with one id are versions of one entity and are merged; ``lost`` and ``merged`` then account
    /// for them. If several tags have one name, the first is used.
    mutating func changes() -> StorageChanges {
        var changes = StorageChanges()
        var tagsByName: [String: Tag.ID] = [:]
        var same: [Tag.ID: Tag.ID] = [:]
        let (tags, otherTags) = Self.ranked(self[Tag.self], by: Tag.merge)
        for tag in tags {
            if let other = tagsByName[tag.foldedName] {
                same[tag.id] = other
            } else {
                tagsByName[tag.foldedName] = tag.id
                changes.tags.upsert(tag)
            }
        }
        lost += otherTags.map { "another version of the tag \($0.name), \($0.color)" }
        func add<Entity: SmallEntity>(_ kind: Entity.Type) {
            let (entities, others) = Self.ranked(self[kind], by: Entity.merge)
            changes[kind].upsert(entities.map { $0.replacingTag(same) })
            lost += others.map { other in
                let texts = Entity.fields.compactMap { field in
                    if case .text(let accessor) = field.value { accessor.get(other) } else { nil }
                }
                return "another version of the \(Entity.noun) \(texts.joined(separator: ": "))"
            }
        }
        for kind in Kinds.small where kind != Tag.self { add(kind) }
        let (items, versions) = Self.ranked(self[Item.self], by: .laterItems, bases)
        changes.items.upsert(items.map { $0.replacingTags(same) })
        merged = Set(versions.map(\.id)).count
        return changes
    }

    /// Returns the entities of `rows` in their order, and the versions that were merged into
    /// others.
    private static func ranked<Entity: ListEntity>(
        _ rows: [Row<Entity>], by merge: StorageMerge<Entity>, _ bases: [Entity] = []
    ) -> (entities: [Entity], versions: [Entity]) {
        let bases = Dictionary(bases.map { ($0.id, $0) }) { first, _ in first }
        var places: [UUID: Int] = [:]
        var unique: [Row<Entity>] = []
        var versions: [Entity] = []
        for row in rows {
            let id = row.entity.id
            guard let place = places[id] else {
                places[id] = unique.count
                unique.append(row)
                continue
            }
            // The first version decides the position.
            let mine = unique[place].entity
            var (theirs, base) = (row.entity, bases[id])
            theirs.rank = mine.rank
            base?.rank = mine.rank
            guard theirs != mine else { continue }
            unique[place].entity = merge(base: base, mine: mine, theirs: theirs).value
            versions.append(theirs)
        }
        let last = unique.compactMap(\.rank).max()
        var spare = Rank.spread(unique.count { $0.rank == nil }, between: last, and: nil)
            .makeIterator()
        let entities = unique.map { row in
            var entity = row.entity
            entity.rank = row.rank ?? spare.next() ?? entity.rank
            return entity
        }
        return (entities.sorted { $0.position < $1.position }, versions)
    }
}
