import FoundationEssentials

/// The ids of the entities that were inserted, changed or deleted. Each id has one operation, the
/// last.
///
/// An upsert after a delete is an upsert; a delete after an insert is a delete, since storage may
/// know the id.
public struct ChangeSet<ID: Hashable & Sendable>: Sendable, Equatable {
    /// The changed ids, with true for an upsert and false for a deletion.
    private var upserted: [ID: Bool] = [:]

    /// Creates an empty change set of ids of the given type.
    @usableFromInline package init(of type: ID.Type = ID.self) {}

    /// The ids that were inserted or changed. Setting it replaces all upserts. An id in the new
    /// value is no longer a deletion. O(number of operations).
    public var upserts: Set<ID> {
        get { ids(upserted: true) }
        set { replaceIDs(upserted: true, with: newValue) }
    }

    /// The ids that were deleted. Setting it replaces all deletions. An id in the new value is no
    /// longer an upsert. O(number of operations).
    public var deletions: Set<ID> {
        get { ids(upserted: false) }
        set { replaceIDs(upserted: false, with: newValue) }
    }

    /// True if no id has an operation.
    public var isEmpty: Bool { upserted.isEmpty }

    /// Records that `id` was inserted or changed.
    @usableFromInline mutating func upsert(_ id: ID) { upserted[id] = true }

    /// Records that `id` was deleted.
    @usableFromInline mutating func delete(_ id: ID) { upserted[id] = false }

    private func ids(upserted isUpsert: Bool) -> Set<ID> {
        Set(upserted.lazy.filter { $0.value == isUpsert }.map(\.key))
    }

    private mutating func replaceIDs(upserted isUpsert: Bool, with ids: Set<ID>) {
        upserted = upserted.filter { $0.value != isUpsert }
        for id in ids { upserted[id] = isUpsert }
    }
}

extension ChangeSet where ID == UUID {
    /// Creates an empty change set of UUIDs, the usual ids.
    public init() { self.init(of: UUID.self) }
}
