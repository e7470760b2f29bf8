import Foundation
import Swidux
import Synchronization
import Testing

extension Seed000 {
    struct Card: Identifiable, Equatable, Sendable {
        let id: UUID
        var title: String
        var sortIndex: Int
        var isArchived = false

        nonisolated init(id: UUID = UUID(), title: String, sortIndex: Int = 0) {
            self.id = id
            self.title = title
            self.sortIndex = sortIndex
        }
    }
}

extension Seed000 {
    /// Made and read on any thread.
    final class Recorder: SwiduxDispatcher, Sendable {
        private let numbers = Mutex<[Int]>([])

        var received: [Int] { numbers.withLock { $0 } }

        func send(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    /// An actor that forwards actions.
    actor Relay: SwiduxDispatcher {
        let target: Recorder

        init(target: Recorder) { self.target = target }

        @MainActor func send(_ number: Int) { target.send(number) }
    }
}

/// The original's declarations, spelled as its users spell them.
@MainActor
@Suite("Seed 000: the original's API") struct Seed000APITests {
    private typealias Card = Seed000.Card

    private let one = Card(id: .numbered(1), title: "one", sortIndex: 2)
    private let two = Card(id: .numbered(2), title: "two", sortIndex: 1)

    @Test("an entity store is edited like a dictionary and keeps the order of insertion")
    func entityStore() {
        var cards = EntityStore<Card>()
        cards[one.id] = one
        cards[two.id] = two
        cards.modify(one.id) { $0.title = "New Title" }

        let card = cards[one.id]
        let all = cards.values
        let n = cards.count
        let has = cards.contains(two.id)
        #expect(card?.title == "New Title")
        #expect(all.map(\.title) == ["New Title", "two"])
        #expect(n == 2 && has && !cards.isEmpty)

        cards.sort { $0.sortIndex < $1.sortIndex }
        #expect(cards.values.map(\.id) == [two.id, one.id])
        cards[one.id]?.isArchived = true
        cards.removeAll { $0.isArchived }
        #expect(cards.values == [two])
        cards[two.id] = nil
        #expect(cards.isEmpty)
    }

    @Test("every mutation is in the changes until they are reset")
    func changes() {
        var cards = EntityStore([one])
        #expect(cards.changes.isEmpty)
        cards.modify(one.id) { $0.title = "New Title" }
        cards[two.id] = two
        cards[two.id] = nil
        let changes: ChangeSet<UUID> = cards.changes
        #expect(changes.upserts == [one.id])
        #expect(changes.deletions == [two.id])
        cards.resetChanges()
        #expect(cards.changes == ChangeSet())
    }

    @Test("a change set can be filled by hand, and an id is in one of its two sets")
    func changeSet() {
        var changes = ChangeSet()
        #expect(changes.isEmpty)
        changes.upserts.insert(one.id)
        changes.upserts.insert(two.id)
        changes.deletions.insert(two.id)
        #expect(changes.upserts == [one.id])
        #expect(changes.deletions == [two.id])
        #expect(!changes.isEmpty)
    }

    @Test("merge adds what is missing, and prefers what its closure says")
    func merge() {
        var newer = two
        newer.title = "newer"
        var cards = EntityStore([two])
        cards.merge(from: EntityStore([one, newer]))
        #expect(Set(cards.values.map(\.title)) == ["one", "two"])
        cards.merge(
            from: EntityStore([newer]),
            preferExisting: { theirs, own in theirs.title < own.title })
        #expect(cards[two.id]?.title == "newer")
        #expect(cards.changes.isEmpty)
    }

    @Test("restore goes back and records it")
    func restore() {
        let snapshot = EntityStore([one])
        var cards = snapshot
        cards[one.id] = nil
        cards[two.id] = two
        cards.resetChanges()
        cards.restore(from: snapshot)
        #expect(cards.values == [one])
        #expect(cards.changes.upserts == [one.id])
        #expect(cards.changes.deletions == [two.id])
    }

    private struct CardState: Sendable { var cards = EntityStore<Card>() }

    private actor Disk {
        private(set) var titles: [UUID: String] = [:]

        func write(_ cards: [Card], _ deletions: Set<UUID>) {
            for card in cards { titles[card.id] = card.title }
            for id in deletions { titles[id] = nil }
        }
    }

    @Test("a writer drains, the middleware flushes, and neither asks to be told how")
    func persistence() async {
        var state = CardState()
        let writer = StateWriter<CardState>(keyPath: \.cards) { _, _ in }
        #expect(writer.drain(&state) == false)
        state.cards[one.id] = one
        #expect(writer.drain(&state) == true)

        let disk = Disk()
        let persistence = PersistenceMiddleware<CardState>(
            writers: [
                StateWriter(keyPath: \.cards) { writes, deletes in
                    await disk.write(writes, deletes)
                }
            ],
            debounce: .milliseconds(250)
        )
        state.cards[two.id] = two
        persistence.afterReduce(state: &state)
        await persistence.flush()
        #expect(await disk.titles == [two.id: "two"])

        let standard = PersistenceMiddleware<CardState>(writers: [])
        await standard.flush()
        #expect(standard.status.phase == .saved)
    }

    @Test("what takes actions need not be bound to the main actor")
    nonisolated func dispatcher() async {
        let recorder = Seed000.Recorder()
        let dispatcher: any SwiduxDispatcher<Int> & Sendable = recorder
        await dispatcher.send(1)
        await Seed000.Relay(target: recorder).send(2)
        #expect(recorder.received == [1, 2])
    }

    @MainActor
    private final class Received { var numbers: [Int] = [] }

    @Test("effects and sends are the function types that the original names")
    func effects() async {
        let effect: Effect<Int> = { send in await send(7) }
        let spelled: @Sendable (@escaping @MainActor @Sendable (Int) -> Void) async -> Void = effect
        let received = Received()
        let send: Send<Int> = { received.numbers.append($0) }
        await spelled(send)
        #expect(received.numbers == [7])
    }
}
