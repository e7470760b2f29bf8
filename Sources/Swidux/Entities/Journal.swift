/// The recent history of one ``EntityStore``: the value before every mutation, newest first.
///
/// The journal is a persistent linked list: copies of a store share its nodes, and a store that
/// continues from an older copy continues that copy's list. Walking back through the list shows
/// whether a revision is in the store's past, and which entities have changed since. The journal
/// keeps the mutations since the last drain (coalesced if there are many) and some thousands
/// before, in two generations. Dropping the older one never touches a node that another copy may be
/// reading.
@usableFromInline struct Journal<Entity: Identifiable & Equatable & Sendable>: Sendable
where Entity.ID: Hashable & Sendable {
    @usableFromInline typealias ID = Entity.ID
    @usableFromInline typealias Box = SharedEntity<Entity>
    @usableFromInline typealias Node = JournalNode<Entity>
    /// The value that one mutation replaced under one id, or nil if there was none. `isRecorded` is
    /// false for hydration.
    @usableFromInline typealias Entry = (id: ID, before: Box?, isRecorded: Bool)
    /// A list of nodes. `base` is the revision before the oldest one.
    @usableFromInline typealias Generation = (newest: Node?, count: Int, base: Revision)

    @usableFromInline var recent: Generation
    @usableFromInline var older: Generation
    /// The revision of the last drain. Mutations up to it are no longer changes.
    @usableFromInline var baseline: Revision
    /// The revision that last added entities without journal entries.
    @usableFromInline var gap = Revision.initial
    /// True once the store was drained. Storage may then have an entity that is neither in the
    /// first content nor in the present one.
    @usableFromInline var isDrained = false

    /// The minimum number of mutations in a generation before the next one begins.
    @inlinable static var minimum: Int { 2048 }

    /// Creates the journal of a store that begins at `revision`.
    @inlinable init(from revision: Revision) {
        recent = (nil, 0, revision)
        older = recent
        baseline = revision
    }

    @inlinable mutating func reset(to revision: Revision) {
        baseline = revision
        isDrained = true
    }

    /// Records that entities were added without journal entries.
    @inlinable mutating func appendGap(as revision: Revision, to table: EntityTable<Entity>) {
        gap = revision
        append([], as: revision, to: table)
    }

    /// Adds the mutations that resulted in `table`.
    @inlinable mutating func append(
        _ entries: [Entry], as revision: Revision, to table: EntityTable<Entity>
    ) {
        let node = Node(entries: entries, revision: revision, previous: recent.newest)
        recent.newest = node
        recent.count += max(entries.count, 1)
        // A generation is at least as long as the older one, so that coalescing a growing backlog
        // stays O(1) per mutation.
        guard recent.count >= max(Self.minimum, older.count) else { return }
        if baseline.precedes(recent.base), let deltas = deltas(since: baseline, to: table) {
            // An entity that came and went before the first drain has not changed.
            let entries = deltas.flatMap { delta in
                isDrained || delta.beforeBox != nil || delta.recordedBox != nil
                    || delta.afterBox != nil ? delta.entries : []
            }
            let backlog = Node(entries: entries, revision: revision, previous: nil)
            older = (backlog, entries.count, baseline)
        } else {
            older = recent
        }
        recent = (nil, 0, revision)
    }

    /// Returns the nodes since `revision`, newest first, or nil if the revision is not in this
    /// journal's past.
    @inlinable func nodes(since revision: Revision) -> [Node]? {
        var nodes: [Node] = []
        for generation in [recent, older] {
            var next = generation.newest
            while let node = next {
                if node.revision == revision { return nodes }
                if node.revision.precedes(revision) { return nil }
                nodes.append(node)
                next = node.previous
            }
            if generation.base == revision { return nodes }
        }
        return nil
    }

    /// Returns the change of every id touched since `revision`, with its value in `table`, in the
    /// order in which they were first touched. Nil if the revision is not in this journal's past.
    /// O(number of mutations since).
    @inlinable func deltas(
        since revision: Revision, to table: EntityTable<Entity>
    ) -> [EntityDelta<Entity>]? {
        guard let nodes = nodes(since: revision) else { return nil }
        var deltas: [EntityDelta<Entity>] = []
        var places: [ID: Int] = [:]
        for node in nodes.reversed() {
            let counts = baseline.precedes(node.revision)
            for entry in node.entries {
                let isRecorded = entry.isRecorded && counts
                if let place = places[entry.id] {
                    if isRecorded, !deltas[place].isRecorded {
                        deltas[place].record(from: entry.before)
                    }
                } else {
                    places[entry.id] = deltas.count
                    deltas.append(
                        EntityDelta(
                            id: entry.id, before: entry.before, after: table[entry.id],
                            isRecorded: isRecorded))
                }
            }
        }
        return deltas
    }
}

extension EntityDelta {
    /// The journal entries that add up to this change.
    @inlinable var entries: [Journal<Entity>.Entry] {
        let edit = (id, recordedBox, isRecorded)
        return isRecorded && beforeBox !== recordedBox ? [(id, beforeBox, false), edit] : [edit]
    }
}

/// One mutation in a ``Journal``.
///
/// Unchecked because `previous` is a variable. Only `deinit` changes it, when no other code can see
/// it.
@usableFromInline
final class JournalNode<Entity: Identifiable & Equatable & Sendable>:
    @unchecked Sendable
where Entity.ID: Hashable & Sendable {
    /// The entries of the mutation: several if it was a bulk mutation, none at a ``Journal/gap``.
    @usableFromInline let entries: [Journal<Entity>.Entry]
    @usableFromInline let revision: Revision
    @usableFromInline var previous: JournalNode?

    @inlinable init(
        entries: [Journal<Entity>.Entry], revision: Revision, previous: JournalNode?
    ) {
        self.entries = entries
        self.revision = revision
        self.previous = previous
    }

    /// Frees a long list in a loop: recursive release would use a stack frame for every node.
    @inlinable deinit {
        var next = previous
        previous = nil
        while isKnownUniquelyReferenced(&next) {
            let following = next?.previous
            next?.previous = nil
            next = following
        }
    }
}
