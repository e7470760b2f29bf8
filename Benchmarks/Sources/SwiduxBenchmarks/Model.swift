import Foundation
import Swidux

/// The state of the measured program: entries, a view of the open ones, and an unrelated value.
struct ListState: Sendable {
    var entries = EntityStore<Entry>()
    var open = EntityView<Entry> { $0.content.doneAt == nil }
    var ticks = 0
}

enum ListAction: Sendable {
    case rename(UUID, String)
    case toggle(UUID)
    case insert(Entry, after: UUID)
    case delete(UUID)
    case move(UUID, before: UUID)
    case tick
    case undo
    case redo
    case reported
}

struct ListReducer: SwiduxReducer {
    func reduce(state: inout ListState, action: ListAction, environment: Void) -> Effect<
        ListAction
    >? {
        switch action {
        case .rename(let id, let name): state.entries.modify(id) { $0.content.name = name }
        case .toggle(let id): state.entries.modify(id) { $0.toggle() }
        case .insert(let entry, let previous): state.entries.insert(entry, after: previous)
        case .delete(let id): state.entries[id] = nil
        case .move(let id, let next): state.entries.move(id, before: next)
        case .tick: state.ticks += 1
        case .undo, .redo, .reported: break
        }
        return nil
    }
}

extension Entry {
    mutating func toggle() { content.doneAt = content.doneAt == nil ? 1 : nil }
}

struct ListChanges: Sendable {
    var entries = EntityChanges<Entry>()
}

/// A timer that never fires, because only the handling of a key is measured, and not the disk.
final class IdleTimer: DebounceTimer {
    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) {}
    func cancel() {}
}

typealias ListStore = Store<ListState, ListAction, Void>

/// Creates a store with persistence, and with undo if `hasUndo` is true.
@MainActor
func makeStore(_ state: ListState, hasUndo: Bool) -> (
    store: ListStore, history: UndoHistory<ListState, ListAction>?
) {
    let persistence = PersistencePipeline(
        writers: [BatchWriter(keyPath: \ListState.entries, into: \ListChanges.entries)],
        empty: { ListChanges() }, options: PersistenceOptions(now: { .now }, timer: IdleTimer())
    ) { _ in CommitResult() }
    let history = UndoHistory<ListState, ListAction>(
        tracks: [UndoTrack(\.entries)],
        classify: { action, _ in
            switch action {
            case .undo: .undo
            case .redo: .redo
            case .tick, .reported: .ignored
            default: .command(name: "edit", coalesces: false)
            }
        },
        report: { _ in .reported })
    let store = ListStore(
        initialState: state, reducer: ListReducer(), environment: (),
        persistence: persistence, undo: hasUndo ? history : nil)
    return (store, hasUndo ? history : nil)
}
