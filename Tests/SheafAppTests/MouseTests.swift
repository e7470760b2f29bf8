import SheafTestSupport
import Testing

@testable import SheafApp
@testable import SheafList

/// Reports of the mouse as plain functions of the state.
@Suite("Mouse actions")
@MainActor
struct MouseTests {
    private func state(_ size: Size = Size(columns: 80, rows: 16)) -> AppState {
        var state = AppState(size: size)
        state.items = EntityStore(Fixtures.items(["a", "b", "c"]))
        state.tags = EntityStore(Fixtures.tags(["new"]))
        _ = state.settle(.fixture())
        return state
    }

    private func send(
        _ action: MouseAction, to state: inout AppState, at milliseconds: Int64 = 0
    ) {
        var environment = AppEnvironment.fixture()
        environment.now = {
            Timestamp(milliseconds: Fixtures.now.milliseconds + milliseconds)
        }
        _ = AppReducer().reduce(state: &state, action: .mouse(action), environment: environment)
    }

    @Test(
        "two presses are a double click within 400 ms, whatever the clock does",
        arguments: [
            (0, true), (1, true), (400, true), (401, false), (86_400_000, false), (-1, false),
            (-86_400_000, false),
        ])
    func doubleClick(milliseconds: Int64, isDouble: Bool) {
        var state = state()
        let press = MouseAction.pressed(at: Point(x: 40, y: 3), on: .item(Fixtures.id(2)))
        send(press, to: &state)
        send(press, to: &state, at: milliseconds)
        #expect((state.ui.mode.draft != nil) == isDouble)
    }

    @Test("a row that came under the pointer between two presses is not renamed")
    func otherRow() {
        var state = state()
        let point = Point(x: 40, y: 3)
        send(.pressed(at: point, on: .item(Fixtures.id(2))), to: &state)
        send(.pressed(at: point, on: .item(Fixtures.id(3))), to: &state)
        #expect(state.ui.mode.isNormal)
        #expect(state.ui.selectedItem == Fixtures.id(3))
    }

    @Test("what was deleted elsewhere meanwhile is neither selected, moved nor tagged")
    func deleted() {
        var state = state()
        send(.pressed(at: Point(x: 40, y: 3), on: .item(Fixtures.id(9))), to: &state)
        send(
            .pressed(at: Point(x: 5, y: 4), on: .tagRow(.choice(.tag(Fixtures.id(109))))),
            to: &state)
        #expect(state.ui.selectedItem == Fixtures.id(1))
        #expect(state.ui.viewSettings.tagChoice == .all)
        for target in [MouseTarget.item(Fixtures.id(3)), .tagRow(.choice(.tag(Fixtures.id(101))))] {
            send(.pressed(at: Point(x: 40, y: 3), on: .item(Fixtures.id(2))), to: &state)
            send(.dragged(over: target), to: &state)
            var (other, gone) = (state, state)
            other.items[Fixtures.id(2)] = nil
            send(.released(on: target), to: &other)
            #expect(other.items.map(\.name) == ["a", "c"])
            gone.items[Fixtures.id(3)] = nil
            gone.tags[Fixtures.id(101)] = nil
            send(.released(on: target), to: &gone)
            #expect(gone.items.map(\.name) == ["a", "b"])
            #expect(gone.items[Fixtures.id(2)]?.tags.isEmpty == true)
            send(.released(on: .nothing), to: &state)
        }
    }

    @Test("a release without a press, and a drag without one, do nothing")
    func withoutPress() {
        var state = state()
        send(.dragged(over: .item(Fixtures.id(3))), to: &state)
        send(.released(on: .item(Fixtures.id(3))), to: &state)
        #expect(state.items.map(\.name) == ["a", "b", "c"])
        #expect(state.ui.toast == nil)
    }

    @Test("every cell of every size has one meaning, and those outside of the screen none")
    func cells() {
        for columns in [1, 2, 10, 24, 59, 60, 80, 200] {
            for rows in [1, 2, 5, 6, 7, 24, 60] {
                let state = state(Size(columns: columns, rows: rows))
                var items: Set<MouseTarget> = []
                for y in 0..<rows {
                    for x in 0..<columns {
                        let target = state.mouseTarget(at: Point(x: x, y: y))
                        if case .item = target { items.insert(target) }
                    }
                }
                #expect(items.count == min(3, Layout(state).paneRows), "\(columns)x\(rows)")
                for point in [
                    Point(x: columns, y: 0), Point(x: 0, y: rows), Point(x: -1, y: 0),
                    Point(x: 0, y: -1), Point(x: .max, y: .max), Point(x: .min, y: .min),
                ] {
                    #expect(state.mouseTarget(at: point) == .nothing, "\(point)")
                }
            }
        }
    }
}
