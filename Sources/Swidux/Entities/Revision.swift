import Synchronization

/// The stamp of one state of one ``EntityStore``: equal revisions mean equal contents, in O(1).
///
/// Every mutation of every store takes the next number of one counter, so no two histories share a
/// stamp, and a later mutation has a greater number. A revision is also a cursor: see
/// ``EntityStore/deltas(since:)``. It is valid only within this process.
@usableFromInline package struct Revision: Hashable, Sendable {
    @usableFromInline let number: UInt64

    @usableFromInline init(number: UInt64) { self.number = number }

    private static let counter = Atomic<UInt64>(0)

    /// The revision of every store that was made empty and never changed.
    @inlinable static var initial: Revision { Revision(number: 0) }

    /// Returns a new, unique revision. Safe from any thread.
    @usableFromInline static func next() -> Revision {
        Revision(number: counter.add(1, ordering: .relaxed).newValue)
    }

    /// Returns true if this is the revision of an earlier content of the same store.
    @inlinable func precedes(_ other: Revision) -> Bool { number < other.number }
}
