import Swidux

/// A command that changes many items: in parts, so that no key waits for long to be answered, and
/// as one step of undo and one transaction.
public enum BulkAction: Sendable {
    case partDone(Bulk, ItemChanges)
    case ended(Bulk)
}

/// A bulk command that goes on.
public struct Bulk: Hashable, Sendable {
    /// Tells it from the ones before.
    let number: Int
    let command: BulkCommand
    /// How many items it will have changed.
    public internal(set) var total: Int
    public internal(set) var done = 0
    /// How many changes were not committed when it began.
    let uncommittedBefore: Int

    /// What it does, for the status line.
    public var title: String { command.title }
}

/// What commands can do to many items.
public enum BulkCommand: Hashable, Sendable {
    case done, delete
    case tag(Tag.ID)
    /// A day, a repeat or a priority.
    case set
    case move
    case copy, paste
    case deleteTag
    /// Of the command with that name.
    case undo(String), redo(String)

    /// Its name in undo.
    var name: String {
        switch self {
        case .done: "done"
        case .delete: "delete"
        case .tag: "tag"
        case .set: "set"
        case .move: "move"
        case .copy: "copy"
        case .paste: "paste"
        case .deleteTag: "delete tag"
        case .undo(let name), .redo(let name): name
        }
    }

    fileprivate var title: String {
        switch self {
        case .done: "Marking done"
        case .delete: "Deleting"
        case .tag: "Tagging"
        case .set: "Setting"
        case .move: "Moving"
        case .copy: "Copying"
        case .paste: "Adding"
        case .deleteTag: "Deleting tag"
        case .undo(let name): "Undoing \(name)"
        case .redo(let name): "Redoing \(name)"
        }
    }
}

struct BulkReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: BulkAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .partDone(let bulk, let changes):
            state.apply(changes, at: environment.now())
            state.ui.bulk = bulk
            guard bulk.done == bulk.total else { return nil }
            if let text = changes.report(of: bulk.total) { state.ui.show(text, hint: "u undo") }
            // In this turn: what is said to be done is in the log by then.
            return state.endBulk(environment)
        case .ended(let bulk):
            guard state.ui.bulk?.number == bulk.number else { return nil }
            return state.endBulk(environment)
        }
    }
}

extension AppState {
    /// Does what `plan` makes of the list, at once if that is about few items, else in parts, by
    /// the effect that is returned. `count` is about how many.
    mutating func change(
        _ command: BulkCommand, count: Int, _ environment: AppEnvironment,
        plan: @escaping @Sendable (EntityStore<Item>) -> ItemChanges?
    ) -> Effect? {
        let part = environment.mostChangedAtOnce
        ui.bulks += 1
        guard count > part else {
            if let changes = plan(items) {
                apply(changes, at: environment.now())
                if case .inserted(let new) = changes { select(inserted: new) }
                if count > 1, let text = changes.report(of: changes.count) {
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
            guard let changes = await Self.planned(plan, items), changes.count > 0 else {
                return await send(.bulk(.ended(bulk)))
            }
            bulk.total = changes.count
            while bulk.done < bulk.total {
                let end = min(bulk.done + part, bulk.total)
                let changes = changes.part(bulk.done..<end)
                bulk.done = end
                await send(.bulk(.partDone(bulk, changes)))
            }
        }
    }

    mutating func endBulk(_ environment: AppEnvironment) -> Effect? {
        ui.bulk = nil
        return LeavingReducer().bulkEnded(&self, environment)
    }

    /// On another thread: to put many items in order takes its time.
    @concurrent private static func planned(
        _ plan: @Sendable (EntityStore<Item>) -> ItemChanges?, _ items: EntityStore<Item>
    ) async -> ItemChanges? { plan(items) }
}

extension AppState {
    /// Selects the first of new items that the rows have.
    private mutating func select(inserted new: [Item]) {
        if let shown = new.first(where: isIncluded) { ui.selectedItem = shown.id }
    }
}

extension ItemChanges {
    /// What was done to `count` items, or nil if that is seen.
    fileprivate func report(of count: Int) -> String? {
        switch self {
        case .done(_, let time, _): "\(count.items) \(time == nil ? "no longer done" : "done")"
        case .deleted: "Deleted \(count.items)"
        case .tagged(_, _, let isOn): "Tag \(isOn ? "put on" : "taken off") \(count.items)"
        case .set(_, let setting): "\(count.items) \(setting.words)"
        case .inserted: "Added \(count.items)"
        case .untagged(_, let tag, _): "Deleted tag “\(tag.name)”"
        case .placed: nil
        }
    }
}
