/// The dependencies between the change of one entity and other changes of the same step: see
/// ``UndoTrack``.
///
/// The changes that provide a key and the changes that need it form a group, which is undone and
/// redone completely or not at all. A needed key that no change of the step provides has no effect,
/// so a change may list everything that it refers to.
package struct UndoTies: Sendable {
    let provides: [AnyID]
    let needs: [AnyID]

    /// Creates ties without keys: the entity is undone by itself.
    package init() { (provides, needs) = ([], []) }

    /// Creates the ties of one change.
    ///
    /// - Parameters:
    ///   - provides: keys that other changes may need, such as the id of an entity that the step
    ///     inserts or deletes.
    ///   - needs: keys on which the change depends, such as the ids to which the step adds or
    ///     removes a reference in this entity.
    package init<Key: Hashable & Sendable>(provides: [Key] = [], needs: [Key] = []) {
        self.provides = provides.map { AnyID($0) }
        self.needs = needs.map { AnyID($0) }
    }
}

/// The keys of all changes of one step.
struct UndoKeys {
    private var provided: Set<AnyID> = []
    private var needed: Set<AnyID> = []
    /// True if a change provides a key that another needs.
    private(set) var haveTie = false

    mutating func add(_ ties: UndoTies) {
        guard !haveTie else { return }
        provided.formUnion(ties.provides)
        needed.formUnion(ties.needs)
        haveTie =
            ties.provides.contains(where: needed.contains)
            || ties.needs.contains(where: provided.contains)
        // One tie is enough, and a step of a million changes must not keep its keys.
        if haveTie { (provided, needed) = ([], []) }
    }
}

/// The groups of changes of a step that depend on each other. Changes are numbered in the order in
/// which they are added. Amortized O(log n) for each.
final class UndoGroups {
    /// The changes that provide or need one key, until there are some of both kinds.
    private struct Waiting {
        var providing: [Int] = []
        var needing: [Int] = []
    }

    /// A forest of disjoint sets: a root is its own parent.
    private var parents: [Int] = []
    private var waiting: [AnyID: Waiting] = [:]
    /// A member of the group of each key that is both provided and needed.
    private var members: [AnyID: Int] = [:]
    private var changed: [Int] = []
    private var refusedRoots: Set<Int> = []

    /// Adds the next change. `isChanged` is true if its entity has changed since the step.
    func add(_ ties: UndoTies, isChanged: Bool) {
        let change = parents.count
        parents.append(change)
        for key in ties.provides { add(change, to: \.providing, of: key) }
        for key in ties.needs { add(change, to: \.needing, of: key) }
        if isChanged { changed.append(change) }
    }

    private func add(_ change: Int, to list: WritableKeyPath<Waiting, [Int]>, of key: AnyID) {
        if let member = members[key] { return join(change, member) }
        waiting[key, default: Waiting()][keyPath: list].append(change)
        guard let all = waiting[key], !all.providing.isEmpty, !all.needing.isEmpty else { return }
        for other in all.providing + all.needing { join(other, change) }
        members[key] = change
        waiting[key] = nil
    }

    /// Determines the refused groups. Call it once all changes have been added.
    func settle() { refusedRoots = Set(changed.map(root)) }

    /// True if any group is refused.
    var refusesAny: Bool { !refusedRoots.isEmpty }

    /// Returns true if an entity of the change's group has changed since the step.
    func refuses(_ change: Int) -> Bool {
        !refusedRoots.isEmpty && refusedRoots.contains(root(of: change))
    }

    private func join(_ one: Int, _ other: Int) { parents[root(of: one)] = root(of: other) }

    private func root(of change: Int) -> Int {
        var change = change
        while parents[change] != change {
            parents[change] = parents[parents[change]]
            change = parents[change]
        }
        return change
    }
}
