/// What the persistence pipeline says, and what is asked of it.
public enum SavingAction: Sendable {
    case statusChanged(PersistenceStatus)
    /// `^S`: write now, without waiting for the timer.
    case saveRequested
    case saveEnded
    /// Tags were refused for another reason than that another process had made them too.
    case tagsRefused(PersistenceStatus.Refusal)
    /// The tags of the list could not be read, and the refused ones are looked for again, for the
    /// given time.
    case tagsUnread([Tag.ID], attempt: Int)
}

struct SavingReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: SavingAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .statusChanged(let status):
            let old = state.saving
            let known = Set(old.refused.map(\.id))
            let refusals = status.refused.filter { !known.contains($0.id) }
            state.saving = status
            if status.phase == .failing, state.ui.toast?.text == Self.saved {
                state.ui.toast = nil
            }
            state.tellConflicts(since: old)
            let tags = refusals.compactMap { state.tag($0.id) }
            if let refusal = refusals.last(where: { state.tag($0.id) == nil }) {
                state.ui.show(refusal)
            }
            if !tags.isEmpty { return adoption(of: tags, environment) }
        case .tagsRefused(let refusal):
            state.ui.show(refusal)
        case .tagsUnread(let ids, let attempt):
            let refused = Set(state.saving.refused.map(\.id))
            let tags = ids.filter { refused.contains(AnyID($0)) }.compactMap { state.tags[$0] }
            if !tags.isEmpty { return adoption(of: tags, attempt: attempt, environment) }
        case .saveRequested:
            return { [pipeline = environment.pipeline] send in
                await pipeline.flush()
                await send(.saving(.saveEnded))
            }
        case .saveEnded:
            if state.saving.phase == .saved {
                state.ui.show(Self.saved)
            } else if let reason = state.list.readOnlyReason {
                state.ui.show("Not saved: \(reason)", isAlert: true)
            }
        }
        return nil
    }

    private static let saved = "Saved"

    /// How often the tags of a list that cannot be read are asked for: some three minutes long.
    private static let attempts = 12

    /// Looks in storage for tags that another process made under the same names: those are then the
    /// ones, here too.
    private func adoption(
        of tags: [Tag], attempt: Int = 1, _ environment: AppEnvironment
    ) -> Effect {
        { [storage = environment.storage, sleep = environment.sleep] send in
            let stored: [Tag]
            do {
                stored = try await storage.loadTags()
            } catch {
                guard attempt < Self.attempts else {
                    for tag in tags { await send(.saving(.tagsRefused(tag.refusal))) }
                    return
                }
                let delay = min(Duration.milliseconds(250) * (1 << (attempt - 1)), .seconds(30))
                // Only a cancellation ends the wait early.
                do { try await sleep(delay) } catch { return }
                return await send(.saving(.tagsUnread(tags.map(\.id), attempt: attempt + 1)))
            }
            for tag in tags {
                let isNew = !stored.contains { $0.id == tag.id }
                if isNew, let theirs = stored.first(where: { $0.foldedName == tag.foldedName }) {
                    await send(.tags(.replaced(tag.id, by: theirs)))
                } else {
                    await send(.saving(.tagsRefused(tag.refusal)))
                }
            }
        }
    }
}

extension Tag {
    /// What is said where another tag has its name.
    fileprivate var refusal: PersistenceStatus.Refusal {
        .init(id: AnyID(id), reason: "Another tag already has the name “\(name)”.")
    }
}

extension AppState {
    /// The tag that has the id, if it is a tag's.
    fileprivate func tag(_ id: AnyID) -> Tag? { id.value(as: Tag.ID.self).flatMap { tags[$0] } }
}

extension UIState {
    fileprivate mutating func show(_ refusal: PersistenceStatus.Refusal) {
        show("Storage refused a change: \(refusal.reason)", isAlert: true)
    }
}
