import Foundation
import Swidux
import SwiduxTesting
import Testing

/// Finds something once the user pauses.
private struct Probe: Identifiable, Equatable, Sendable {
    var id: Int
    var text = ""
    var result: String?
    var notes = EntityStore<Note>()
}

private struct Note: Identifiable, Equatable, Sendable {
    var id: Int
    var text = ""
}

private enum NoteAction: Sendable, Equatable { case typed(String), kept(String) }

private indirect enum ProbeAction: Sendable, Equatable {
    case typed(String)
    case found(String)
    case isFound
    case cancel
    case removeNotes
    case note(Int, NoteAction)
}

private struct World: Sendable { var clock: ManualClock }

@MainActor private let noteReducer = Reduce<Note, NoteAction, NoteAction, World> {
    note, action, world in
    switch action {
    case .typed(let text):
        return Effects.debounce(id: "type", for: .seconds(1), clock: world.clock) { send in
            await send(.kept(text))
        }
    case .kept(let text): note.text = text
    }
    return nil
}

@MainActor private let probeReducer = Reduce<Probe, ProbeAction, ProbeAction, World> {
    probe, action, world in
    switch action {
    case .typed(let text):
        probe.text = text
        return Effects.debounce(id: "type", for: .seconds(1), clock: world.clock) { send in
            await send(.found(text.uppercased()))
        }
    case .found(let result): probe.result = result
    case .isFound: return { send in await send(.found("found")) }
    case .cancel: return Effects.cancel(id: "type")
    case .removeNotes: probe.notes = EntityStore()
    case .note: break
    }
    return nil
}.forEach(
    \.notes, noteReducer,
    extract: { if case .note(let id, let action) = $0 { (id, action) } else { nil } },
    embed: { .note($0, $1) })

private enum Screen: Equatable, Sendable {
    case closed
    case open(Probe)
}

private struct Board: Equatable, Sendable {
    var probes = EntityStore<Probe>()
    var selected: Probe?
    var screen = Screen.closed
}

private enum BoardAction: Sendable {
    case change(@Sendable (inout Board) -> Void)
    case run(Effect<BoardAction>)
    case probe(Int, ProbeAction)
    case selected(ProbeAction)
    case screen(ProbeAction)
    case undo
}

@MainActor private let screenReducer = Reduce<Screen, BoardAction, BoardAction, World> { _, _, _ in
    nil
}
.ifCase(
    { if case .open(let probe) = $0 { probe } else { nil } }, { .open($0) },
    probeReducer,
    extract: { if case .screen(let action) = $0 { action } else { nil } },
    embed: { .screen($0) })

@MainActor private let boardReducer = Reduce<Board, BoardAction, BoardAction, World> {
    board, action, _ in
    switch action {
    case .change(let body): body(&board)
    case .run(let effect): return effect
    default: break
    }
    return nil
}
.forEach(
    \.probes, probeReducer,
    extract: { if case .probe(let id, let action) = $0 { (id, action) } else { nil } },
    embed: { .probe($0, $1) }
)
.ifLet(
    \.selected, probeReducer,
    extract: { if case .selected(let action) = $0 { action } else { nil } },
    embed: { .selected($0) }
)
.combined(with: screenReducer.scoped(to: \.screen))

@Suite("Children", .timeLimit(.minutes(1)))
@MainActor
struct ChildrenTests {
    private let clock = ManualClock()

    private func makeStore(
        _ board: Board = Board(probes: EntityStore([Probe(id: 1), Probe(id: 2)])),
        undo: UndoHistory<Board, BoardAction>? = nil
    ) -> Store<Board, BoardAction, World> {
        Store(
            initialState: board, reducer: boardReducer, environment: World(clock: clock),
            undo: undo)
    }

    /// Lets all pauses pass, and waits for all effects.
    private func settle(_ store: Store<Board, BoardAction, World>, sleeps: Int) async {
        await clock.sleepBegan(sleeps)
        clock.advance(by: .seconds(1))
        await store.settled()
    }

    private func results(_ store: Store<Board, BoardAction, World>) -> [String?] {
        store.state.probes.map(\.result)
    }

    @Test("an action of a child reaches that child alone, and its effect sends for it")
    func routing() async {
        let store = makeStore()
        store.send(.probe(2, .typed("b")))
        #expect(store.state.probes.map(\.text) == ["", "b"])
        await settle(store, sleeps: 1)
        #expect(results(store) == [nil, "B"])
    }

    @Test("the effect of a child begins within the send of its action")
    func beginning() {
        let store = makeStore()
        store.send(.probe(1, .isFound))
        #expect(results(store) == ["found", nil])
    }

    @Test("an action for a child that has gone changes nothing")
    func gone() async {
        let store = makeStore()
        let before = store.state
        await store.dispatch(.probe(3, .typed(""))).value
        await store.dispatch(.selected(.typed("c"))).value
        await store.dispatch(.screen(.typed("c"))).value
        #expect(store.state == before)
    }

    @Test("siblings that debounce under one id do not cancel each other, and one does itself")
    func siblings() async {
        let store = makeStore()
        store.send(.probe(1, .typed("a")))
        store.send(.probe(2, .typed("b")))
        store.send(.probe(1, .typed("aa")))
        await settle(store, sleeps: 3)
        #expect(results(store) == ["AA", "B"])
    }

    @Test("an id of the parent reaches no child, and an id of a child only this child")
    func scopes() async {
        let store = makeStore()
        store.send(.probe(1, .typed("a")))
        store.send(.probe(2, .typed("b")))
        store.send(.run(Effects.cancel(id: "type")))
        store.send(.probe(2, .cancel))
        await settle(store, sleeps: 2)
        #expect(results(store) == ["A", nil])
    }

    private nonisolated static let removals: [@Sendable (inout Board) -> Void] = [
        { $0.probes[2] = nil },
        { $0.probes = EntityStore([Probe(id: 1)]) },
        { $0.probes.modify(2) { $0.id = 3 } },
        { $0 = Board(probes: EntityStore([Probe(id: 1)])) },
    ]

    @Test("a child that is removed takes its effects along", arguments: 0..<4)
    func removed(how: Int) async {
        let store = makeStore()
        store.send(.probe(1, .typed("a")))
        store.send(.probe(2, .typed("b")))
        store.send(.change(Self.removals[how]))
        // A child that comes back has no part in it.
        store.send(.change { $0.probes[2] = Probe(id: 2) })
        await settle(store, sleeps: 2)
        #expect(store.state.probes[2]?.result == nil)
        if how == 0 { #expect(store.state.probes[1]?.result == "A") }
    }

    @Test("a child that is removed by undo takes its effects along")
    func undone() async {
        let undo = UndoHistory<Board, BoardAction>(
            tracks: [UndoTrack(\.probes)],
            classify: { action, _ in
                switch action {
                case .undo: .undo
                case .change: .command()
                default: .ignored
                }
            })
        let store = makeStore(undo: undo)
        store.send(.change { $0.probes[3] = Probe(id: 3) })
        let task = store.dispatch(.probe(3, .typed("")))
        await clock.sleepBegan()
        store.send(.undo)
        #expect(!store.state.probes.contains(3))
        // Ends without the clock.
        await task.value
    }

    @Test("effects of a child's children are its own and go with it")
    func nested() async {
        var board = Board(probes: EntityStore([Probe(id: 1), Probe(id: 2)]))
        for id in 1...2 { board.probes.modify(id) { $0.notes[1] = Note(id: 1) } }
        let store = makeStore(board)
        store.send(.probe(1, .note(1, .typed("x"))))
        store.send(.probe(1, .typed("a")))
        let task = store.dispatch(.probe(2, .note(1, .typed("y"))))
        await clock.sleepBegan(3)
        store.send(.change { $0.probes[2] = nil })
        await task.value
        await settle(store, sleeps: 3)
        #expect(store.state.probes[1]?.notes[1]?.text == "x")
        #expect(results(store) == ["A"])

        let other = store.dispatch(.probe(1, .note(1, .typed("z"))))
        await clock.sleepBegan(4)
        store.send(.probe(1, .removeNotes))
        await other.value
    }

    @Test("an optional child's effects end when it is nil or another one")
    func optional() async {
        let store = makeStore()
        store.send(.change { $0.selected = Probe(id: 1) })
        let first = store.dispatch(.selected(.typed("a")))
        await clock.sleepBegan(1)
        store.send(.change { $0.selected = Probe(id: 2) })
        await first.value
        let second = store.dispatch(.selected(.typed("b")))
        await clock.sleepBegan(2)
        store.send(.change { $0.selected = nil })
        await second.value
        store.send(.change { $0.selected = Probe(id: 2) })
        store.send(.selected(.typed("c")))
        await settle(store, sleeps: 3)
        #expect(store.state.selected?.result == "C")
    }

    @Test("the effects of a case end when the state is another one")
    func enumeration() async {
        let store = makeStore()
        store.send(.change { $0.screen = .open(Probe(id: 1)) })
        store.send(.screen(.typed("a")))
        await settle(store, sleeps: 1)
        #expect(store.state.screen == .open(Probe(id: 1, text: "a", result: "A")))
        let task = store.dispatch(.screen(.typed("b")))
        await clock.sleepBegan(2)
        store.send(.change { $0.screen = .closed })
        await task.value
        #expect(store.state.screen == .closed)
    }

    @Test("a reducer that is used twice, or in two stores, keeps the children apart")
    func places() async {
        struct House: Equatable, Sendable {
            var left = Board(probes: EntityStore([Probe(id: 1)]))
            var right = Board(probes: EntityStore([Probe(id: 1)]))
        }
        enum HouseAction: Sendable {
            case left(BoardAction)
            case right(BoardAction)
        }
        let left = boardReducer.embedded(
            extract: { if case .left(let action) = $0 { action } else { nil } },
            embed: { HouseAction.left($0) })
        let right = boardReducer.embedded(
            extract: { if case .right(let action) = $0 { action } else { nil } },
            embed: { HouseAction.right($0) })
        let house = left.scoped(to: \House.left).combined(with: right.scoped(to: \House.right))
        let stores = (0..<2).map { _ in
            Store(initialState: House(), reducer: house, environment: World(clock: clock))
        }
        for store in stores {
            store.send(.left(.probe(1, .typed("l"))))
            store.send(.right(.probe(1, .typed("r"))))
        }
        stores[0].send(.left(.change { $0.probes[1] = nil }))
        await clock.sleepBegan(4)
        clock.advance(by: .seconds(1))
        for store in stores { await store.settled() }
        #expect(stores[0].state.left.probes.isEmpty)
        #expect(stores[0].state.right.probes[1]?.result == "R")
        #expect(stores[1].state.left.probes[1]?.result == "L")
        #expect(stores[1].state.right.probes[1]?.result == "R")
    }

    @Test("outside a store the effect of a child just runs")
    func alone() async {
        var board = Board(probes: EntityStore([Probe(id: 1)]))
        let effect = boardReducer.reduce(
            state: &board, action: .probe(1, .typed("a")), environment: World(clock: clock))
        #expect(effect != nil)
        async let running: Void? = effect? { _ in }
        await clock.sleepBegan()
        clock.advance(by: .seconds(1))
        await running
    }
}
