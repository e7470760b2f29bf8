import SheafList

/// What became of an entity that was changed here and elsewhere.
struct Conflict {
    let name: String
    let outcome: Outcome

    enum Outcome {
        /// What was done here stands.
        case kept
        /// It stands, and so the entity is there again, which was deleted elsewhere.
        case restored
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
    /// What is said of the conflicts that `arrival` tells of, in the state before it is taken in;
    /// nil if there are none.
    func words(for arrival: Arrival<StorageChanges>) -> String? {
        guard !arrival.conflicts.isEmpty else { return nil }
        let items = Dictionary(
            arrival.changes.items.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let tags = Dictionary(
            arrival.changes.tags.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let views = Dictionary(
            arrival.changes.views.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let conflicts: [Conflict] = arrival.conflicts.compactMap { conflict in
            guard !conflict.hasOwnSentence, let id = conflict.id.value(as: Item.ID.self)
            else { return nil }
            let kept: Conflict.Outcome = conflict.outcome == .restored ? .restored : .kept
            if let item = items[id] ?? self.items[id] {
                return kept == .restored
                    ? Conflict(item.name, kept) : Conflict(item, before: self.items[id])
            }
            if let view = views[id] ?? self.views[id] {
                return Conflict(view.name, self.views.contains(id) ? kept : .notDeleted)
            }
            return (tags[id] ?? self.tags[id]).map { tag in
                Conflict(tag.name, self.tags.contains(id) ? kept : .notDeleted)
            }
        }
        let names = arrival.conflicts.sentencesOfNames(
            tagName: { (tags[$0] ?? self.tags[$0])?.name },
            viewName: { (views[$0] ?? self.views[$0])?.name })
        // A rename that was not done comes first: the user has just asked for it.
        if !names.isEmpty { return names.joined(separator: ". ") }
        guard let words = Self.words(for: conflicts) else {
            let sentences = arrival.conflicts.sentencesOfTags(
                tagName: { self.tags[$0]?.name ?? goneTags[$0] },
                itemName: { (items[$0] ?? self.items[$0])?.name })
            return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
        }
        let count = arrival.conflicts.untaggedItems
        return count == 0 ? words : "\(count.items) lost a deleted tag. \(words)"
    }

    /// Says that an edit here had to yield, or another one to it.
    mutating func show(_ conflict: Conflict) {
        if let words = Self.words(for: [conflict]) { ui.show(words, isAlert: true) }
    }

    /// What became of `conflicts`; the name, which may be long, is last.
    private static func words(for conflicts: [Conflict]) -> String? {
        guard let last = conflicts.last else { return nil }
        if conflicts.count == 1 {
            let text =
                switch last.outcome {
                case .kept: "Also changed elsewhere; your version was kept"
                case .restored: "Deleted elsewhere; your edit restored it"
                case .noted: "Also changed elsewhere; see its note"
                case .notDeleted: "Not deleted; changed elsewhere"
                }
            return "\(text): “\(last.name)”"
        }
        let noted = conflicts.count { $0.outcome == .noted }
        let returned = conflicts.count { $0.outcome == .notDeleted }
        let restored = conflicts.count { $0.outcome == .restored }
        var parts = ["\(conflicts.count.grouped) also changed elsewhere"]
        if noted > 0 { parts.append("see the notes of \(noted.items)") }
        if returned > 0 { parts.append("\(returned.grouped) not deleted") }
        if restored > 0 { parts.append("\(restored.grouped) deleted there came back") }
        if parts.count == 1 { parts.append("your versions were kept") }
        return parts.joined(separator: ", ")
    }
}
