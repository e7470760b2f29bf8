import SheafList

/// A running undo or redo of one or more steps. A large step is undone in parts, as it was made.
/// The steps of `12u` are undone one after the other.
struct UndoRun: Sendable {
    let isRedo: Bool
    /// The number of requested steps, and the number applied so far.
    let requested: Int
    var steps = 0
    /// The command name of the last step.
    var name = ""
    /// The tags, views and items that undo did not change, because they, or entities they depend
    /// on, have changed since.
    private var skipped = KindCounts()
    /// The skipped entities that have themselves changed, as opposed to entities that they depend
    /// on.
    private var changed = Changed()
    /// The skipped entities that already have the value that undo would give them. For example,
    /// undo would delete the next occurrence of an item, but another process has deleted it.
    private var alreadyRestored = Changed()
    /// The reason why undo skipped a tag or view that has not changed.
    private var obstacle: String?
    /// True if undo skipped part of a step whose parts depend on each other.
    private var isTied = false
    /// True if there are no more steps because older ones were dropped.
    private var reachesDroppedSteps = false
    /// A value that indicates whether the current step changed an item that can be selected.
    var selectionResult = SelectionResult.nothing
    private var hasTouched = false

    /// The result of looking for an item to select.
    enum SelectionResult: Comparable {
        case nothing, hidden, shown
    }

    init(isRedo: Bool, requested: Int) {
        self.isRedo = isRedo
        self.requested = requested
    }

    mutating func add(_ report: UndoReport, _ state: AppState) {
        name = report.name ?? name
        if report.isTied, report.skippedCount > 0 { isTied = true }
        var obstacles: [String] = []
        func add<Entity: StateEntity>(_ kind: Entity.Type) {
            skipped.add(report.skipped(Entity.stateStore).count, of: kind)
            obstacles += report.blocked(Entity.stateStore).map { $0.obstacle(in: state) }
            changed.add(report.changed(Entity.stateStore), in: state)
            alreadyRestored.add(report.reached(Entity.stateStore), in: state)
        }
        for kind in AppState.kinds { add(kind) }
        obstacle = obstacles.first ?? obstacle
        if report.touchedCount > 0 { hasTouched = true }
        if report.reachesDroppedSteps { reachesDroppedSteps = true }
        if report.remaining == 0, report.name != nil { steps += 1 }
    }

    /// The reason why parts were skipped, or nil if they were skipped only because they themselves
    /// have changed.
    private var reason: String? {
        if let obstacle { return obstacle }
        return isTied ? changed.with(alreadyRestored).reason : nil
    }

    /// The final message, and a flag that is true if it is an alert.
    var message: (text: String, isAlert: Bool) {
        guard steps > 0 else {
            if reachesDroppedSteps {
                return ("Earlier steps were dropped: undo keeps 64 MB", false)
            }
            return (isRedo ? "Nothing to redo" : "Nothing to undo", false)
        }
        let skipped = skipped.words
        let what = steps == 1 ? name : "\(steps.grouped) steps"
        guard hasTouched || skipped.isEmpty else {
            let reason = reason ?? "\(skipped) \(changed.participle) since"
            return ("Cannot \(isRedo ? "redo" : "undo") \(what): \(reason)", true)
        }
        var text = "\(isRedo ? "Redid" : "Undid"): \(what)"
        if selectionResult == .hidden { text += " (hidden item)" }
        if !skipped.isEmpty {
            text +=
                ", except \(skipped)\(reason.map { ": \($0)" } ?? " \(changed.participle) since")"
        }
        if steps < requested {
            text += reachesDroppedSteps ? "; earlier ones were dropped" : "; there were no more"
        }
        return (text, false)
    }
}

/// Numbers of entities, by kind.
private struct KindCounts {
    private var counts: [String: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ count: Int, of kind: (some StateEntity).Type) {
        counts[kind.noun, default: 0] += count
    }

    mutating func add(_ others: KindCounts) {
        counts.merge(others.counts, uniquingKeysWith: +)
    }

    /// The counts in words, such as “1 tag and 2 items”; empty if there are none.
    var words: String {
        AppState.kinds.compactMap { kind in
            let count = counts[kind.noun, default: 0]
            return count > 0 ? count.counted(kind.noun) : nil
        }.joined(separator: " and ")
    }
}

/// Tags, views and items that were changed or deleted after the step.
private struct Changed {
    private var counts = KindCounts()
    private var names: Set<String> = []
    private var deletedCount = 0

    /// Adds entities, given by their values before they changed.
    mutating func add<Entity: StateEntity>(_ entities: [Entity], in state: AppState) {
        counts.add(entities.count, of: Entity.self)
        for entity in entities { note(state[Entity.self][entity.id]?.name, before: entity.name) }
    }

    /// Records the name of an entity; nil if it was deleted.
    private mutating func note(_ name: String?, before: String) {
        if name == nil { deletedCount += 1 }
        // Two names are enough to know that there is no common name.
        if names.count < 2 { names.insert(name ?? before) }
    }

    /// Returns these entities together with `others`.
    func with(_ others: Changed) -> Changed {
        var all = self
        all.counts.add(others.counts)
        all.names.formUnion(others.names)
        all.deletedCount += others.deletedCount
        return all
    }

    /// A participle for messages: changed, deleted, or both.
    var participle: String {
        switch deletedCount {
        case 0: "changed"
        case counts.total: "deleted"
        default: "changed or deleted"
        }
    }

    /// The clause about these entities, or nil if there are none. If all have the same name, as an
    /// item and its next occurrence usually do, the clause contains that name.
    var reason: String? {
        guard let name = names.first else { return nil }
        return names.count == 1
            ? "“\(name)” was \(participle) since"
            : "\(counts.words) were \(participle) since"
    }
}
