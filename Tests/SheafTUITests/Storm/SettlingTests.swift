import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafApp
@testable import SheafTUI

/// Random commands and keys, and changes of another process between them.
@MainActor
@Suite("Settling")
struct SettlingTests {
    @Test(
        "settling twice changes nothing, after any action and any change of another process",
        arguments: 0..<Torture.count(6, of: 60))
    func twice(seed: Int) async throws {
        var random = SeededGenerator(seed: 2_000 + UInt64(seed))
        let (tags, views, _) = Driver.viewList()
        let items = (0..<30).map { number in
            let tag = number % 4 < tags.count ? [tags[number % 4].id] : []
            return Fixtures.item(number, "item \(number % 7)", tags: Set(tag))
        }
        func open() async -> Driver {
            await Driver(
                tags: tags, views: views, items: items, searchesElsewhere: seed.isMultiple(of: 3),
                expectsSettled: true)
        }
        var driver = await open()
        var decoder = KeyDecoder(pasteLimit: 10_000)
        for step in 0..<300 {
            if driver.state.leaving.exit != nil { driver = await open() }
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                driver.store.send(
                    .saving(.arrived(Arrival(Self.changes(of: driver.state, &random)))))
            case 1:
                let size = Size(
                    columns: .random(in: 1...100, using: &random),
                    rows: .random(in: 1...24, using: &random))
                driver.store.send(.session(.resized(size)))
            case 2:
                await driver.store.settled()
            case 3..<8:
                var keys = decoder.feed(StormInput.next(using: &random)) + decoder.timeout()
                // A paste whose end was lost would swallow all that follows.
                if step % 20 == 0 { keys += decoder.feed("\u{1b}[201~".utf8) }
                driver.handle(keys)
            default:
                for action in Self.command(in: driver.state, &random) { driver.store.send(action) }
            }
        }
    }

    /// The actions of a random command, or the one that leads back to commands.
    private static func command(
        in state: AppState, _ random: inout SeededGenerator
    ) -> [AppAction] {
        guard state.takesCommands else { return [.line(.cancelled), .confirmation(.declined)] }
        let sort = ItemSort.allCases.randomElement(using: &random) ?? .manual
        let row = Int.random(in: 0..<state.tagRowCount, using: &random)
        let commands: [[AppAction]] = [
            [.browse(.moved(.rows(.random(in: -9...9, using: &random))))],
            [.browse(.moved(.toLast))], [.browse(.hideDoneToggled)],
            [.browse(.tagRowChosen(state.tagPaneRow(at: row))), .browse(.paneChosen(.items))],
            [.items(.doneToggled)], [.items(.doneToggled)], [.items(.delete)],
            [.dates(.prioritized(Priority.allCases.randomElement(using: &random)))],
            [.dates(.scheduledToggled)], [.marks(.toggled)], [.history(.undoRequested)],
            [.sort(.chosen(sort))], [.sort(.reversed)],
            [.filter(.opened), .line(.edited(.insert("i"))), .filter(.accepted)],
        ]
        return commands.randomElement(using: &random) ?? []
    }

    /// A change that another process may make to the list of `state`.
    private static func changes(
        of state: AppState, _ random: inout SeededGenerator
    ) -> StorageChanges {
        var changes = StorageChanges()
        let (tag, view) = (
            state.tags.values.randomElement(using: &random),
            state.views.values.randomElement(using: &random)
        )
        // The selected item, whose deletion moves the selection, more often than others.
        let selected = Bool.random(using: &random) ? state.selectedItem : nil
        let item = selected ?? state.items.values.randomElement(using: &random)
        let number = Int.random(in: 0..<50, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: changes.items.delete([item?.id].compactMap(\.self))
        case 1: changes.items.delete(state.items.ids.shuffled(using: &random).prefix(3))
        case 2: changes.items.upsert([Fixtures.item(number)])
        case 3:
            guard var item else { break }
            item.name = "item \(number)"
            item.doneAt = item.isDone ? nil : Fixtures.now
            item.due = CalendarDay("2023-11-20")?.advanced(days: number)
            changes.items.upsert([item])
        case 4:
            guard let tag else { break }
            changes.tags.delete([tag.id])
            changes.items.upsert(
                state.items.filter { $0.tags.contains(tag.id) }.map { item in
                    var item = item
                    item.tags.remove(tag.id)
                    return item
                })
        case 5: changes.tags.upsert([Fixtures.tag(number, "tag \(number)")])
        case 6:
            guard var tag else { break }
            tag.name = "tag \(number)"
            changes.tags.upsert([tag])
        case 7: changes.views.delete([view?.id].compactMap(\.self))
        default:
            guard var view else { break }
            view.query = ["", "#gone", "item", "is:open"].randomElement(using: &random) ?? ""
            view.sort = ItemSort.allCases.randomElement(using: &random) ?? .manual
            changes.views.upsert([view])
        }
        return changes
    }
}

extension Middleware<AppState, AppAction> {
    /// Expects after every action that settling again changes nothing. In a longer list it would
    /// take too long to look for differences.
    static func expectingSettled(_ environment: AppEnvironment) -> Self {
        Self { action, state, next in
            next(action)
            let once = state()
            guard once.items.count <= 1_000 else { return }
            var twice = once
            let effect = twice.settle(environment)
            let differences = StateDifference(from: once, to: twice)
            #expect(differences.isEmpty, "after \(action): \(differences)")
            // Rows are derived, so that a difference leaves them out.
            #expect(twice.rows.changes == once.rows.changes, "after \(action): other rows")
            #expect(effect == nil, "after \(action): an effect")
        }
    }
}
