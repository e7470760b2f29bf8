import SheafList

/// The answer to a question.
public enum ConfirmationAction: Hashable, Sendable {
    case accepted, declined
    /// Yes, taking the pasted text literally.
    case acceptedLiterally
}

extension ConfirmationAction: FeatureAction {
    static let reducer = ConfirmationReducer()

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
}

struct ConfirmationReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: ConfirmationAction, environment: AppEnvironment
    ) -> Effect? {
        guard case .confirmation(let confirmation) = state.ui.mode else { return nil }
        let chosen: AppAction
        switch action {
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
            question = left.isEmpty ? nil : self.question(ofDeleting: left)
        } else if let verb = verb(of: asked.confirmed) {
            question = ui.marks.count == 0 ? nil : self.question(about: asked.confirmed, verb: verb)
        }
        question?.items = items.revision
        question?.hidden = ui.marks.hiddenCount
        if let question {
            ui.mode = .confirmation(question)
        } else {
            ui.mode = .normal
            ui.show("The items were deleted elsewhere", isAlert: true)
        }
    }

    /// Returns the question whether to delete the items `ids`, with the number of hidden ones.
    func question(ofDeleting ids: Set<Item.ID>) -> Confirmation {
        let hidden = ui.marks.count > 0 ? ui.marks.hiddenCount ?? 0 : 0
        let item = ids.count == 1 ? ids.first.flatMap { items[$0] } : nil
        let name = item.map { Confirmation.shown($0.name) }
        let what = name.map { "“\($0)”" } ?? ids.count.items
        let place = hidden == 0 ? "" : name == nil ? ", \(hiddenMarks)" : ", which is hidden"
        return Confirmation(
            question: "Delete \(what)\(place)?", briefly: briefQuestions(ofDeleting: ids),
            name: name, verb: "delete", confirmed: .items(.deleteConfirmed(ids)))
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
