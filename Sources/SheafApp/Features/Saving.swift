import SheafList

/// Reports of the persistence pipeline, and requests to it.
package enum SavingAction: Sendable {
    case statusChanged(PersistenceStatus)
    /// A commit takes long enough for the user to notice.
    case commitDelayed
    /// The save state of the visible items has changed.
    case visibleSaveStatesChanged(VisibleSaveStates)
    /// `^S`: flushes now, without waiting for the timer.
    case saveRequested
    case saveEnded
    /// Changes by other processes, and rows in which a commit stored other values than it was
    /// given.
    case arrived(Arrival<StorageChanges>)
    /// The authors of items that other processes have changed. The changes arrive next.
    case authorsKnown([Item.ID: Author], items: [Item])
    /// Storage has a message for the user.
    case noticed(String)
}

extension SavingAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .statusChanged, .commitDelayed, .visibleSaveStatesChanged, .saveEnded, .arrived,
            .authorsKnown,
            .noticed:
            .program
        case .saveRequested: ActionTraits(origin: .key, heading: .history)
        }
    }

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .statusChanged(let status):
            let old = state.saving
            let known = Set(old.refused.map(\.id))
            let refusals = status.refused.filter { !known.contains($0.id) }
            state.saving = status
            if status.phase == .saved { state.untaggedItems = [:] }
            if status.phase == .failing, state.ui.toast?.text == Self.saved {
                state.ui.toast = nil
            }
            if let refusal = refusals.last { state.show(refusal) }
            state.updateUnsavedMarks()
            return LeavingAction.savingChanged(&state, environment)
        case .commitDelayed:
            if state.saving.phase == .saving { state.ui.marksUnsaved = true }
        case .visibleSaveStatesChanged(let shown):
            state.visibleSaveStates = shown
        case .arrived(let arrival):
            // Marks the open range first: the arrival may move its ends or insert rows, and the
            // user has not seen the new rows marked.
            let hasRange = state.ui.marks.range != nil && !arrival.changes.isEmpty
            let fill = hasRange ? state.markRange() : nil
            let hasCount = state.ui.count != nil && !arrival.changes.items.isEmpty
            let lost = state.ui.lostSubject
            state.adopt(arrival)
            if hasCount, state.ui.lostSubject == nil { state.ui.lostSubject = .recounted }
            switch state.ui.lostSubject {
            case nil, .otherRows:
                if hasRange {
                    state.ui.show(
                        "The range ended: the list was changed by another process", isAlert: true)
                }
            default: break
            }
            guard case .deletedElsewhere = state.ui.lostSubject, lost != state.ui.lostSubject
            else { return fill }
            return Effects.merge(fill, environment.pause())
        case .authorsKnown(let authors, let items):
            state.authors.add(authors, of: items, now: environment.now())
        case .noticed(let sentence):
            if state.leaving != .staying { state.ui.noticeAtEnd = sentence }
            state.ui.show(sentence, isAlert: true)
        case .saveRequested:
            return { [pipeline = environment.pipeline] send in
                await pipeline.flush()
                await send(.saving(.saveEnded))
            }
        case .saveEnded:
            if let reason = state.list.unreadableReason {
                state.ui.show("Cannot save: \(reason)", isAlert: true)
            } else if state.isSaved {
                state.ui.show(Self.saved)
            } else if state.saving.phase == .saved, let obstacle = state.list.loading?.obstacle {
                state.ui.show("Cannot save: \(obstacle)", isAlert: true)
            } else if let reason = state.list.readOnlyReason {
                state.ui.show("Cannot save: \(reason)", isAlert: true)
                return { send in await send(.session(.accessCheckRequested)) }
            }
        }
        return nil
    }

    private static let saved = "Saved"
}

extension AppState {
    /// Applies `arrival` to the list, and reports its conflicts.
    fileprivate mutating func adopt(_ arrival: Arrival<StorageChanges>) {
        arrivedConflicts = conflicts(in: arrival)
        let words = message(for: arrival, arrivedConflicts)
        tagsRemovedByStorage = [:]
        for conflict in arrival.conflicts {
            guard case .tookReference(let tag) = conflict.outcome,
                let tag = tag.value(as: Tag.ID.self), let item = conflict.id.value(as: Item.ID.self)
            else { continue }
            tagsRemovedByStorage[tag, default: []].insert(item)
        }
        for item in arrival.changes.items.upserts {
            for tag in item.tags.subtracting(items[item.id]?.tags ?? []) {
                othersTags[tag, default: []].insert(item.id)
            }
        }
        for view in arrival.changes.views.upserts where view.tag != views[view.id]?.tag {
            if let tag = view.tag { othersTags[tag, default: []].insert(view.id) }
        }
        let chosen = (view: selectedView, tag: shownTag)
        let formerTags = tags
        let selected = (subject: keySubject, item: selectedItem)
        let former =
            ui.mode.isAboutItems ? arrival.changes.items.upserts.compactMap { items[$0.id] } : []
        let queried = arrival.changes.tags.deletions.first(where: query.search.names).flatMap {
            tags[$0]
        }
        let returned = arrival.changes.tags.upserts.map(\.id).filter { !tags.contains($0) }
        func adopt(_ kind: (some StateEntity).Type) { self[kind].adopt(arrival.changes[kind]) }
        for kind in Self.kinds { adopt(kind) }
        // If a deleted tag is restored, it returns to its items.
        for tag in returned {
            for id in untaggedItems.removeValue(forKey: tag) ?? [] {
                items.modify(id) { $0.tags.insert(tag) }
            }
        }
        for (refused, substitute) in arrival.substitutes {
            guard let id = refused.value(as: Tag.ID.self),
                let other = substitute.value(as: Tag.ID.self).flatMap({ tags[$0] })
            else { continue }
            replaceTag(id, by: other)
        }
        noteChanges(of: former)
        showLoss(of: selected.subject, selected.item)
        keepRows(chosen.view, chosen.tag)
        if let view = chosen.view, let new = views[view.id], ui.chosenView?.shown != nil,
            new.settings != view.settings
        {
            // A renamed tag in the query still finds the same items.
            let renaming = TagRenaming(from: formerTags.values, to: tags.values)
            if new.settings != renaming.view(view).settings {
                ui.showOtherRows(because: "View “\(view.name)” was changed by another process")
            }
        } else if let queried {
            ui.showOtherRows(
                because: "\(queried.label) was deleted by another process, and the query names it")
        }
        if ui.mouse.isDragging, !arrival.changes.isEmpty {
            // Rows may have moved under a resting pointer.
            endDrag()
            ui.show("Drag ended: the list was changed by another process", isAlert: true)
        }
        if let words { ui.show(words, isAlert: true) }
    }
}

extension AppState {
    /// Passes items that another process has changed to the open picker, prompt or question.
    /// `former` are their earlier values. O(changes).
    private mutating func noteChanges(of former: [Item]) {
        switch ui.mode {
        case .tagPicker(var picker):
            picker.noteChanges(of: former, in: self)
            ui.mode = .tagPicker(picker)
        case .prompt(var prompt):
            prompt.noteChanges(of: former, in: items)
            ui.mode = .prompt(prompt)
        case .confirmation(var question):
            question.noteChanges(of: former, in: items)
            ui.mode = .confirmation(question)
        default: break
        }
    }

    /// Shows that another process has deleted `subject`. Refuses a key that the user typed before
    /// the deletion was visible, because it would act on a neighboring row. A deleted tag stays
    /// chosen instead. `item` is the selected item before the deletion.
    private mutating func showLoss(of subject: KeySubject, _ item: Item?) {
        guard isDeleted(subject) else {
            // Some keys act on the selected item even if others are marked.
            if subject == .marked, let item { showLoss(of: .item(item.id), item) }
            return
        }
        switch subject {
        case .marked:
            ui.marks.removeAll()
            ui.refuse(subject.deletion.sentenceCased, isAlert: true)
        case .item:
            guard let item else { return }
            ui.refuse(
                "Deleted by another process: “\(Confirmation.shown(item.name))”", isAlert: true)
        case .row(.view): break
        case .row(.choice): return
        }
        ui.lostSubject = .deletedElsewhere(subject)
    }

    /// Keeps the current choices if another process has deleted the chosen view or tag, so that no
    /// command acts on items that the user did not choose. For a deleted tag, no items are shown.
    private mutating func keepRows(_ view: SavedView?, _ tag: Tag?) {
        if let tag, !tags.contains(tag.id), ui.viewSettings.tagChoice == .tag(tag.id) {
            ui.deletedTag = tag
            ui.chosenView?.shown = nil
            ui.show(
                "\(tag.label) was deleted by another process", hint: "Esc show all items",
                isAlert: true)
        }
        switch ui.mode.draft?.target {
        case .renamedView, .newView: return
        default: break
        }
        guard let view, !views.contains(view.id) else { return }
        ui.chosenView = nil
        ui.show(
            "View “\(view.name)” was deleted by another process; what it shows stays",
            hint: "Esc clear", isAlert: true)
    }

    fileprivate mutating func show(_ refusal: Refusal) {
        func name(_ kind: (some StateEntity).Type) -> String? {
            refusal.id.value(as: Item.ID.self).flatMap { self[kind][$0]?.name }
        }
        let what = Self.kinds.compactMap { name($0) }.first.map { "“\($0)”" } ?? "a change"
        ui.show("Cannot save \(what): \(refusal.reason)", isAlert: true)
    }
}
