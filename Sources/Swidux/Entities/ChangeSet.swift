import FoundationEssentials
import OrderedCollections

/// The ids of the entities that were inserted, changed or deleted. Each id has one operation, the
/// last.
///
/// An upsert after a delete is an upsert; a delete after an insert is a delete, since storage may
/// know the id. The order is that of the first operation on each id.
public struct ChangeSet<ID: Hashable & Sendable>: Sendable, Equatable {
    private enum Operation {
        case upsert, delete
    }

    private var operations: OrderedDictionary<ID, Operation> = [:]

    /// Creates an empty change set of ids of the given type.
    @usableFromInline package init(of type: ID.Type = ID.self) {}

    /// The ids that were inserted or changed. Setting it replaces all upserts. An id in the new
    /// value is no longer a deletion. O(number of operations).
    public var upserts: Set<ID> {
        get { ids(of: .upsert) }
        set { replace(.upsert, with: newValue) }
    }

    /// The ids that were deleted. Setting it replaces all deletions. An id in the new value is no
    /// longer an upsert. O(number of operations).
    public var deletions: Set<ID> {
        get { ids(of: .delete) }
        set { replace(.delete, with: newValue) }
    }

    /// True if no id has an operation.
    public var isEmpty: Bool { operations.isEmpty }

    /// Records that `id` was inserted or changed.
    @usableFromInline mutating func upsert(_ id: ID) { operations[id] = .upsert }

    /// Records that `id` was deleted.
    @usableFromInline mutating func delete(_ id: ID) { operations[id] = .delete }

    private func ids(of operation: Operation) -> Set<ID> {
        Set(operations.lazy.filter { $0.value == operation }.map(\.key))
    }

    private mutating func replace(_ operation: Operation, with ids: Set<ID>) {
        operations.removeAll { $0.value == operation && !ids.contains($0.key) }
        for id in ids { operations[id] = operation }
    }
}

extension ChangeSet where ID == UUID {
    /// Creates an empty change set of UUIDs, the usual ids.
    public init() { self.init(of: UUID.self) }
}
