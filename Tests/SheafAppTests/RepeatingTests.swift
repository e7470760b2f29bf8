import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafApp
@testable import SheafList

/// Items that come again once they are done.
@Suite("Items that repeat")
@MainActor
struct RepeatingTests {
    private let reducer = AppReducer()
    private let environment = AppEnvironment.fixture()
    private var items = Fixtures.items(["Pay the rent", "other"])
    private var state = AppState()

    init() {
        items[0].due = CalendarDay("2023-10-31")
        items[0].scheduled = CalendarDay("2023-10-28")
        items[0].repeat = Repeat("+1m")
        items[0].priority = .a
        items[0].note = "by standing order"
        items[0].extras = [Item.Extra(key: "key", value: "value")]
        state.items = EntityStore(items)
        state.today = LocalCalendar.utc.day(Fixtures.now)
        _ = state.settle(environment)
        state.ui.selectedItem = items[0].id
    }

    private mutating func reduce(_ actions: AppAction...) {
        for action in actions {
            _ = reducer.reduce(state: &state, action: action, environment: environment)
        }
    }

    @Test("an edit to what an item is already changes nothing of it")
    mutating func unchanged() {
        let later = Timestamp(milliseconds: Fixtures.now.milliseconds + 60_000)
        state.apply(.edited([items[0].id], .set(.priority(.a))), at: later)
        #expect(state.items[items[0].id] == items[0])
    }

    @Test("done makes the next one below it, not done, with all else of the item")
    mutating func next() throws {
        reduce(.items(.doneToggled))
        #expect(state.items.values.map(\.name) == ["Pay the rent", "Pay the rent", "other"])
        #expect(state.items.values.map(\.isDone) == [true, false, false])
        let next = try #require(state.items[items[0].nextID])
        #expect(next.due?.description == "2023-11-30")
        #expect(next.scheduled?.description == "2023-11-27")
        #expect((next.createdAt, next.updatedAt) == (Fixtures.now, Fixtures.now))
        for field in Item.fields
        where !["due", "scheduled", "repeat", "createdAt", "updatedAt", "rank"]
            .contains(field.name)
        {
            #expect(field.isSame(in: next, as: items[0]), "\(field.name)")
        }
        #expect(next.repeat?.description == "+1m@31")
    }

    @Test("a new due day is the day of the month that a repeat keeps from then on")
    mutating func newDay() {
        state.items.modify(items[0].id) { $0.repeat = Repeat("+1m@31") }
        state.apply(.edited([items[0].id], .set(.due(items[0].due))), at: Fixtures.now)
        state.apply(.edited([items[0].id], .set(.repeat(Repeat("+1m")))), at: Fixtures.now)
        #expect(state.items[items[0].id]?.repeat == Repeat("+1m@31"))
        state.apply(.edited([items[0].id], .set(.due(CalendarDay("2027-02-28")))), at: Fixtures.now)
        #expect(state.items[items[0].id]?.repeat == Repeat("+1m"))
    }

    @Test("done twice there is one, and undone it goes unless it was edited")
    mutating func undone() throws {
        reduce(.items(.doneToggled), .items(.doneToggled))
        #expect(state.items.values.map(\.id) == items.map(\.id))
        reduce(.items(.doneToggled))
        let next = items[0].nextID
        state.items.modify(next) { $0.rank = .between(nil, nil) }
        reduce(.items(.doneToggled))
        #expect(!state.items.contains(next))
        reduce(.items(.doneToggled))
        state.items.edit(next, at: Fixtures.now.next) { $0.name = "Pay the new rent" }
        reduce(.items(.doneToggled), .items(.doneToggled))
        #expect(state.items[next]?.name == "Pay the new rent")
        #expect(state.items.count == 3)
    }

    @Test("undo takes it away with the same step, and redo brings it back")
    func undo() async throws {
        let store = AppStore(initialState: state, environment: environment)
        store.send(.items(.doneToggled))
        let done = store.state.items.values
        #expect(done.count == 3)
        store.send(.history(.undoRequested))
        #expect(store.state.items.values == items)
        store.send(.history(.redoRequested))
        #expect(store.state.items.values == done)
    }

    @Test("an item of the last days of the calendar has no next one, and that is said")
    mutating func end() {
        state.items.modify(items[0].id) { $0.due = .last }
        reduce(.items(.doneToggled))
        #expect(state.items.count == 2)
        #expect(state.ui.toast?.text.contains("9999") == true)
    }

    @Test("many are done in one step, each with its next one below it")
    mutating func many() throws {
        var items = Fixtures.items((1...50).map { "item \($0)" })
        for index in items.indices {
            // Equal ranks, as two processes can make them, leave no room between them.
            items[index].rank = Fixtures.rank(index / 3)
            items[index].repeat = index % 2 == 0 ? Repeat("1d") : nil
        }
        state.items = EntityStore(items)
        _ = state.settle(environment)
        reduce(.marks(.allMarked), .items(.doneToggled))
        let names = state.items.values.map(\.name)
        #expect(names.count == 75)
        for (name, next) in zip(names, names.dropFirst()) where name != next {
            let number = try #require(Int(name.dropFirst(5)))
            #expect(next == "item \(number + 1)")
        }
        let open = state.items.values.filter { !$0.isDone }
        #expect(open.count == 25)
        #expect(open.allSatisfy { $0.due == LocalCalendar.utc.day(Fixtures.now).adding(days: 1) })
    }

    @Test("the id of the next one follows from the item's, and is that of no other")
    func ids() throws {
        let id = try #require(UUID(uuidString: "9b2f6d0e-1c3a-4f5b-8d7e-0123456789ab"))
        // Written down: another version of the program must make the same.
        #expect(id.next.uuidString.lowercased() == "129520cf-f573-8f96-a0bc-c8726d09de79")
        #expect(id.next.isNext && !id.isNext && id.next.next.isNext)
        var seen: Set<UUID> = []
        for number in 0..<20_000 {
            var id = Fixtures.itemID(number)
            seen.insert(id)
            for _ in 0..<3 {
                id = id.next
                seen.insert(id)
            }
        }
        #expect(seen.count == 80_000)
        for _ in 0..<1_000 { #expect(!UUID.random().isNext) }
    }

    @Test("the next one of two processes is one, and stays as it is stored")
    func merged() throws {
        let next = try #require(
            items[0].next(
                today: .first, now: Fixtures.now, rank: Fixtures.rank(1)))
        var stored = next
        stored.name = "edited there"
        stored.updatedAt = Fixtures.now.advanced(days: -1)
        let outcome = StorageMerge.items(base: nil, mine: next, theirs: stored)
        #expect(outcome.value == stored)
        #expect(!outcome.isConflict)
        var mine = next
        mine.name = "edited here"
        mine.updatedAt = Fixtures.now.next
        #expect(
            StorageMerge.items(base: next, mine: mine, theirs: next).value.name == "edited here")
        #expect(StorageMerge.items(base: nil, mine: mine, theirs: stored).isConflict)
    }

    @Test("a copy says all that the item says, and is not done")
    func copy() {
        let copy = Fixtures.fullItem.copied(as: Fixtures.id(7), at: Fixtures.now)
        for field in Item.fields
        where !["doneAt", "createdAt", "updatedAt"].contains(field.name) {
            #expect(field.isSame(in: copy, as: Fixtures.fullItem), "\(field.name)")
        }
        #expect(!copy.isDone)
    }

    @Test("of two due days the one that yields is told in the note")
    func conflict() {
        var (mine, theirs) = (items[0], items[0])
        mine.due = .first
        theirs.due = .last
        theirs.priority = .z
        let outcome = StorageMerge.items(base: items[0], mine: mine, theirs: theirs)
        #expect(outcome.isConflict)
        #expect(outcome.value.due == .first)
        #expect(outcome.value.priority == .z)
        #expect(outcome.value.note == "by standing order\nwas: due: 9999-12-31")
    }
}
