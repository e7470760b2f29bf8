/// What the persistence pipeline says, and what is asked of it.
public enum SavingAction: Sendable {
    case statusChanged(PersistenceStatus)
    /// `^S`: write now, without waiting for the timer.
    case saveRequested
    case saveEnded
    /// Tags were refused for another reason than that another process had made them too.
    case tagsRefused(PersistenceStatus.Refusal)
}

struct SavingReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SavingAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .statusChanged(let status):
            let refusals = status.refused.dropFirst(state.saving.refused.count)
            let conflicts = status.counters.conflicts - state.saving.counters.conflicts
            state.saving = status
            if conflicts > 0 { state.showConflicts(status.conflicts.suffix(conflicts)) }
            let tags = refusals.compactMap { refusal in
                refusal.id.value(as: Tag.ID.self).flatMap { state.tags[$0] }
            }
            if !tags.isEmpty { return adoption(of: tags, environment) }
            if let refusal = refusals.last { state.ui.show(refusal) }
        case .tagsRefused(let refusal):
            state.ui.show(refusal)
        case .saveRequested:
            return { [saveNow = environment.saveNow] send in
                await saveNow()
                await send(.saving(.saveEnded))
            }
        case .saveEnded:
            if state.saving.phase == .saved { state.ui.show("Saved") }
        }
        return nil
    }

    /// Looks in storage for tags that another process made under the same names: those are then the ones, here too.
    private func adoption(of tags: [Tag], _ environment: AppEnvironment) -> Effect {
        { [storage = environment.storage] send in
            let stored: [Tag]
            do {
                stored = try await storage.loadTags()
            } catch {
                // The pipeline says what is wrong with storage.
                return
            }
            for tag in tags {
                let isNew = !stored.contains { $0.id == tag.id }
                if isNew, let theirs = stored.first(where: { $0.foldedName == tag.foldedName }) {
                    await send(.tags(.replaced(tag.id, by: theirs)))
                } else {
                    let reason = "Another tag has the name “\(tag.name)” already."
                    await send(
                        .saving(.tagsRefused(.init(id: AnyID(tag.id), reason: reason))))
                }
            }
        }
    }
}

extension AppState {
    /// Tells of edits that another process made too. What had to yield is in the item's note.
    mutating func showConflicts(_ ids: some Collection<AnyID>) {
        let names = ids.compactMap { id -> String? in
            guard let id = id.value(as: Item.ID.self) else { return nil }
            return items[id]?.name ?? tags[id]?.name
        }
        guard let name = names.last else { return }
        if ids.count == 1 {
            ui.show(
                "“\(name)” was changed elsewhere too: what yielded is in its note", isAlert: true)
        } else {
            ui.show(
                "\(ids.count) items were changed elsewhere too: what yielded is in their notes",
                isAlert: true)
        }
    }
}

extension UIState {
    fileprivate mutating func show(_ refusal: PersistenceStatus.Refusal) {
        show("Storage refused a change: \(refusal.reason)", isAlert: true)
    }
}
