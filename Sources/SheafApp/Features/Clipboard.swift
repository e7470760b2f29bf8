import SheafList
import Swidux

/// Taking items to put them elsewhere: `m`, `y`, `p`, and lines that are pasted.
public enum ClipAction: Hashable, Sendable {
    /// `m`: `p` will move them; nothing changes until then.
    case moveRequested
    /// `y`: as a text to the system's clipboard, and `p` will insert copies.
    case copyRequested
    /// These are copied, and the terminal said that of the text.
    case copied(Set<Item.ID>, ClipboardAnswer)
    case putRequested
    /// Text was pasted where no line is open.
    case linesPasted(String)
    /// Yes to the question whether its lines become items there.
    case linesAdded([String], at: Draft.Target)
}

extension ClipAction: FeatureAction {
    static let reducer = ClipReducer()

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
}

struct ClipReducer: SwiduxReducer {
    private struct CopyID: Hashable {}

    private static let pasting = "p paste below"

    func reduce(
        state: inout AppState, action: ClipAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .moveRequested:
            let ids = state.subjects()
            guard !ids.isEmpty else { return nil }
            state.ui.clip = .moved(ids)
            state.ui.show(state.words(of: ids, "cut"), hint: Self.pasting)
        case .copyRequested:
            let ids = state.subjects()
            guard !ids.isEmpty else { return nil }
            state.ui.clip = .copied(ids, from: state.items)
            state.ui.toast = nil
            return copy(ids, state, environment)
        case .copied(let ids, let answer):
            // A later command may offer to be undone.
            if let hint = state.ui.toast?.hint, hint != Self.pasting { return nil }
            let copied =
                switch answer {
                case .sent: "copied"
                case .unsupported: "copied (this terminal has no clipboard)"
                case .tooLong: "copied (too long for the clipboard)"
                }
            state.ui.show(state.words(of: ids, copied), hint: Self.pasting)
        case .putRequested:
            return put(&state, environment)
        case .linesPasted(let text):
            ask(about: text, &state)
        case .linesAdded(let names, let target):
            return add(names, at: target, &state, environment)
        }
        return nil
    }

    // MARK: Copying and putting

    private func copy(
        _ ids: Set<Item.ID>, _ state: AppState, _ environment: AppEnvironment
    ) -> Effect {
        // Of two in a row the last one wins, however long the first one's text takes.
        Effects.cancellable(id: CopyID(), cancelInFlight: true) {
            [
                items = state.items, tags = state.tags, terminal = environment.terminal,
                text = environment.text
            ] send in
            let text = await Self.text(ids, items, tags, text)
            guard !Task.isCancelled else { return }
            let answer = await terminal.copy(text)
            await send(.clip(.copied(ids, answer)))
        }
    }

    /// On another thread: many items take their time.
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
            // Of many it is counted on another thread.
            let count =
                ids.count > environment.mostChangedAtOnce ? ids.count : state.items.count(of: ids)
            let before = state.items.revision
            let effect = state.change(.put, count: count, environment) { items in
                let isCut = current.map(ids.contains) ?? false
                return .placing(items.inOrder(ids), isCut ? .before : .after, current, in: items)
            }
            if effect == nil, state.items.revision == before {
                if count == 1, let shown = ids.first(where: state.isIncluded) {
                    state.ui.selectedItem = shown
                }
                state.ui.refuse(state.words(of: ids, "already there"))
            }
            return effect
        case .copied(let ids, let source):
            guard ids.count * times <= Self.mostCopied else {
                state.ui.refuse(
                    "Cannot paste \((ids.count * times).items): \(Self.mostCopied.grouped) is the most",
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

    /// `p` with a count is a slip where it would make more than this.
    private static let mostCopied = 1_000_000

    // MARK: Pasting

    /// The names in a text are its lines, as in an import, but for those of nothing but white
    /// space.
    private func ask(about text: String, _ state: inout AppState) {
        let names = text.lines.map { line in
            String(line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line)
        }.filter { !$0.isBlank }
        guard !names.isEmpty else {
            state.ui.refuse("Nothing to paste: the text is blank")
            return
        }
        state.ui.pane = .items
        let target = state.selectedItem.map { Draft.Target.newItem(below: $0.id) }
        state.ui.mode = .confirmation(state.question(ofPasting: names, at: target ?? .newItemAtEnd))
    }

    private func add(
        _ names: [String], at target: Draft.Target, _ state: inout AppState,
        _ environment: AppEnvironment
    ) -> Effect? {
        let tags: Set<Tag.ID> = state.shownTag.map { [$0.id] } ?? []
        return state.change(.paste, count: names.count, environment) {
            [now = environment.now(), makeID = environment.makeID] items in
            let new = names.map {
                Item(id: makeID(), name: $0, tags: tags, rank: .middle, createdAt: now)
            }
            let anchor = target == .newItemAtEnd ? items.last?.id : target.anchor
            return .inserting(new, after: anchor, in: items)
        }
    }
}

extension AppState {
    func question(ofPasting names: [String], at target: Draft.Target) -> Confirmation {
        let name = target.anchor.flatMap { items[$0] }.map { Confirmation.shown($0.name) }
        let place =
            name.map { "below “\($0)”" }
            ?? (target == .newItemAtEnd ? "into the list" : "at the top")
        return Confirmation(
            question: "Paste \(names.count.items) \(place)?",
            briefly: ["Paste \(names.count.items)?", "Paste \(names.count.grouped)?"],
            name: name, verb: "paste",
            preview: names.prefix(Confirmation.mostPreviewed).map(Confirmation.shown),
            count: names.count, confirmed: .clip(.linesAdded(names, at: target)))
    }

    /// The message that `done` happened to items: `Cut: “Milk”`, `2 items cut`.
    fileprivate func words(of ids: Set<Item.ID>, _ done: String) -> String {
        guard ids.count == 1, let item = ids.first.flatMap({ items[$0] }) else {
            return "\(ids.count.items) \(done)"
        }
        return "\(done.sentenceCased): “\(Confirmation.shown(item.name))”"
    }
}
