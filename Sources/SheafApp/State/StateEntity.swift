import SheafList
import Swidux

/// A kind of entity with a store in the state.
protocol StateEntity: ListEntity {
    static var stateStore: WritableKeyPath<AppState, EntityStore<Self>> & Sendable { get }

    /// Returns the ties of an entity's change to other changes of the same command.
    static func ties(before: Self?, after: Self?) -> UndoTies

    /// Returns true if undo and redo must not change the entity `now` into `wanted`.
    static func blocksUndo(of now: Self?, to wanted: Self?, in state: AppState) -> Bool

    /// Returns the reason why undo or redo could not change the entity.
    func obstacle(in state: AppState) -> String
}

extension StateEntity {
    static func ties(before: Self?, after: Self?) -> UndoTies { UndoTies() }

    static func blocksUndo(of now: Self?, to wanted: Self?, in state: AppState) -> Bool { false }

    func obstacle(in state: AppState) -> String { "“\(name)” is used by another process" }
}

extension AppState {
    /// The kinds of entities. Tags are written and restored before the entities that refer to them.
    static let kinds: [any StateEntity.Type] = [Tag.self, SavedView.self, Item.self]

    /// The writers of all stores.
    @MainActor static var writers: [BatchWriter<AppState, StorageChanges>] {
        func writer<Entity: StateEntity>(
            of kind: Entity.Type
        ) -> BatchWriter<AppState, StorageChanges> {
            BatchWriter(keyPath: Entity.stateStore, into: Entity.changes, merge: Entity.merge)
        }
        return kinds.map { writer(of: $0) }
    }

    /// The undo tracks of all stores.
    @MainActor static var undoTracks: [UndoTrack<AppState>] {
        func track<Entity: StateEntity>(of kind: Entity.Type) -> UndoTrack<AppState> {
            UndoTrack(
                Entity.stateStore, ties: Entity.ties,
                isBlocked: { Entity.blocksUndo(of: $1, to: $2, in: $0) }, merge: Entity.merge)
        }
        return kinds.map { track(of: $0) }
    }

    /// The entities of one kind.
    subscript<Entity: StateEntity>(_ kind: Entity.Type) -> EntityStore<Entity> {
        get { self[keyPath: Entity.stateStore] }
        _modify { yield &self[keyPath: Entity.stateStore] }
    }

    /// Writes the values in `changes` to the state's stores, which record them as changes by this
    /// process. O(changes × log n).
    mutating func apply(_ changes: StorageChanges) {
        func write(_ kind: (some StateEntity).Type) {
            for (id, change) in changes[kind].elements { self[kind][id] = change.after }
        }
        for kind in Self.kinds { write(kind) }
    }

    /// The revisions of all stores.
    var revisions: [Revision] {
        func revision(_ kind: (some StateEntity).Type) -> Revision { self[kind].revision }
        return Self.kinds.map { revision($0) }
    }
}

extension Tag: StateEntity {
    static var stateStore: WritableKeyPath<AppState, EntityStore<Tag>> & Sendable { \.tags }

    /// Blocks the deletion of a tag that another process uses, and a name that another tag has
    /// taken. O(tags).
    static func blocksUndo(of now: Tag?, to wanted: Tag?, in state: AppState) -> Bool {
        guard let wanted else {
            guard let now else { return false }
            // If the tag is no longer in the state, undo has already deleted it. The latest report
            // from storage then names the items from which it removed the tag.
            return state.isInUseElsewhere(now.id)
                || !state.tags.contains(now.id) && state.tagsRemovedByStorage[now.id] != nil
        }
        return wanted.foldedName != now?.foldedName
            && state.tags.first(named: wanted.name, except: wanted.id) != nil
    }

    func obstacle(in state: AppState) -> String {
        state.tags.first(named: name, except: id).map { "a tag “\($0.name)” already exists" }
            ?? "“\(name)” is used by another process"
    }
}

extension SavedView: StateEntity {
    static var stateStore: WritableKeyPath<AppState, EntityStore<SavedView>> & Sendable { \.views }

    /// Blocks a name that another view has taken. O(views).
    static func blocksUndo(of now: SavedView?, to wanted: SavedView?, in state: AppState) -> Bool {
        guard let wanted else { return false }
        return wanted.foldedName != now?.foldedName
            && state.views.first(named: wanted.name, except: wanted.id) != nil
    }

    func obstacle(in state: AppState) -> String {
        "a view “\(state.views.first(named: name)?.name ?? name)” already exists"
    }
}

extension Item: StateEntity {
    static var stateStore: WritableKeyPath<AppState, EntityStore<Item>> & Sendable { \.items }
}
