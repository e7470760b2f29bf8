import FoundationEssentials
import Swidux

/// The entities of one store of a file. The protocol hides their type.
protocol KeptPart: Sendable {
    /// Returns an empty part of this type.
    func emptied() -> any KeptPart

    /// Reads the entities under `name`. Throws if one of them cannot be read.
    mutating func read(
        _ name: KeptDocument.Key, from document: KeyedDecodingContainer<KeptDocument.Key>) throws

    /// Applies the changes under `name`. Returns a refusal for each entity that the file could not
    /// restore exactly, and does not apply its change.
    mutating func apply(_ changes: NamedChanges, under name: String) -> [Refusal]

    /// Returns a refusal for the first entity that the file could not restore exactly, or nil.
    func refusal() -> Refusal?

    /// Returns the JSON of each entity, in order.
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

    /// Returns the reason why the file could not restore `entity` exactly, or nil if it could.
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
