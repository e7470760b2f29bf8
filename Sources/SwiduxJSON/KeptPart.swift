import FoundationEssentials
import Swidux

/// The entities of one ``Kept`` store in the form of its file, for any type of entity.
protocol KeptPart: Sendable {
    /// An empty part of this type.
    func emptied() -> any KeptPart

    /// Reads the entities under `name`, all of them or none.
    mutating func read(
        _ name: KeptDocument.Key, from document: KeyedDecodingContainer<KeptDocument.Key>) throws

    /// Takes over the changes under `name`, less those that the file could not bring back as they
    /// are, which are returned.
    mutating func apply(_ changes: NamedChanges, under name: String) -> [Refusal]

    /// The first entity that the file could not bring back as it is.
    func refusal() -> Refusal?

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
        let name = NamedChanges.Name<Entity>(text: name)
        var changes = changes[name]
        var refusals: [Refusal] = []
        for entity in changes.upserts {
            guard let reason = Self.obstacle(to: entity) else { continue }
            refusals.append(Refusal(id: entity.id, in: \NamedChanges[name], reason: reason))
            changes[entity.id] = nil
        }
        store.adopt(changes)
        return refusals
    }

    func refusal() -> Refusal? {
        for entity in store {
            if let reason = Self.obstacle(to: entity) {
                return Refusal(id: entity.id, reason: reason)
            }
        }
        return nil
    }

    func texts() throws -> [Data] {
        let encoder = KeptDocument.encoder
        return try store.map { try encoder.encode($0) }
    }

    /// Returns why the file would not bring `entity` back as it is, or nil if it will.
    private static func obstacle(to entity: Entity) -> String? {
        do {
            let text = try KeptDocument.encoder.encode(entity)
            let decoded = try JSONDecoder().decode(Entity.self, from: text)
            if decoded == entity { return nil }
            return "JSON brings it back differently: \(StateDifference(from: entity, to: decoded))"
        } catch {
            return "JSON cannot hold it: \(KeptDocument.words(for: error))"
        }
    }
}

/// The entities of a store that the program does not know.
struct UnknownEntities: KeptPart {
    private var entities: [KeptValue] = []

    func emptied() -> any KeptPart { UnknownEntities() }

    mutating func read(
        _ name: KeptDocument.Key, from document: KeyedDecodingContainer<KeptDocument.Key>
    ) throws { entities = try document.decode([KeptValue].self, forKey: name) }

    mutating func apply(_ changes: NamedChanges, under name: String) -> [Refusal] { [] }

    func refusal() -> Refusal? { nil }

    func texts() throws -> [Data] {
        let encoder = KeptDocument.encoder
        return try entities.map { try encoder.encode($0) }
    }
}
