import HashTreeCollections

/// An ordered, keyed collection of entities that knows what has changed.
///
/// Use it for whatever a list shows and storage keeps. A reducer edits it as a dictionary; persistence, undo and
/// ``EntityView`` learn from it what that changed, and nobody calls save:
///
/// ```swift
/// var cards = EntityStore<Card>()
/// cards[card.id] = card                              // insert or replace
/// cards.modify(card.id) { $0.title = "New title" }   // edit in place
/// cards[card.id] = nil                               // delete
/// ```
///
/// **Order.** Entities keep the order of their insertion, unless they are ``Ranked``: then their order is (rank, id)
/// however they arrive.
///
/// **Keys.** An entity is always kept under its own id, whatever key it is assigned to. Assigning an equal value
/// changes and records nothing.
///
/// **Costs.** Lookup is O(1), every edit and every position O(log n), in a store that is shared with a held copy as
/// in one that is not: a copy costs nothing to make and little to leave. ``values`` alone is O(n).
public struct EntityStore<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    /// What an entity is found by.
    public typealias ID = Entity.ID
    typealias Box = EntityBox<Entity>
    typealias Key = OrderKey<ID>

    /// Nil if the entity knows no rank.
    let ranking: RankAccess<Entity>?
    private(set) var table: TreeDictionary<ID, Box>
    private(set) var order: OrderedTree<Key>
    private var journal: Journal<Entity>
    /// The ids deleted since hydration began, which a page read before must not bring back; nil before and after.
    var erased: TreeSet<ID>?

    /// The stamp of this content: equal stamps mean equal contents, and unequal ones that a mutation lies between.
    /// O(1).
    public private(set) var revision: Revision

    /// An empty store.
    public init() {
        ranking = RankAccess.make()
        table = [:]
        order = OrderedTree()
        journal = Journal(from: .initial)
        revision = .initial
    }

    /// A store of `entities`, with no changes recorded. Of several with one id the last value is kept, at the place
    /// of the first. O(n log n).
    public init(_ entities: some Sequence<Entity>) {
        let ranking = RankAccess<Entity>.make()
        var table: TreeDictionary<ID, Box> = [:]
        var ids: [ID] = []
        for entity in entities where table.updateValue(EntityBox(entity), forKey: entity.id) == nil
        {
            ids.append(entity.id)
        }
        let keys: [Key]
        if let ranking {
            keys = ids.compactMap { id in
                table[id].map { Key(rank: ranking.get($0.entity), id: id) }
            }.sorted()
        } else {
            keys = zip(ids, Rank.spread(ids.count, between: nil, and: nil)).map {
                Key(rank: $1, id: $0)
            }
            for key in keys {
                guard let box = table[key.id] else { continue }
                table[key.id] = PlacedEntityBox(box.entity, at: key.rank)
            }
        }
        let revision = Revision.next()
        self.ranking = ranking
        self.table = table
        order = OrderedTree(ascending: keys)
        journal = Journal(from: revision)
        self.revision = revision
    }

    // MARK: Reading

    /// The number of entities. O(1).
    public var count: Int { order.count }
    /// Whether there is no entity. O(1).
    public var isEmpty: Bool { order.count == 0 }

    /// Whether there is an entity with this id. O(1).
    public func contains(_ id: ID) -> Bool { table[id] != nil }

    /// The entity with this id. O(1) to read.
    ///
    /// Setting it inserts or replaces, nil deletes. An entity whose own id is not `id` is stored under its own, and
    /// what is stored under `id` stays as it is. O(log n) to set.
    public subscript(id: ID) -> Entity? {
        get { table[id]?.entity }
        set {
            if let newValue { put(newValue, place: nil) } else { remove(id) }
        }
    }

    /// All entities in order, in a new array. O(n): never on the way of a key; see ``page(at:count:)``.
    public var values: [Entity] { Array(self) }

    // MARK: Editing

    /// Changes the entity with this id in place, if there is one, and says whether there was.
    ///
    /// If `body` changes the id, the old one is deleted and the new one upserted, at the same place; an entity that
    /// already had the new id is replaced.
    @discardableResult
    public mutating func modify(_ id: ID, _ body: (inout Entity) throws -> Void) rethrows -> Bool {
        guard let box = table[id] else { return false }
        var entity = box.entity
        try body(&entity)
        if entity.id == id {
            put(entity, place: nil)
        } else {
            let place = key(of: box).rank
            remove(id)
            remove(entity.id)
            put(entity, place: place)
        }
        return true
    }

    /// Deletes every entity that `shouldRemove` is true for. O(n), and O(log n) for each deletion.
    public mutating func removeAll(where shouldRemove: (Entity) throws -> Bool) rethrows {
        let doomed = try filter(shouldRemove)
        for entity in doomed { remove(entity.id) }
    }

    // MARK: Changes

    /// What was inserted, changed and deleted since ``resetChanges()``, hydration not counted. Made from the journal
    /// at each call, O(number of mutations since).
    public var changes: ChangeSet<ID> {
        var changes = ChangeSet<ID>(of: ID.self)
        guard let folds = journal.folds(since: journal.baseline) else { return changes }
        for (id, fold) in folds where fold.isRecorded {
            if contains(id) { changes.upsert(id) } else { changes.delete(id) }
        }
        return changes
    }

    /// Empties ``changes``: what was recorded so far is no longer written by anyone. The revision stays, and with it
    /// every cursor. O(1).
    public mutating func resetChanges() { journal.reset(to: revision) }

    /// What became of every entity touched since `revision`, in the order in which they were first touched.
    ///
    /// Nil if the revision is not in this store's past: the store was assigned whole, or went back to an older copy,
    /// or the revision lies thousands of mutations before the last ``resetChanges()``. Who asks must then compare as
    /// if for the first time. O(number of mutations since); an entity deleted again after its insertion is listed
    /// with neither value.
    public func deltas(since revision: Revision) -> [EntityDelta<Entity>]? {
        if revision == self.revision { return [] }
        guard let folds = journal.folds(since: revision) else { return nil }
        return folds.map { id, fold in
            EntityDelta(
                id: id, before: fold.before, after: table[id], recorded: fold.recorded,
                isRecorded: fold.isRecorded)
        }
    }

    /// What became of every entity since ``resetChanges()``: the changes with their values.
    var recordedDeltas: [EntityDelta<Entity>] { deltas(since: journal.baseline) ?? [] }

    /// The entities in which `older` differs from this store, as if all of it were edits: deletions of what only
    /// `older` has, then upserts in order. O(n).
    func differences(from older: EntityStore) -> [EntityDelta<Entity>] {
        if older.revision == revision { return [] }
        var deltas: [EntityDelta<Entity>] = []
        for (id, box) in older.table where table[id] == nil {
            deltas.append(
                EntityDelta(id: id, before: box, after: nil, recorded: box, isRecorded: true))
        }
        for key in order {
            let old = older.table[key.id]
            guard let new = table[key.id], old !== new, old?.entity != new.entity else { continue }
            deltas.append(
                EntityDelta(id: key.id, before: old, after: new, recorded: old, isRecorded: true))
        }
        return deltas
    }

    // MARK: The two mutations that all others are made of

    /// The place of a box of this store.
    func key(of box: Box) -> Key {
        if let ranking { return Key(rank: ranking.get(box.entity), id: box.entity.id) }
        return Key(
            rank: unsafeDowncast(box, to: PlacedEntityBox<Entity>.self).place, id: box.entity.id)
    }

    /// Inserts or replaces an entity. `place` is where one without a rank goes; nil leaves it where it is, and puts
    /// a new one last.
    mutating func put(_ entity: Entity, place: Rank?, isRecorded: Bool = true) {
        let id = entity.id
        let old = table[id]
        if let old, old.entity == entity, ranking != nil || place == nil { return }
        let oldKey = old.map(key(of:))
        let box: Box
        let newKey: Key
        if let ranking {
            box = EntityBox(entity)
            newKey = Key(rank: ranking.get(entity), id: id)
        } else {
            let rank = place ?? oldKey?.rank ?? Rank.between(order.last?.rank, nil)
            box = PlacedEntityBox(entity, at: rank)
            newKey = Key(rank: rank, id: id)
        }
        if oldKey != newKey {
            if let oldKey { order.remove(oldKey) }
            order.insert(newKey)
        }
        table[id] = box
        erased?.remove(id)
        note(JournalEntry(id: id, before: old, isRecorded: isRecorded))
    }

    /// Deletes the entity with this id, if there is one.
    mutating func remove(_ id: ID) {
        guard let old = table.removeValue(forKey: id) else { return }
        order.remove(key(of: old))
        erased?.insert(id)
        note(JournalEntry(id: id, before: old, isRecorded: true))
    }

    private mutating func note(_ entry: JournalEntry<Entity>) {
        revision = .next()
        journal.append(entry, as: revision)
    }

    /// Adds entities that are not here, as one entry of the journal that records nothing.
    mutating func adopt(_ entities: [Entity]) {
        guard !entities.isEmpty else { return }
        var keys: [Key] = []
        keys.reserveCapacity(entities.count)
        var last = order.last?.rank
        for entity in entities {
            if let ranking {
                keys.append(Key(rank: ranking.get(entity), id: entity.id))
                table[entity.id] = EntityBox(entity)
            } else {
                let rank = Rank.between(last, nil)
                last = rank
                keys.append(Key(rank: rank, id: entity.id))
                table[entity.id] = PlacedEntityBox(entity, at: rank)
            }
        }
        // A tree is built faster than filled once the newcomers are as many as what is there.
        if keys.count >= order.count {
            order = OrderedTree(ascending: (Array(order) + keys).sorted())
        } else {
            for key in keys { order.insert(key) }
        }
        revision = .next()
        journal.append(
            entities.map { JournalEntry(id: $0.id, before: nil, isRecorded: false) }, as: revision)
    }
}
