import FoundationEssentials

/// The entities of one ``Kept`` store as its file has them, whatever they are.
protocol KeptPart: Sendable {
    /// An empty part of this type.
    func emptied() -> any KeptPart

    /// Takes over what stands under `name`, all of it or none; a name that is absent has nothing.
    mutating func read(
        _ name: KeptDocument.Key, from document: KeyedDecodingContainer<KeptDocument.Key>) throws

    /// Takes over the changes under `name`, less those that the file could not bring back as they
    /// are, which are returned.
    mutating func apply(_ changes: NamedChanges, under name: String) -> [Refusal]

    /// What the file could not bring back as it is.
    func refusals() -> [Refusal]

    /// The texts of the entities, in order.
    func texts() throws -> [Data]
}

struct KeptEntities<Entity: Identifiable & Equatable & Sendable & Codable>:
    KeptPart
where Entity.ID: Hashable & Sendable {
    private(set) var store: EntityStore<Entity>

    init(_ store: EntityStore<Entity>) { self.store = store }

    func emptied() -> any KeptPart { KeptEntities(EntityStore()) }

    mutating func read(
        _ name: KeptDocument.Key, from document: KeyedDecodingContainer<KeptDocument.Key>
    ) throws {
        guard document.contains(name) else { return }
        let entities = try document.decode([Entity].self, forKey: name)
        store = EntityStore(entities)
        guard store.count == entities.count else {
            throw DecodingError.dataCorruptedError(
                forKey: name, in: document, debugDescription: "two entries have one id")
        }
    }

    mutating func apply(
        _ changes: NamedChanges, under name: String
    ) -> [Refusal] {
        var changes = changes[NamedChanges.Name<Entity>(text: name)]
        let refusals = changes.upserts.compactMap(Self.refusal)
        if !refusals.isEmpty {
            let refused = Set(refusals.map(\.id))
            changes = changes.only { !refused.contains(AnyID($0)) }
        }
        store.adopt(changes)
        return refusals
    }

    func refusals() -> [Refusal] {
        store.compactMap(Self.refusal)
    }

    func texts() throws -> [Data] {
        let encoder = KeptDocument.encoder
        return try store.map { try encoder.encode($0) }
    }

    /// Nil if the file will bring `entity` back as it is.
    private static func refusal(of entity: Entity) -> Refusal? {
        do {
            let text = try KeptDocument.encoder.encode(entity)
            if try JSONDecoder().decode(Entity.self, from: text) == entity { return nil }
            return .init(id: AnyID(entity.id), reason: "JSON does not bring it back as it is")
        } catch {
            return .init(
                id: AnyID(entity.id),
                reason: "JSON cannot hold it: \(KeptDocument.words(for: error))")
        }
    }
}
