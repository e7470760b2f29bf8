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
    /// The conflicts that `arrival` tells of, in the state before it is taken in, but for those that
    /// have sentences of their own.
    func conflicts(in arrival: Arrival<StorageChanges>) -> [Conflict] {
        guard !arrival.conflicts.isEmpty else { return [] }
        let items = Dictionary(
            arrival.changes.items.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let tags = Dictionary(
            arrival.changes.tags.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let views = Dictionary(
            arrival.changes.views.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return arrival.conflicts.compactMap { conflict in
            guard !conflict.hasOwnSentence, let id = conflict.id.value(as: Item.ID.self)
            else { return nil }
            let kept: Conflict.Outcome = conflict.outcome == .restored ? .restored : .kept
            if let item = items[id] ?? self.items[id] {
                return kept == .restored
                    ? Conflict(id, item.name, kept) : Conflict(item, before: self.items[id])
            }
            if let view = views[id] ?? self.views[id] {
                return Conflict(id, view.name, self.views.contains(id) ? kept : .notDeleted)
            }
            return (tags[id] ?? self.tags[id]).map { tag in
                Conflict(id, tag.name, self.tags.contains(id) ? kept : .notDeleted)
            }
        }
    }

    /// What is said of an arrival with `conflicts`, in the state before it is taken in; nil if there
    /// is nothing to say.
    func words(for arrival: Arrival<StorageChanges>, _ conflicts: [Conflict]) -> String? {
        guard !arrival.conflicts.isEmpty else { return nil }
        func tag(_ id: Tag.ID) -> Tag? { arrival.changes.tags[id]?.after ?? tags[id] }
        let names = arrival.conflicts.sentencesOfNames(
            tagName: { tag($0)?.name },
            viewName: { (arrival.changes.views[$0]?.after ?? views[$0])?.name })
        // A rename that was not done comes first: the user has just asked for it.
        if !names.isEmpty { return names.joined(separator: ". ") }
        guard let words = Self.words(for: conflicts) else {
            let sentences = arrival.conflicts.sentencesOfTags(
                tagName: { tags[$0]?.name ?? goneTags[$0] },
                itemName: { (arrival.changes.items[$0]?.after ?? items[$0])?.name })
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
