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
        #expect(view.position(of: .numbered(4)) == 2)
        #expect(view.position(of: .numbered(5)) == nil)
        #expect(view.id(at: 5) == nil && view.id(at: -1) == nil)
        #expect(view.ids(in: 3..<99) == [.numbered(6), .numbered(8)])
        #expect(view.page(at: 3, count: .max) == [6, 8].compactMap { store[.numbered($0)] })
        #expect(view.page(at: -1, count: 1).map(\.id) == [.numbered(0)])
        #expect(view.page(at: 5, count: 1).isEmpty && view.page(at: 0, count: -1).isEmpty)
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

    @Test("views are equal if they show the same")
    func equality() {
        var store = store
        var view = evens(of: store)
        let old = view
        store[.numbered(5)]?.name = "Odd"
        view.update(from: store)
        #expect(view == old)
        store[.numbered(4)]?.rank = .spelled("a41")
        view.update(from: store)
        #expect(view != old)
        #expect(view == evens(of: EntityStore(store.values)))
        #expect(view != EntityView { _ in false })
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
}
