import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Bytes of all kinds and sizes of all kinds, through decoder, keymap, reducers and views.
@MainActor
@Suite("Storms of keys and sizes")
struct StormTests {
    @Test("every key of the table can be sent, and is read as itself")
    func keys() throws {
        for binding in Keymap.standard.bindings {
            for label in binding.keys.joined() {
                let key = try #require(Key(label))
                var decoder = KeyDecoder()
                var keys = decoder.feed(StormInput.bytes(of: key))
                while decoder.hasPending { keys += decoder.timeout() }
                #expect(keys.map(\.label) == [label])
            }
        }
    }

    @Test(
        "keys, pastes, the mouse and noise at any size leave screen and state sound",
        arguments: 1...2)
    func storm(seed: Int) async throws {
        try await run(seed: UInt64(seed), steps: 500)
    }

    @Test("a million steps of it do too", .enabled(if: Torture.isOn), arguments: 1...100)
    func longStorm(seed: Int) async throws {
        try await run(seed: 1_000 + UInt64(seed), steps: 10_000)
    }

    private func run(seed: UInt64, steps: Int) async throws {
        var random = SplitMix64(seed: seed)
        let (tags, items) = Fixtures.readingList()
        let views = [
            Fixtures.view(1, query: "#swift"), Fixtures.view(2, query: "#gone"),
            Fixtures.view(3, choice: .tag(tags[0].id)),
        ]
        let memory = FakeStorage(tags: tags, views: views, items: items)
        let faulty = FaultyStorage(memory, failureProbability: 0.2, seed: seed)
        var driver = await Driver(over: faulty, expectsSettled: true)
        let screen = HeadlessScreen(size: Size(columns: 80, rows: 16))
        var dispatcher = KeyDispatcher(store: driver.store)
        var decoder = KeyDecoder(pasteLimit: 10_000)
        var last: [[UInt8]] = []
        for step in 0..<steps {
            let bytes = StormInput.next(using: &random)
            last = last.suffix(11) + [bytes]
            var keys: [Key] = []
            // However the reads split it, with or without a pause there.
            let cut = Int.random(in: 0...bytes.count, using: &random)
            keys += decoder.feed(bytes[..<cut])
            if Int.random(in: 0..<3, using: &random) == 0 { keys += decoder.timeout() }
            keys += decoder.feed(bytes[cut...])
            if Int.random(in: 0..<3, using: &random) == 0 { keys += decoder.timeout() }
            // A paste whose end was lost would swallow the rest of the storm.
            if step % 20 == 0 { keys += decoder.feed("\u{1b}[201~".utf8) }
            dispatcher.handle(keys)
            if Int.random(in: 0..<8, using: &random) == 0 { resize(screen, driver, &random) }
            if Int.random(in: 0..<8, using: &random) == 0 {
                driver.clock.advance(by: .milliseconds(Int.random(in: 1...400, using: &random)))
                await Task.yield()
            }
            if step % 50 == 49 { await driver.store.settled() }
            if let exit = driver.state.leaving.exit {
                if exit.status == 0 { try await expectEqual(driver, memory, "seed \(seed), q") }
                // The flush in flight ends before the next start.
                await driver.store.flush()
                driver = await Driver(
                    over: faulty, idsFrom: 201 + (step + 1) * 100, expectsSettled: true)
                dispatcher = KeyDispatcher(store: driver.store)
                driver.store.send(.session(.resized(screen.size)))
            }
            screen.present(driver.canvas)
            let canvas = try #require(screen.canvas)
            let broken = ScreenInvariants.broken(driver.state, canvas, on: screen.size)
            try #require(
                broken.isEmpty, "seed \(seed), step \(step), after \(last): \(broken)")
        }
        try await expectSaved(driver, memory, "seed \(seed)")
    }

    /// Mostly small ones: it is there that room runs out.
    private func resize(_ screen: HeadlessScreen, _ driver: Driver, _ random: inout SplitMix64) {
        let isLarge = Int.random(in: 0..<10, using: &random) == 0
        screen.terminalSize = Size(
            columns: .random(in: 1...(isLarge ? 200 : 70), using: &random),
            rows: .random(in: 1...(isLarge ? 60 : 10), using: &random))
        if Int.random(in: 0..<6, using: &random) == 0 {
            screen.terminalSize = Size(columns: 1, rows: 1)
        }
        screen.resize()
        driver.store.send(.session(.resized(screen.size)))
    }

    private func expectSaved(
        _ driver: Driver, _ memory: FakeStorage, _ comment: String
    ) async throws {
        for _ in 0..<200 where driver.state.saving.phase != .saved { await driver.store.flush() }
        #expect(driver.state.saving.phase == .saved, "\(comment)")
        try await expectEqual(driver, memory, comment)
    }

    private func expectEqual(
        _ driver: Driver, _ memory: FakeStorage, _ comment: String
    ) async throws {
        #expect(try await memory.loadTags() == driver.state.tags.values, "\(comment)")
        #expect(try await memory.loadViews() == driver.state.views.values, "\(comment)")
        #expect(
            await memory.loadItems(after: nil, limit: .max) == driver.state.items.values,
            "\(comment)")
    }
}
