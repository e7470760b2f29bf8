import SheafList
import Swidux

/// The answer to a question.
package enum ConfirmationAction: Hashable, Sendable {
    case accepted, declined
    /// Yes, taking the pasted text literally.
    case acceptedLiterally
}

extension ConfirmationAction: FeatureAction {
    var traits: ActionTraits {
        var traits = ActionTraits.user(under: .program, ends: [.count, .range])
        guard self != .declined else { return traits }
        let isLiteral = self == .acceptedLiterally
        traits.undo = { state in
            guard case .confirmation(let asked) = state.ui.mode,
                let chosen = isLiteral ? asked.literal : asked.confirmed
            else { return .ignored }
            return AppAction.undoRole(of: chosen, before: state)
        }
        return traits
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        guard case .confirmation(let confirmation) = state.ui.mode else { return nil }
        let chosen: AppAction
        switch self {
        case .accepted: chosen = confirmation.confirmed
        case .acceptedLiterally:
            guard let literal = confirmation.literal else { return nil }
            chosen = literal
        case .declined:
            state.ui.mode = .normal
            return nil
        }
        state.ui.mode = .normal
        return AppReducer().perform(chosen, on: &state, environment, isConfirmed: true)
    }
}

extension Confirmation {
    /// Excludes from the deletion the items that another process has changed. `former` are their
    /// earlier values. A new position does not count as a change. O(changes), or O(items) if an
    /// item has changed.
    mutating func noteChanges(of former: [Item], in items: EntityStore<Item>) {
        guard case .items(.deleteConfirmed(var ids)) = confirmed else { return }
        let changed = former.filter { item in
            guard ids.contains(item.id), var now = items[item.id] else { return false }
            now.rank = item.rank
            // The question about one item shows its new name, so a rename does not count.
            if ids.count == 1 { (now.name, now.updatedAt) = (item.name, item.updatedAt) }
            return now != item
        }
        guard !changed.isEmpty else { return }
        ids.subtract(changed.map(\.id))
        kept += changed.count
        confirmed = .items(.deleteConfirmed(ids))
    }
}

extension AppState {
    /// Updates an open question after items have changed: its counts, and the place for pasted
    /// lines. `other` is the row above the item that the lines were to follow, if that item is
    /// deleted.
    mutating func settle(_ asked: Confirmation, above other: Item.ID?) {
        guard asked.items != items.revision || asked.hidden != ui.marks.hiddenCount else { return }
        var question: Confirmation? = asked
        if case .tags(.deleteConfirmed(let tag, let uses)) = asked.confirmed {
            question = self.question(ofDeleting: tag, asked: uses)
        } else if case .clip(.linesAdded(let lines, at: let target)) = asked.confirmed {
            let isGone = target.anchor.map { !items.contains($0) } ?? false
            let above = isGone ? other ?? rows.id(at: ui.selectedRow - 1) : nil
            question = self.question(
                ofPasting: lines, at: isGone ? .newItem(below: above) : target)
        } else if ui.marks.hiddenCount == nil {
            return
        } else if case .items(.deleteConfirmed(let ids)) = asked.confirmed {
            let left = ids.filter(items.contains)
            question = left.isEmpty ? nil : self.question(ofDeleting: left, keeping: asked.kept)
        } else if let verb = verb(of: asked.confirmed) {
            question = ui.marks.count == 0 ? nil : self.question(about: asked.confirmed, verb: verb)
        }
        question?.items = items.revision
        question?.hidden = ui.marks.hiddenCount
        if let question {
            ui.mode = .confirmation(question)
        } else {
            ui.mode = .normal
            let change = asked.kept > 0 ? "changed, and were kept" : "deleted by another process"
            ui.show("The items were \(change)", isAlert: true)
        }
    }

    /// Returns the question whether to delete the items `ids`, with the number of hidden ones.
    ///
    /// - Parameter kept: the number of other items that stay, because another process has changed
    ///   them since the question was asked.
    func question(ofDeleting ids: Set<Item.ID>, keeping kept: Int = 0) -> Confirmation {
        let hidden = ui.marks.count > 0 ? ui.marks.hiddenCount ?? 0 : 0
        let item = ids.count == 1 ? ids.first.flatMap { items[$0] } : nil
        let name = item.map { Confirmation.shown($0.name) }
        let what = name.map { "“\($0)”" } ?? ids.count.items
        let place = hidden == 0 ? "" : name == nil ? ", \(hiddenMarks)" : ", which is hidden"
        let others = kept == 0 ? "" : ", but not \(kept.grouped) changed by another process"
        var question = Confirmation(
            question: "Delete \(what)\(place)\(others)?",
            shorterForms: briefQuestions(ofDeleting: ids),
            name: name, verb: "delete", confirmed: .items(.deleteConfirmed(ids)))
        question.kept = kept
        return question
    }

    private func briefQuestions(ofDeleting ids: Set<Item.ID>) -> [String] {
        let hidden = ui.marks.count > 0 ? ui.marks.hiddenCount ?? 0 : 0
        if hidden == 0 { return ["Delete \(ids.count.grouped)?"] }
        let words = ids.count == 1 ? "hidden" : hiddenMarks
        return [
            "Delete \(ids.count.grouped), \(words)?", "\(hiddenMarks.sentenceCased)?",
            "\(hidden.grouped) hidden?",
        ]
    }
}
