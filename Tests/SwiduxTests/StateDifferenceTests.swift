import Foundation
import Swidux
import Testing

@Suite("Difference of states")
struct StateDifferenceTests {
    private struct Part: Sendable {
        var name = "a"
        var tags: Set<String> = []
        var lines: [String] = []
        var choice: Int?
    }

    private struct Whole: Sendable {
        var part = Part()
        var rows = EntityStore<Row>()
        var view = EntityView<Row> { $0.name != "hidden" }
    }

    private func lines(_ change: (inout Whole) -> Void) -> [String] {
        var whole = Whole()
        whole.rows = EntityStore((1...3).map { Row($0, rank: "a\($0)") })
        whole.view.update(from: whole.rows)
        let old = whole
        change(&whole)
        whole.view.update(from: whole.rows)
        return StateDifference(from: old, to: whole).lines
    }

    @Test("equal states differ in nothing")
    func equal() {
        #expect(lines { _ in } == [])
        #expect(lines { $0.part.name = "a" } == [])
    }

    @Test("a part is named by its path")
    func path() {
        #expect(lines { $0.part.name = "b" } == ["part.name: \"a\" → \"b\""])
        #expect(lines { $0.part.choice = 4 } == ["part.choice: nil → Optional(4)"])
    }

    @Test("collections tell the elements that came and went")
    func collections() {
        #expect(
            lines { $0.part.lines = ["x", "y"] } == ["part.lines + \"x\"", "part.lines + \"y\""])
        #expect(lines { $0.part.tags = ["t"] } == ["part.tags + \"t\""])
    }

    @Test("an entity store tells its changed entities alone, and a view of it nothing")
    func entities() {
        let (one, two) = (UUID.numbered(1), UUID.numbered(2))
        #expect(
            lines {
                $0.rows.modify(one) { $0.name = "new" }
                $0.rows[two] = nil
            } == ["rows ~ \(one): name: \"row\" → \"new\"", "rows - \(two)"])
        #expect(
            lines { whole in
                // Neither came from the other, so all are compared.
                whole.rows = EntityStore(whole.rows.values.dropLast())
            } == ["rows - \(UUID.numbered(3))"])
    }

    @Test("among 100,000 entities only the changed one is told")
    func large() {
        struct State: Sendable { var rows: EntityStore<Row> }
        let old = State(rows: EntityStore((0..<100_000).map { Row($0) }))
        var new = old
        new.rows.modify(.numbered(70_000)) { $0.name = String(repeating: "long ", count: 100) }
        let difference = StateDifference(from: old, to: new)
        #expect(difference.lines.count == 1)
        #expect(difference.description.count < 400)
    }
}
