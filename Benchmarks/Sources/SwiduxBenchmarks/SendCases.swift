import Swidux

/// Actions through `Store.send`, with undo and persistence. Before each action, a new snapshot of
/// the state is taken and held.
@MainActor
private final class Sending {
    let fixture: Fixture
    private var store: ListStore
    private var held: ListState
    private var subscriptions: [Subscription] = []
    private(set) var told = 0

    init(_ fixture: Fixture) {
        self.fixture = fixture
        held = fixture.state
        store = makeStore(fixture.state, hasUndo: true).store
    }

    private func begin() { store = makeStore(fixture.state, hasUndo: true).store }

    private func send(_ count: Int, from first: Int, _ action: (ListState, Int) -> ListAction) {
        for number in first..<first + count {
            held = store.state
            store.send(action(held, number))
        }
        keep(held)
    }

    func workload(_ action: @escaping (ListState, Int) -> ListAction) -> Workload {
        var next = 0
        return Workload(count: 250, prepare: { self.begin() }) { count in
            self.send(count, from: next, action)
            next += count
        }
    }

    /// Undoes steps, or redoes steps. The preparation, which is not timed, makes or undoes them.
    func travel(isRedo: Bool) -> Workload {
        let fixture = fixture
        var next = 0
        return Workload(
            count: 250,
            prepare: {
                self.begin()
                self.send(250, from: next) { .rename(fixture.id($1), fixture.name($1)) }
                next += 250
                if isRedo { self.send(250, from: 0) { _, _ in .undo } }
            },
            run: { count in self.send(count, from: 0) { _, _ in isRedo ? .redo : .undo } })
    }

    /// Sends an action that changes a part of the state, while `count` subscribers observe another
    /// part.
    func telling(_ count: Int) -> Workload {
        begin()
        subscriptions = (0..<count).map { _ in
            var shown = store.state.entries.count
            return store.subscribe { [unowned self] state in
                let selected = state.entries.count
                guard selected != shown else { return }
                shown = selected
                told += 1
            }
        }
        return Workload(count: 100) { count in
            for _ in 0..<count { self.store.send(.tick) }
            keep(self.told)
        }
    }
}

extension Case {
    static var sends: [Case] {
        Edit.all.map { edit in
            let isMove = edit.name == "move"
            return Case(
                name: edit.sentName, budget: isMove ? .sentMove : .sentEdit
            ) {
                fixture in
                [
                    Sending(fixture).workload { edit.action(fixture, $0, $1) },
                    textbookWorkload(fixture, hasUndo: true) { edit.textbook(fixture, &$0, $1) },
                ]
            }
        } + [
            Case(name: "undo", budget: .travel) { fixture in
                [Sending(fixture).travel(isRedo: false), textbookTravel(fixture, isRedo: false)]
            },
            Case(name: "redo", budget: .travel) { fixture in
                [Sending(fixture).travel(isRedo: true), textbookTravel(fixture, isRedo: true)]
            },
            Case(name: "100 subscribers told of an unrelated change") { fixture in
                [Sending(fixture).telling(100)]
            },
        ]
    }

    private static func textbookTravel(_ fixture: Fixture, isRedo: Bool) -> Workload {
        var store = TextbookStore(fixture.textbook, hasUndo: true)
        var next = 0
        return Workload(
            count: 1,
            prepare: {
                store = TextbookStore(fixture.textbook, hasUndo: true)
                store.send { $0.entries.modify(fixture.id(next)) { $0.content.name = "renamed" } }
                next += 1
                if isRedo { store.undo() }
            },
            run: { _ in if isRedo { store.redo() } else { store.undo() } })
    }
}
