import Foundation
import Swidux
import Testing

@Suite("Sorted views")
struct DerivedViewTests {
    private struct Book: Identifiable, Hashable, Sendable, Ranked {
        var id: UUID
        var title: String
        var shelves: Set<Int>
        var rank: Rank
    }

    private func book(_ number: Int, _ title: String, _ shelves: Set<Int> = []) -> Book {
        Book(
            id: .numbered(number), title: title, shelves: shelves,
            rank: .spelled("b\(number / 10)\(number % 10)"))
    }

    @Test("rows are in the order of the key, equal keys in the store's, and an edit moves its row")
    func sorted() {
        var store = EntityStore([book(1, "c"), book(2, "a"), book(3, "b"), book(4, "a")])
        var view = EntityView<Book>(by: \.title)
        var backwards = EntityView<Book>(by: \.title, isDescending: true)
        view.update(from: store)
        backwards.update(from: store)
        #expect(view.ids(in: 0..<9) == [2, 4, 3, 1].map { .numbered($0) })
        #expect(backwards.ids(in: 0..<9) == [1, 3, 2, 4].map { .numbered($0) })
        store.modify(.numbered(1)) { $0.title = "aa" }
        view.update(from: store)
        #expect(view.position(of: .numbered(1)) == 2)
        #expect(view.id(at: 2) == .numbered(1))
        #expect(view.id(at: 4) == nil && view.id(at: -1) == nil)
        #expect(view.page(at: 1, count: 2) == [4, 1].compactMap { store[.numbered($0)] })
    }

    @Test("views are equal if they show the same")
    func equality() {
        var store = EntityStore([book(1, "c", [1]), book(2, "a")])
        var view = EntityView<Book>(by: \.title)
        view.update(from: store)
        let oldView = view
        var other = EntityView<Book>(by: { "\($0.title)!" })
        other.update(from: EntityStore(store.values))
        #expect(view == other && view != EntityView(by: \.title))
        store.modify(.numbered(1)) { $0.shelves = [2] }
        view.update(from: store)
        #expect(view != oldView)
        store.modify(.numbered(1)) { $0.shelves = [1] }
        view.update(from: store)
        #expect(view == oldView)
    }

    @Test("random edits leave what sorting all would give", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var store = EntityStore<Book>()
        let isIncluded: @Sendable (Book) -> Bool = { $0.title != "c" }
        var view = EntityView<Book>(by: \.title, isIncluded: isIncluded)
        for _ in 0..<200 {
            let number = Int.random(in: 0..<40, using: &generator)
            let title = ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: store[.numbered(number)] = nil
            case 1: store.move(.numbered(number), before: .numbered((number * 7) % 40))
            case 2: store = EntityStore(store.filter { $0.id != .numbered(number) })
            case 3:
                store.modify(.numbered(number)) { $0.title = title }
            default:
                let shelves = Set((0..<3).filter { _ in Bool.random(using: &generator) })
                store[.numbered(number)] = book(number, title, shelves)
            }
            guard Bool.random(using: &generator) else { continue }
            view.update(from: store)
            let expected = store.filter(isIncluded).enumerated()
                .sorted { ($0.element.title, $0.offset) < ($1.element.title, $1.offset) }
                .map(\.element.id)
            #expect(view.ids(in: 0..<100) == expected)
            #expect(view.count == expected.count)
            #expect(expected.indices.allSatisfy { view.position(of: expected[$0]) == $0 })
        }
    }
}
