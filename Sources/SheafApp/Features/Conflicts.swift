import FoundationEssentials
import SheafList

/// What became of an entity that was changed here and elsewhere.
struct Conflict {
    let id: UUID
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
        (id, name) = (item.id, item.name)
        if let before {
            outcome = item.keepsMore(than: before) ? .noted : .kept
        } else {
            outcome = .notDeleted
        }
    }

    init(_ id: UUID, _ name: String, _ outcome: Outcome) {
        (self.id, self.name, self.outcome) = (id, name, outcome)
    }
}

extension AppState {
    /// The conflicts in `arrival`, in the state before it is taken in, without those that have
    /// sentences of their own.
    func conflicts(in arrival: Arrival<StorageChanges>) -> [Conflict] {
        func contains(_ kind: (some StateEntity).Type, _ id: Item.ID) -> Bool {
            self[kind].contains(id)
        }
        return arrival.conflicts.compactMap { conflict in
            guard !conflict.hasOwnSentence, let id = conflict.id.value(as: Item.ID.self)
            else { return nil }
            let kept: Conflict.Outcome = conflict.outcome == .restored ? .restored : .kept
            if kept == .kept, let item = arrival.changes.items[id]?.after ?? items[id] {
                return Conflict(item, before: items[id])
            }
            for kind in Self.kinds.reversed() {
                guard let name = name(kind, id, in: arrival) else { continue }
                let isThere = kind == Item.self || contains(kind, id)
                return Conflict(id, name, isThere ? kept : .notDeleted)
            }
            return nil
        }
    }

    private func name(
        _ kind: (some StateEntity).Type, _ id: Item.ID, in arrival: Arrival<StorageChanges>
    ) -> String? {
        (arrival.changes[kind][id]?.after ?? self[kind][id])?.name
    }

    /// The message about an arrival with `conflicts`, in the state before it is taken in, or nil.
    func words(for arrival: Arrival<StorageChanges>, _ conflicts: [Conflict]) -> String? {
        guard !arrival.conflicts.isEmpty else { return nil }
        let names = arrival.conflicts.sentencesOfNames(
            tagName: { name(Tag.self, $0, in: arrival) },
            viewName: { name(SavedView.self, $0, in: arrival) })
        // A rename that was not done comes first: the user has just asked for it.
        if !names.isEmpty { return names.joined(separator: ". ") }
        guard let words = Self.words(for: conflicts) else {
            let sentences = arrival.conflicts.sentencesOfTags(
                tagName: { tags[$0]?.name ?? goneTags[$0] },
                itemName: { name(Item.self, $0, in: arrival) })
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
    static func words(for conflicts: [Conflict]) -> String? {
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
