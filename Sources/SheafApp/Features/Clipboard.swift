import SheafList
import Swidux

/// Moving and copying items with `m`, `y` and `p`, and pasting lines.
package enum ClipAction: Hashable, Sendable {
    /// `m`: marks the items for a move by `p`. The list does not change yet.
    case moveRequested
    /// `y`: copies the items as text to the system's clipboard. `p` will insert copies.
    case copyRequested
    /// The items were copied. The answer is the terminal's result for the text.
    case copied(Set<Item.ID>, ClipboardAnswer)
    /// `p`: moves or copies the items of the last `m` or `y` to the place below the selected item.
    case putRequested
    /// Text was pasted while no line was open.
    case linesPasted(String)
    /// The user confirmed that the pasted lines become items at a place.
    case linesAdded(PastedLines, at: Draft.Target)
}

extension ClipAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .moveRequested: return .request(under: .items, verb: "cut")
        case .copyRequested, .copied: return .user(under: .items)
        case .putRequested:
            var traits = ActionTraits.request(under: .items)
            traits.undo = { .command(name: ($0.ui.clip?.command ?? .copy).name) }
            return traits
        case .linesPasted: return .request(under: .items)
        case .linesAdded:
            var traits = ActionTraits.edit("paste", under: .items)
            traits.changesList = false
            return traits
        }
    }

    private static let pasting = "p paste below"

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .moveRequested:
            let ids = state.subjects()
            guard !ids.isEmpty else { return nil }
            state.ui.clip = .moved(ids)
            state.ui.show(state.message(about: ids, "cut"), hint: Self.pasting)
        case .copyRequested:
            let ids = state.subjects()
            guard !ids.isEmpty else { return nil }
            state.ui.clip = .copied(ids, from: state.items)
            state.ui.toast = nil
            return copy(ids, state, environment)
        case .copied(let ids, let answer):
            // Keeps the hint of a later command, which may offer undo.
            if let hint = state.ui.toast?.hint, hint != Self.pasting { return nil }
            let copied =
                switch answer {
                case .sent: "copied"
                case .unsupported: "copied (this terminal has no clipboard)"
                case .tooLong: "copied (too long for the clipboard)"
                }
            state.ui.show(state.message(about: ids, copied), hint: Self.pasting)
        case .putRequested:
            return put(&state, environment)
        case .linesPasted(let text):
            ask(about: text, &state, environment)
        case .linesAdded(let lines, let target):
            return add(lines, at: target, &state, environment)
        }
        return nil
    }

    // MARK: Copying and putting

    private func copy(
        _ ids: Set<Item.ID>, _ state: AppState, _ environment: AppEnvironment
    ) -> Effect {
        // The last of two successive copies wins, however long the text of the first takes.
        Effects.cancellable(id: EffectID.copy, cancelInFlight: true) {
            [
                items = state.items, tags = state.tags, terminal = environment.terminal,
                text = environment.formatItems
            ] send in
            let text = await Self.text(ids, items, tags, text)
            guard !Task.isCancelled else { return }
            let answer = await terminal.copy(text)
            await send(.clip(.copied(ids, answer)))
        }
    }

    /// Formats the items on another thread, because many items take time.
    @concurrent private static func text(
        _ ids: Set<Item.ID>, _ items: EntityStore<Item>, _ tags: EntityStore<Tag>,
        _ text: @Sendable ([Item], [Tag]) -> String
    ) async -> String { text(items.inOrder(ids), tags.values) }

    private func put(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        let current = state.ui.selectedItem
        let times = state.ui.count ?? 1
        switch state.ui.clip {
        case nil:
            state.ui.refuse("Nothing to paste: m cuts items, y copies them")
            state.ui.choiceFailed()
            return nil
        case .moved(let ids):
            if let refusal = state.moveRefusal {
                state.ui.refuse(refusal)
                state.ui.choiceFailed()
                return nil
            }
            state.ui.clip = nil
            state.ui.toast = nil
            guard ids.contains(where: { state.items.contains($0) }) else {
                state.ui.show("Cannot paste: the cut items were deleted", isAlert: true)
                state.ui.choiceFailed()
                return nil
            }
            // If there are many items, they are counted on another thread.
            let count =
                ids.count > environment.maxChangedAtOnce ? ids.count : state.items.count(of: ids)
            let before = state.items.revision
            let effect = state.change(.put, count: count, environment) { items in
                let isCut = current.map(ids.contains) ?? false
                return .placing(items.inOrder(ids), isCut ? .before : .after, current, in: items)
            }
            if effect == nil, state.items.revision == before {
                if count == 1, let shown = ids.first(where: state.isIncluded) {
                    state.ui.selectedItem = shown
                }
                state.ui.refuse(state.message(about: ids, "already there"))
            }
            return effect
        case .copied(let ids, let source):
            guard ids.count * times <= Self.maxCopied else {
                state.ui.refuse(
                    "Cannot paste \((ids.count * times).items): the maximum is"
                        + " \(Self.maxCopied.grouped)",
                    isAlert: true)
                return nil
            }
            return state.change(.copy, count: ids.count * times, environment) {
                [now = environment.now(), makeID = environment.makeID] items in
                let taken = source.inOrder(ids)
                let copies = (0..<times).flatMap { _ in
                    taken.map { $0.copied(as: makeID(), at: now) }
                }
                return .inserting(copies, after: current ?? items.last?.id, in: items)
            }
        }
    }

    /// The maximum number of copies. A count of `p` that would create more is taken for a mistake.
    private static let maxCopied = 1_000_000

    // MARK: Pasting

    /// Asks whether to add the lines of a text as items. Blank lines are skipped.
    private func ask(
        about text: String, _ state: inout AppState, _ environment: AppEnvironment
    ) {
        let names = text.lines.map { line in
            String(line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line)
        }.filter { !$0.isBlank }
        guard !names.isEmpty else {
            state.ui.refuse("Nothing to paste: the text is blank")
            return
        }
        state.ui.pane = .items
        let target = state.selectedItem.map { Draft.Target.newItem(below: $0.id) }
        let lines = PastedLines(
            names: names, items: environment.parsePastedText(text, environment.now()))
        state.ui.mode = .confirmation(state.question(ofPasting: lines, at: target ?? .newItemAtEnd))
    }

    private func add(
        _ lines: PastedLines, at target: Draft.Target, _ state: inout AppState,
        _ environment: AppEnvironment
    ) -> Effect? {
        var tags = lines.tags(among: state.tags)
        var new: [Tag] = []
        let color = TagColor.minUsed(among: state.tags)
        for name in lines.tagNames where tags[Tag.fold(name)] == nil {
            let tag = Tag(
                id: environment.makeID(), name: name, color: color.advanced(by: new.count),
                rank: .middle)
            new.append(tag)
            tags[Tag.fold(name)] = tag
        }
        let required = Set(state.tagsOfNewItems.map(\.id))
        let priority = state.priorityOfNewItems
        return state.change(.paste, count: lines.count, environment) {
            [now = environment.now(), makeID = environment.makeID, tags, new] items in
            let pasted = lines.items ?? lines.names.map { PastedItem(name: $0, now: now) }
            let added = pasted.map { pasted in
                var item = Item(id: makeID())
                for field in Item.fields { field.copy(from: pasted.item, to: &item) }
                item.tags = required.union(
                    pasted.tags.compactMap { Tag.name(from: $0) }
                        .compactMap { tags[Tag.fold($0)]?.id })
                if item.priority == nil { item.priority = priority }
                return item
            }
            let anchor = target == .newItemAtEnd ? items.last?.id : target.anchor
            return .inserting(added, tags: new, after: anchor, in: items)
        }
    }
}

extension AppState {
    func question(ofPasting lines: PastedLines, at target: Draft.Target) -> Confirmation {
        let name = target.anchor.flatMap { items[$0] }.map { Confirmation.shown($0.name) }
        let place =
            name.map { "below “\($0)”" }
            ?? (target == .newItemAtEnd ? "into the list" : "at the top")
        var question = Confirmation(
            question: "Paste \(lines.count.items) \(place)?",
            shorterForms: ["Paste \(lines.count.items)?", "Paste \(lines.count.grouped)?"],
            name: name, verb: "paste",
            preview: lines.names.prefix(Confirmation.maxPreviewed).map(Confirmation.shown),
            title:
                "Paste of \(lines.names.count == 1 ? "1 line" : "\(lines.names.count.grouped) lines")",
            count: lines.count, confirmed: .clip(.linesAdded(lines, at: target)))
        var added = tagsOfNewItems.map(\.label)
        if let priority = priorityOfNewItems { added.append("priority \(priority)") }
        let addition = added.isEmpty ? "" : ", adding \(added.joined(separator: ", "))"
        question.title += addition
        guard let items = lines.items else {
            if TodoWords.areLikely(in: lines.names) {
                question.advice = "sheaf import --format todotxt reads +x and @x as tags."
            }
            return question
        }
        let known = lines.tags(among: self.tags)
        question.preview = items.prefix(Confirmation.maxPreviewed).map {
            $0.line(today: today, createdOn: query.calendar.day($0.item.createdAt), tags: known)
        }
        let done = items.count(where: \.item.isDone)
        let tags = Set(lines.tagNames.map(Tag.fold))
        let new = tags.count { known[$0] == nil }
        let counts = [
            lines.count.items, done > 0 ? "\(done.grouped) done" : nil,
            tags.isEmpty ? nil : new == tags.count ? new.counted("new tag") : tags.count.tags,
        ]
        let some = new > 0 && new < tags.count ? " (\(new.grouped) new)" : ""
        question.title =
            "Paste of \(counts.compactMap(\.self).joined(separator: ", "))\(some)\(addition)"
        question.literal = .clip(
            .linesAdded(PastedLines(names: lines.names, items: nil), at: target))
        return question
    }

    /// Returns the message about items after a command with the participle `done`: `Cut: “Milk”`,
    /// `2 items cut`.
    fileprivate func message(about ids: Set<Item.ID>, _ done: String) -> String {
        guard ids.count == 1, let item = ids.first.flatMap({ items[$0] }) else {
            return "\(ids.count.items) \(done)"
        }
        return "\(done.sentenceCased): “\(Confirmation.shown(item.name))”"
    }
}

extension PastedItem {
    /// Returns the item as a line of the preview: `✓ Milk · new tag #shop · due Fri 27 Nov`.
    ///
    /// - Parameters:
    ///   - createdOn: The day on which the item was created, which is part of the line unless it is
    ///     today.
    ///   - tags: The existing tags to which names refer, by folded name. Other names are new tags.
    fileprivate func line(
        today: CalendarDay, createdOn: CalendarDay, tags known: [String: Tag]
    ) -> String {
        let settings: [ItemSetting?] = [
            item.priority.map { .priority($0) }, item.due.map { .due($0) },
            item.scheduled.map { .scheduled($0) }, item.repeat.map { .repeat($0) },
        ]
        let parts =
            [Confirmation.shown(item.name)]
            + tags.prefix(20).compactMap { Tag.name(from: $0) }.map { name in
                known[Tag.fold(name)]?.label ?? "new tag \(Tag.label(ofName: name))"
            }
            + settings.compactMap { $0?.brief(today: today) }
            + (createdOn == today ? [] : ["created \(createdOn.shortName(today: today))"])
        return "\(item.isDone ? "✓" : "○") \(parts.joined(separator: " · "))"
    }
}
