import Foundation
import Swidux

/// Edits of an `EntityStore`, recorded and drained. Before each edit, a new snapshot of the state
/// is taken and held.
@MainActor
private final class Editing {
    let fixture: Fixture
    private var state: ListState
    private var held: ListState
    private var writer: StateWriter<ListState>

    init(_ fixture: Fixture) {
        self.fixture = fixture
        state = fixture.state
        held = fixture.state
        writer = StateWriter(keyPath: \.entries) { _, _ in }
    }

    private func begin() {
        state = fixture.state
        // A new writer, so that it collects only the changes of one batch.
        writer = StateWriter(keyPath: \.entries) { _, _ in }
        writer.drain(&state)
    }

    func workload(
        count: Int = 250, _ edit: @escaping (inout EntityStore<Entry>, Int) -> Void
    ) -> Workload {
        var next = 0
        return Workload(count: count, prepare: { self.begin() }) { count in
            for _ in 0..<count {
                self.held = self.state
                edit(&self.state.entries, next)
                self.writer.drain(&self.state)
                next += 1
            }
            keep(self.held)
        }
    }
}

/// Returns a workload with the same edits as actions of the textbook design.
@MainActor
func textbookWorkload(
    _ fixture: Fixture, hasUndo: Bool = false,
    _ edit: @escaping (inout TextbookEntityStore, Int) -> Void
) -> Workload {
    var store = TextbookStore(fixture.textbook, hasUndo: hasUndo)
    var next = 0
    return Workload(
        count: fixture.size > 100_000 ? 1 : 5,
        prepare: { store = TextbookStore(fixture.textbook, hasUndo: hasUndo) },
        run: { count in
            for _ in 0..<count {
                store.send { edit(&$0.entries, next) }
                next += 1
            }
            keep(store.pending.count)
        })
}

extension TextbookEntityStore {
    mutating func insertCopy(of entry: Entry, at position: Int) {
        insert(
            TextbookEntry(id: entry.id, sortIndex: position, content: entry.content), at: position)
    }

    mutating func move(_ id: UUID, before next: UUID) {
        guard let source = position(of: id), let target = position(of: next) else { return }
        move(from: source, to: target)
    }
}

/// An edit under both designs. The number selects the entity, and differs between operations.
struct Edit {
    let name: String
    var budget = Budget.edit
    let subject: @MainActor (Fixture, inout EntityStore<Entry>, Int) -> Void
    let action: @MainActor (Fixture, ListState, Int) -> ListAction
    let textbook: @MainActor (Fixture, inout TextbookEntityStore, Int) -> Void

    var sentName: String { Edit.sentName(name) }

    /// Returns the name of the edit's row through `Store.send`.
    static func sentName(_ name: String) -> String { "send with undo: \(name)" }

    @MainActor
    static let all = [
        Edit(
            name: "rename",
            subject: { fixture, entries, number in
                entries.modify(fixture.id(number)) { $0.content.name = fixture.name(number) }
            },
            action: { fixture, _, number in .rename(fixture.id(number), fixture.name(number)) },
            textbook: { fixture, entries, number in
                entries.modify(fixture.id(number)) { $0.content.name = fixture.name(number) }
            }),
        Edit(
            name: "toggle",
            subject: { fixture, entries, number in
                entries.modify(fixture.id(number)) { $0.toggle() }
            },
            action: { fixture, _, number in .toggle(fixture.id(number)) },
            textbook: { fixture, entries, number in
                entries.modify(fixture.id(number)) {
                    $0.content.doneAt = $0.content.doneAt == nil ? 1 : nil
                }
            }),
        Edit(
            name: "insert",
            subject: { fixture, entries, number in
                entries.insert(fixture.newcomer(number), after: fixture.id(number))
            },
            action: { fixture, _, number in
                .insert(fixture.newcomer(number), after: fixture.id(number))
            },
            textbook: { fixture, entries, number in
                let position = entries.position(of: fixture.id(number)) ?? 0
                entries.insertCopy(of: fixture.newcomer(number), at: position + 1)
            }),
        Edit(
            name: "insert at the end",
            subject: { fixture, entries, number in entries.append(fixture.newcomer(number)) },
            action: { fixture, state, number in
                .insert(
                    fixture.newcomer(number), after: state.entries.id(at: state.entries.count - 1)!)
            },
            textbook: { fixture, entries, number in
                entries.insertCopy(of: fixture.newcomer(number), at: entries.count)
            }),
        Edit(
            name: "insert at the front",
            subject: { fixture, entries, number in
                entries.insert(fixture.newcomer(number), before: entries.id(at: 0)!)
            },
            action: { fixture, state, number in
                .insert(fixture.newcomer(number), after: state.entries.id(at: 0)!)
            },
            textbook: { fixture, entries, number in
                entries.insertCopy(of: fixture.newcomer(number), at: 0)
            }),
        Edit(
            name: "delete",
            subject: { fixture, entries, number in entries[fixture.id(number)] = nil },
            action: { fixture, _, number in .delete(fixture.id(number)) },
            textbook: { fixture, entries, number in
                entries.remove(at: entries.position(of: fixture.id(number)) ?? 0)
            }),
        Edit(
            name: "delete at the front",
            subject: { _, entries, _ in entries[entries.id(at: 0)!] = nil },
            action: { _, state, _ in .delete(state.entries.id(at: 0)!) },
            textbook: { _, entries, _ in entries.remove(at: 0) }),
        Edit(
            name: "move", budget: .move,
            subject: { fixture, entries, number in
                entries.move(fixture.id(number), before: fixture.id(number + 7))
            },
            action: { fixture, _, number in
                .move(fixture.id(number), before: fixture.id(number + 7))
            },
            textbook: { fixture, entries, number in
                entries.move(fixture.id(number), before: fixture.id(number + 7))
            }),
    ]
}

extension Case {
    static var edits: [Case] {
        Edit.all.map { edit in
            Case(name: edit.name, budget: edit.budget) { fixture in
                [
                    Editing(fixture).workload { edit.subject(fixture, &$0, $1) },
                    textbookWorkload(fixture) { edit.textbook(fixture, &$0, $1) },
                ]
            }
        }
    }
}
