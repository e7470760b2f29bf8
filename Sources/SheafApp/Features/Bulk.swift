import SheafList
import Swidux

/// The progress of a command that changes many items. The command runs in parts, so that keys stay
/// responsive, but is one undo step and one transaction.
package enum BulkAction: Sendable {
    case partDone(Bulk, ItemChanges)
    case ended(Bulk)
}

extension BulkAction: FeatureAction {
    var traits: ActionTraits {
        var traits = ActionTraits.program
        switch self {
        case .partDone(let bulk, _):
            traits.undo = { _ in .part(of: bulk.number, name: bulk.command.name) }
        case .ended: break
        }
        return traits
    }
}

/// A running bulk command.
package struct Bulk: Sendable {
    /// The number that distinguishes the command from earlier bulk commands.
    let number: Int
    let command: BulkCommand
    /// The total number of items to change.
    package internal(set) var total: Int
    package internal(set) var done = 0
    /// The number of applied changes that the user requested. The others make room for these.
    var requestedCount = 0
    /// The number of requested items that no row shows, if the message reports it.
    var hidden = 0
    /// The running undo or redo, or nil if the command edits items.
    var undo: UndoRun?
    /// The number of uncommitted changes when the command began.
    let uncommittedBefore: Int
    /// The description of the command for the status line.
    package internal(set) var title: String

    init(number: Int, command: BulkCommand, total: Int, uncommittedBefore: Int) {
        self.number = number
        self.command = command
        self.total = total
        self.uncommittedBefore = uncommittedBefore
        title = command.title
    }
}

/// The commands that can change many items.
package enum BulkCommand: Hashable, Sendable {
    case done, delete
    case tag(Tag.ID)
    case set(ItemSetting)
    case move
    /// A move to another place, which may be out of sight: by `p` or by a drop.
    case put, drop
    case copy, paste
    case deleteTag, renameTag
    /// Undo or redo of the command with the given name.
    case undo(String), redo(String)

    /// The command's name in undo.
    var name: String {
        switch self {
        case .done: "done"
        case .delete: "delete"
        case .tag: "tag"
        case .set(let setting): setting.field.name
        case .move, .put, .drop: "move"
        case .copy, .paste: "paste"
        case .deleteTag: "delete tag"
        case .renameTag: "rename tag"
        case .undo(let name), .redo(let name): name
        }
    }

    fileprivate var title: String {
        switch self {
        case .done: "Toggling done"
        case .delete: "Deleting"
        case .tag: "Toggling a tag"
        case .set(let setting): "Setting \(setting.field.name)"
        case .move, .put, .drop: "Moving"
        case .copy, .paste: "Pasting"
        case .deleteTag: "Deleting tag"
        case .renameTag: "Renaming tag"
        case .undo(let name): "Undoing \(name)"
        case .redo(let name): "Redoing \(name)"
        }
    }
}

extension BulkAction {
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .partDone(let bulk, let changes):
            var bulk = bulk
            let isFirst = bulk.done == changes.count
            // Composes the message first, because the last part also removes the tag from views.
            var deletion: String?
            if case .untagged(_, let tag, _) = changes { deletion = state.message(ofDeleting: tag) }
            bulk.hidden = isFirst ? 0 : state.ui.bulk?.hidden ?? 0
            bulk.hidden += state.applyAndSelect(
                changes, by: bulk.command, isFirst: isFirst, at: environment.now())
            state.ui.bulk = bulk
            guard bulk.done == bulk.total else { return nil }
            let report = state.report(
                of: changes, count: bulk.requestedCount, by: bulk.command, hidden: bulk.hidden)
            if let text = deletion ?? report { state.ui.show(text, hint: "u undo") }
            // Ends in this turn, so that the log already contains the changes that the message
            // reports.
            return state.endBulk(environment)
        case .ended(let bulk):
            guard state.ui.bulk?.number == bulk.number else { return nil }
            if let text = state.reason(ofNothingBy: bulk) { state.ui.refuse(text) }
            return state.endBulk(environment)
        }
    }
}

extension AppState {
    /// Applies the changes that `plan` computes from the list: at once if they affect few items,
    /// else in parts through the returned effect. `count` is the approximate number of affected
    /// items.
    mutating func change(
        _ command: BulkCommand, count: Int, _ environment: AppEnvironment,
        plan: @escaping @Sendable (EntityStore<Item>) -> ItemChanges?
    ) -> Effect? {
        let part = environment.maxChangedAtOnce
        ui.bulks += 1
        guard count > part else {
            if let changes = plan(items) {
                let hidden = applyAndSelect(
                    changes, by: command, isFirst: true, at: environment.now())
                let isGone = changes.firstID.flatMap { items[$0] }.map(isIncluded) == false
                if count > 1 || changes.isReportedAlone(by: command) || isGone,
                    let text = report(
                        of: changes, count: changes.requestedCount, by: command, hidden: hidden)
                {
                    ui.show(text, hint: "u undo")
                }
            }
            return nil
        }
        let bulk = Bulk(
            number: ui.bulks, command: command, total: count,
            uncommittedBefore: saving.uncommitted)
        ui.bulk = bulk
        return { [items, bulk = bulk] send in
            var bulk = bulk
            guard let changes = await Self.planned(plan, items), !changes.isEmpty else {
                return await send(.bulk(.ended(bulk)))
            }
            bulk.total = changes.count
            bulk.requestedCount = changes.requestedCount
            bulk.title = changes.title ?? bulk.title
            repeat {
                let end = min(bulk.done + part, bulk.total)
                let changes = changes.part(bulk.done..<end)
                bulk.done = end
                await send(.bulk(.partDone(bulk, changes)))
                // Lets waiting keys run between two parts.
                await Task.yield()
            } while bulk.done < bulk.total
        }
    }

    /// Returns the reason why a bulk command changed no items, or nil if no message is shown.
    fileprivate func reason(ofNothingBy bulk: Bulk) -> String? {
        switch bulk.command {
        case .put: "\(bulk.total.items) already there"
        case .tag(let id): tags[id].map { "\(bulk.total.items) already have \($0.label)" }
        default: nil
        }
    }

    /// Returns the message about `changes` to `count` items, or nil if the changes are visible. The
    /// name of a single item is last, because a narrow line cuts off the end.
    fileprivate func report(
        of changes: ItemChanges, count: Int, by command: BulkCommand, hidden: Int
    ) -> String? {
        let item = count == 1 ? changes.firstID.flatMap { items[$0] } : nil
        let name = item.map { Confirmation.shown($0.name) }
        func message(_ done: String) -> String {
            let place =
                hidden == 0
                ? "" : count == 1 ? ", now hidden" : ", \(hidden.grouped) of them hidden"
            guard let name else { return "\(count.items) \(done)\(place)" }
            return "\(done.sentenceCased)\(place): “\(name)”"
        }
        switch changes {
        case .inserted: return message("pasted")
        case .placed: return command == .put || command == .drop ? message("moved") : nil
        case .edited(_, .name), .edited(_, .note), .edited(_, .replace): return nil
        case .renamed(let ids, let tag, let renamed, _):
            guard renamed.word == nil, let word = tag.word else { return nil }
            let isPlain = ids.contains { items[$0]?.name.contains(word.dropFirst()) ?? false }
            return isPlain
                ? "Tag renamed. “\(renamed.name)” is not one word, so texts lost the sign of \(word)"
                : nil
        case .edited(_, .done(let time)): return message(time == nil ? "not done" : "done")
        case .deleted: return message("deleted")
        case .edited(_, .add(let tag)):
            return name.map { "\(tag.label) added: “\($0)”" }
                ?? "\(tag.label) added to \(count.items)"
        case .edited(_, .remove(let tag)):
            return name.map { "\(tag.label) removed: “\($0)”" }
                ?? "\(tag.label) removed from \(count.items)"
        case .edited(_, .set(let setting)):
            return name.map { "\(setting.message(today: today)): “\($0)”" }
                ?? setting.message(of: count.items, today: today)
        case .untagged(_, let tag, _): return "Tag deleted: “\(tag.name)”"
        }
    }

    mutating func endBulk(_ environment: AppEnvironment) -> Effect? {
        ui.bulk = nil
        return LeavingAction.bulkEnded(&self, environment)
    }

    /// Runs `plan` on another thread, because ordering many items takes time.
    @concurrent private static func planned(
        _ plan: @Sendable (EntityStore<Item>) -> ItemChanges?, _ items: EntityStore<Item>
    ) async -> ItemChanges? { plan(items) }
}

extension AppState {
    /// Applies `changes`, and returns the number of newly placed items that are not visible. The
    /// first part also selects the first visible one, except after a drop. O(m log n).
    fileprivate mutating func applyAndSelect(
        _ changes: ItemChanges, by command: BulkCommand, isFirst: Bool, at now: Timestamp
    ) -> Int {
        apply(changes, at: now)
        guard let newlyPlaced = changes.newlyPlaced(by: command) else { return 0 }
        let search = includedSearch
        let shown = newlyPlaced.filter { id in
            id == ui.selectedItem || items[id].map(search.finds) ?? true
        }
        if isFirst, command != .drop, let first = shown.first { ui.selectedItem = first }
        return newlyPlaced.count - shown.count
    }
}

extension ItemChanges {
    /// Returns the items that `command` pastes or drops, in order, or nil if the message does not
    /// report their place.
    fileprivate func newlyPlaced(by command: BulkCommand) -> [Item.ID]? {
        switch (self, command) {
        case (.inserted(let new, _, _), _): new.map(\.id)
        case (.placed(let new, let moved), .put), (.placed(let new, let moved), .drop):
            new.prefix(moved).map(\.id)
        default: nil
        }
    }

    /// Returns true if a message reports the changes even if `command` changes only one item.
    fileprivate func isReportedAlone(by command: BulkCommand) -> Bool {
        switch self {
        case .edited(_, .set), .edited(_, .remove), .renamed: true
        default: newlyPlaced(by: command) != nil
        }
    }

    /// The title of a command with two opposite effects, or nil.
    fileprivate var title: String? {
        switch self {
        case .edited(_, .done(let time)): time == nil ? "Marking not done" : "Marking done"
        case .edited(_, .add): "Tagging"
        case .edited(_, .remove): "Removing a tag"
        default: nil
        }
    }

    fileprivate var firstID: Item.ID? {
        switch self {
        case .edited(let ids, _), .deleted(let ids), .untagged(let ids, _, _),
            .renamed(let ids, _, _, _):
            ids.first
        case .placed(let positions, _): positions.first?.id
        case .inserted(let items, _, _): items.first?.id
        }
    }
}
