import FoundationEssentials
import SheafList

/// A conflict between a change by this process and one by another process.
struct Conflict {
    let id: UUID
    let name: String
    let outcome: Outcome

    enum Outcome {
        /// The change by this process is kept.
        case kept
        /// The change by this process is kept. It restored the entity, which another process had
        /// deleted.
        case restored
        /// The change by this process is kept, and the other text was added to the note.
        case noted
        /// This process deleted the entity, but a change by another process restored it.
        case notDeleted
    }

    /// Creates the conflict of an item. `before` is its value before the merge, or nil if it was
    /// deleted; `item` is its value now.
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
    /// Returns the conflicts in `arrival` that are reported without a sentence of their own. `self`
    /// is the state before the arrival is applied.
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

    /// Returns the message about an arrival with `conflicts`, or nil. `self` is the state before
    /// the arrival is applied.
    func message(for arrival: Arrival<StorageChanges>, _ conflicts: [Conflict]) -> String? {
        guard !arrival.conflicts.isEmpty else { return nil }
        let names = arrival.conflicts.sentencesOfNames(
            tagName: { name(Tag.self, $0, in: arrival) },
            viewName: { name(SavedView.self, $0, in: arrival) })
        // A failed rename comes first, because the user has just requested it.
        if !names.isEmpty { return names.joined(separator: ". ") }
        // The message about such an item includes the one about its next occurrence.
        let done = arrival.conflicts.stayingDone(of: arrival.changes.items.upserts) { items[$0] }
        let next = Set(done.map(\.nextID))
        let conflicts = conflicts.filter { !next.contains($0.id) }
        if let sentence = [StorageConflict].sentence(ofDone: done) {
            return [sentence, Self.message(for: conflicts)].compactMap(\.self)
                .joined(separator: ". ")
        }
        guard let words = Self.message(for: conflicts) else {
            let sentences = arrival.conflicts.sentencesOfTags(
                tagName: { tags[$0]?.name ?? goneTags[$0] },
                itemName: { name(Item.self, $0, in: arrival) },
                viewName: { name(SavedView.self, $0, in: arrival) })
            return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
        }
        let count = arrival.conflicts.untaggedItems(
            except: arrival.changes.views.upserts.map(\.id))
        return count == 0 ? words : "\(count.items) lost a deleted tag. \(words)"
    }

    /// Shows a message about a conflict between an edit by this process and one by another process.
    mutating func show(_ conflict: Conflict) {
        if let words = Self.message(for: [conflict]) { ui.show(words, isAlert: true) }
    }

    /// Returns the message about `conflicts`. The name, which may be long, is last.
    static func message(for conflicts: [Conflict]) -> String? {
        guard let last = conflicts.last else { return nil }
        if conflicts.count == 1 {
            let text =
                switch last.outcome {
                case .kept: "Also changed by another process; your version was kept"
                case .restored: "Deleted by another process; your edit restored it"
                case .noted: "Also changed by another process; see its note"
                case .notDeleted: "Not deleted; changed by another process"
                }
            return "\(text): “\(last.name)”"
        }
        let noted = conflicts.count { $0.outcome == .noted }
        let returned = conflicts.count { $0.outcome == .notDeleted }
        let restored = conflicts.count { $0.outcome == .restored }
        var parts = ["\(conflicts.count.grouped) also changed by another process"]
        if noted > 0 { parts.append("see the notes of \(noted.items)") }
        if returned > 0 { parts.append("\(returned.grouped) not deleted") }
        if restored > 0 { parts.append("\(restored.grouped) that it deleted came back") }
        if parts.count == 1 { parts.append("your versions were kept") }
        return parts.joined(separator: ", ")
    }
}
