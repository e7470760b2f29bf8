/// What has been told of edits that another process made too.
struct ToldConflicts: Sendable {
    /// The lists at the last status: what differs from them was taken in since.
    fileprivate var items: Revision?
    fileprivate var tags: Revision?
    /// How many conflicts had been counted when something was taken in last. What a commit merged
    /// comes back with what is fetched next.
    fileprivate var settled = 0
}

/// What became of an entity that was changed here and elsewhere.
struct Conflict {
    let name: String
    let outcome: Outcome

    enum Outcome {
        /// What was done here stands.
        case kept
        /// It stands, and the note has gained what yielded.
        case noted
        /// It was deleted here, and is there again.
        case notDeleted
    }

    /// The conflict of an item that was `before`, nil if it was deleted, and now is `item`.
    init(_ item: Item, before: Item?) {
        name = item.name
        if let before {
            outcome = item.keepsMore(than: before) ? .noted : .kept
        } else {
            outcome = .notDeleted
        }
    }

    init(_ name: String, _ outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}

extension AppState {
    /// Tells of what has become a conflict since the status was `old`, and again of what a commit
    /// merged if there is more to say once it is here.
    mutating func tellConflicts(since old: PersistenceStatus) {
        let count = saving.counters.conflicts
        let isAdoption = saving.counters.adoptions > old.counters.adoptions
        defer {
            told.items = items.revision
            told.tags = tags.revision
            if isAdoption { told.settled = count }
        }
        let hasNew = count > old.counters.conflicts
        guard hasNew || isAdoption, count > told.settled else { return }
        let conflicts = conflicts(of: saving.conflicts.suffix(count - told.settled))
        if hasNew || conflicts.contains(where: { $0.outcome != .kept }) { show(conflicts) }
    }

    /// What became of those of `ids` that are here.
    private func conflicts(of ids: some Collection<AnyID>) -> [Conflict] {
        let items = Dictionary(
            uniqueKeysWithValues: (told.items.flatMap { self.items.deltas(since: $0) } ?? [])
                .map { ($0.id, $0) })
        let tags = Dictionary(
            uniqueKeysWithValues: (told.tags.flatMap { self.tags.deltas(since: $0) } ?? [])
                .map { ($0.id, $0) })
        return ids.compactMap { id in
            guard let id = id.value(as: Item.ID.self) else { return nil }
            if let item = self.items[id] {
                return items[id].map { Conflict(item, before: $0.before) }
                    ?? Conflict(item.name, .kept)
            }
            return self.tags[id].map { tag in
                let isBack = tags[id].map { $0.before == nil } ?? false
                return Conflict(tag.name, isBack ? .notDeleted : .kept)
            }
        }
    }

    /// Shows what became of `conflicts`; the name, which may be long, is last.
    mutating func show(_ conflicts: [Conflict]) {
        guard let last = conflicts.last else { return }
        if conflicts.count == 1 {
            let text =
                switch last.outcome {
                case .kept: "Also changed elsewhere; your version was kept"
                case .noted: "Also changed elsewhere; see its note"
                case .notDeleted: "Not deleted; changed elsewhere"
                }
            return ui.show("\(text): “\(last.name)”", isAlert: true)
        }
        let noted = conflicts.count { $0.outcome == .noted }
        let returned = conflicts.count { $0.outcome == .notDeleted }
        var parts = ["\(conflicts.count) also changed elsewhere"]
        if noted > 0 { parts.append("see the notes of \(noted.items)") }
        if returned > 0 { parts.append("\(returned) not deleted") }
        if parts.count == 1 { parts.append("your versions were kept") }
        ui.show(parts.joined(separator: ", "), isAlert: true)
    }
}
