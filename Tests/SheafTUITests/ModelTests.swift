import Foundation
import SheafApp
import SheafStorage
import SheafTestSupport
import Testing

@testable import SheafTUI

/// Random typing, on a list whose writes sometimes fail: in the end disk and memory are equal.
@MainActor
@Suite("Memory and disk")
struct ModelTests {
    /// The typed commands, with moves and undo often enough to meet each other.
    private static let commands = [
        "j", "k", "j", "g g", "G", "a 'new_日本' Enter", "A 'end' Enter", "a 'gone' Esc",
        "r 'é' Enter",
        "r ^U 'renamed' Enter", "x", "x", "d d", "J", "K", "J", "t 'sw' Enter", "t 'tag' Enter",
        "t Tab Enter", "u", "u", "U", "^R", "H", "/ 'e' Enter", "Esc", "h j", "h k l",
        "h r 'z' Enter l",
        "h c l", ": 'mark_the_item' Enter", ": 'undo' Enter", "o", "h a 'tag' Enter l", "h d d y l",
        "h J l", "h K l", "Tab", "h g g l",
    ]

    @Test(
        "after random typing, disk equals memory, in order; undo of all gives the first list back",
        arguments: (0..<Torture.count(8, of: 30)).map { ($0, false) }
            + (30..<30 + Torture.count(4, of: 10)).map { ($0, true) })
    func disk(seed: Int, isOnServer: Bool) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let path = folder.file("list.sqlite")
        let disk =
            isOnServer
            ? try SharedLists.open(path, as: "anna")
            : try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
        let (tags, items) = Fixtures.readingList()
        var first = StorageChanges()
        first.tags.upsert(tags)
        first.items.upsert(items)
        _ = try await disk.commit(first)
        let faulty = FaultyStorage(disk, failureProbability: 0.3, seed: UInt64(seed))
        let driver = await Driver(over: faulty)
        var script: [String] = []
        for _ in 0..<120 {
            let command = Self.commands.randomElement(using: &random) ?? "j"
            script.append(command)
            driver.type(command)
            if Int.random(in: 0..<4, using: &random) == 0 {
                let action = Self.viewAction(on: driver.state, &random)
                script.append("\(action)")
                driver.store.send(.views(action))
            }
            // Flushes begin while more is typed; some have ended by then, some have not.
            if Int.random(in: 0..<4, using: &random) == 0 {
                driver.clock.advance(by: .milliseconds(300))
                if Bool.random(using: &random) { await Task.yield() }
            }
        }
        try await expectSaved(driver, disk, "seed \(seed): \(script.joined(separator: " | "))")
        driver.type("Esc Esc")
        while driver.state.ui.toast?.text != "Nothing to undo" { driver.type("u") }
        #expect(driver.state.items.values == items, "seed \(seed): \(script)")
        #expect(driver.state.tags.values == tags, "seed \(seed): \(script)")
        #expect(driver.state.views.isEmpty, "seed \(seed): \(script)")
        try await expectSaved(driver, disk, "seed \(seed), after undo")
    }

    private static func viewAction(
        on state: AppState, _ random: inout SplitMix64
    ) -> ViewAction {
        let name = "view \(Int.random(in: 0..<6, using: &random))"
        guard let view = state.views.values.randomElement(using: &random) else {
            return .add(name: name)
        }
        let actions: [ViewAction] = [
            .add(name: name), .add(name: name), .choose(view.id), .rename(view.id, newName: name),
            .move(view.id, .up), .move(view.id, .down), .delete(view.id),
        ]
        return actions.randomElement(using: &random) ?? .choose(view.id)
    }

    private func expectSaved(
        _ driver: Driver, _ storage: any ListStorage, _ comment: String
    ) async throws {
        for _ in 0..<200 where driver.state.saving.phase != .saved {
            await driver.store.flush()
        }
        #expect(driver.state.saving.phase == .saved, "\(comment)")
        #expect(try await storage.loadTags() == driver.state.tags.values, "\(comment)")
        #expect(try await storage.loadViews() == driver.state.views.values, "\(comment)")
        #expect(
            try await storage.loadItems(after: nil, limit: 10_000) == driver.state.items.values,
            "\(comment)")
        // Values that are updated from changes must equal those that are counted completely.
        let items = driver.state.items.values
        #expect(driver.state.totals.tags.total == items.count)
        #expect(driver.state.totals.tags.untagged == items.count { $0.tags.isEmpty })
        for tag in driver.state.tags {
            #expect(driver.state.totals.tags[tag.id] == items.count { $0.tags.contains(tag.id) })
        }
    }
}
