import Foundation
import Swidux
import Testing

@Suite struct EntityViewTests {
    private let store = EntityStore(
        (0..<10).map { Row($0, $0 % 2 == 0 ? "even" : "odd", rank: "a\($0)") })

    private func evens(of store: EntityStore<Row>) -> EntityView<Row> {
        var view = EntityView<Row> { $0.name == "even" }
        view.update(from: store)
        return view
    }

    @Test("rows are found by number and by id")
    func rows() {
        let view = evens(of: store)
        #expect(view.count == 5)
        #expect(view.id(at: 2) == .numbered(4))
        #expect(view.row(of: .numbered(4)) == 2)
        #expect(view.row(of: .numbered(5)) == nil)
        #expect(view.insertionRow(of: .numbered(5)) == 3)
        #expect(view.id(at: 5) == nil && view.id(at: -1) == nil)
        #expect(view.ids(in: 3..<99) == [.numbered(6), .numbered(8)])
    }

    @Test("an edit moves an entity in, out and along")
    func edits() {
        var store = store
        var view = evens(of: store)
        store[.numbered(4)]?.name = "odd"
        store[.numbered(5)]?.name = "even"
        store.move(.numbered(8), before: .numbered(0))
        store[.numbered(6)] = nil
        view.update(from: store)
        #expect(Array(view.ids) == [8, 0, 2, 5].map { .numbered($0) })
    }

    @Test("the pinned entity stays although it does not match, until it is unpinned or deleted")
    func pinning() {
        var store = store
        var view = evens(of: store)
        view.pinned = .numbered(4)
        store[.numbered(4)]?.name = "odd"
        view.update(from: store)
        #expect(view.row(of: .numbered(4)) == 2)
        view.pinned = .numbered(7)
        #expect(view.row(of: .numbered(4)) == nil)
        #expect(view.row(of: .numbered(7)) == 3)
        store[.numbered(7)] = nil
        view.update(from: store)
        #expect(Array(view.ids) == [0, 2, 6, 8].map { .numbered($0) })
    }

    @Test("a store assigned whole, or gone back to, is seen as it is")
    func replacement() {
        var store = store
        let copy = store
        var view = evens(of: store)
        store[.numbered(0)] = nil
        view.update(from: store)
        view.update(from: copy)
        #expect(view.count == 5)
        view.update(from: EntityStore([Row(2, "even")]))
        #expect(Array(view.ids) == [.numbered(2)])
    }

    @Test("filters can be replaced, narrowed and taken away")
    func filters() {
        var store = store
        var view = evens(of: store)
        store[.numbered(20)] = Row(20, "even", rank: "b00")
        view.narrowFilter({ $0.name == "even" && $0.rank > .spelled("a3") }, in: store)
        #expect(Array(view.ids) == [4, 6, 8, 20].map { .numbered($0) })
        view.setFilter({ $0.name == "odd" }, in: store)
        #expect(view.count == 5)
        view.setFilter(nil, in: store)
        #expect(view.count == 11)
        store[.numbered(1)] = nil
        view.update(from: store)
        #expect(view.count == 10)
    }
}
