/// The ties between the change of one entity and others of the same step: see ``UndoTrack``.
///
/// The changes that provide a key and those that need it are a group, which is undone and redone
/// completely or not at all. A need that no change of the step provides ties nothing, so a change
/// may name everything that it refers to.
package struct UndoTies: Sendable {
    let provides: [AnyID]
    let needs: [AnyID]

    /// No ties: the entity is undone by itself.
    package init() { (provides, needs) = ([], []) }

    /// The ties of one change.
    ///
    /// - Parameters:
    ///   - provides: keys that other changes may need, such as the id of an entity that the step
    ///     inserts or deletes.
    ///   - needs: keys that the change depends on, such as ids that its entity refers to only
    ///     before or only after the step.
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
        // One tie is enough; a step of a million changes is not to keep its keys.
        if haveTie { (provided, needed) = ([], []) }
    }
}

/// The groups of changes of a step that depend on each other. Changes are numbered as they are
/// added. Amortized O(log n) for each.
final class UndoGroups {
    /// The changes that provide and that need one key, as long as there are none of one kind.
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

    /// Adds the next change. `isChanged` says that its entity is otherwise than the step left it.
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

    /// Finds the groups that are refused, once all changes have been added.
    func settle() { refusedRoots = Set(changed.map(root)) }

    /// True if any group is refused.
    var refusesAny: Bool { !refusedRoots.isEmpty }

    /// Returns true if an entity of the change's group is otherwise than the step left it.
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
