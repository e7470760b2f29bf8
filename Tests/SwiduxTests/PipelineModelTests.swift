import Foundation
import Swidux
import SwiduxTesting
import Testing

/// Random edits, undos, flushes, failures and retries: memory equals disk at the end, and nothing is said too early.
@MainActor
@Suite struct PipelineModelTests {
    @Test(
        "after any sequence of edits, undos, failures and retries disk equals memory",
        arguments: 1...30)
    func model(seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let initial = (0..<8).map { Row($0, rank: "a\($0)") }
        let pipeline = Pipeline(
            ListState(
                parents: EntityStore(initial.prefix(3)),
                rows: EntityStore((10..<20).map { Row($0, parent: .numbered(0)) })))
        // A plain undo stack of whole contents, for a single user without interference.
        var history: [ListState] = []
        var future: [ListState] = []
        var isHeld = false
        for step in 0..<150 {
            let row = UUID.numbered(Int.random(in: 10..<30, using: &generator))
            let other = UUID.numbered(Int.random(in: 10..<30, using: &generator))
            let number = Int.random(in: 10..<30, using: &generator)
            let parent = Int.random(in: 0..<6, using: &generator)
            let edits: [@Sendable (inout ListState) -> Void] = [
                { $0.rows[row]?.name = "name \(step)" },
                { $0.rows[row] = nil },
                { $0.rows[.numbered(number)] = Row(number, "set \(step)", rank: "a5") },
                { $0.rows.append(Row(number, "appended \(step)")) },
                { $0.rows.move(row, before: other) },
                { $0.rows.move(row, after: other) },
                { state in
                    state.parents[.numbered(parent)] = nil
                    for child in state.rows where child.parent == .numbered(parent) {
                        state.rows[child.id]?.parent = nil
                    }
                },
                { state in
                    state.parents[.numbered(parent)] = Row(parent, "parent \(step)")
                    state.rows[row]?.parent = .numbered(parent)
                },
                { $0.rows = EntityStore($0.rows.filter { $0.id != row }) },
                { $0.rows.sort { $0.name < $1.name } },
                { $0.rows.removeAll { $0.name.hasSuffix("7") } },
                { state in
                    state.rows[row] = nil
                    state.rows[row] = Row(12, "not under this key")
                },
            ]
            switch Int.random(in: 0..<24, using: &generator) {
            case 0..<12:
                let before = pipeline.state
                pipeline.edit(edits.randomElement(using: &generator) ?? edits[0])
                if before.rows != pipeline.state.rows || before.parents != pipeline.state.parents {
                    history.append(before)
                    future = []
                }
            case 12..<15:
                let before = pipeline.state
                pipeline.store.send(.undo)
                guard let expected = history.popLast() else { break }
                future.append(before)
                #expect(pipeline.state == expected, "undo at step \(step) of seed \(seed)")
            case 15..<17:
                let before = pipeline.state
                pipeline.store.send(.redo)
                guard let expected = future.popLast() else { break }
                history.append(before)
                #expect(pipeline.state == expected, "redo at step \(step) of seed \(seed)")
            case 17: pipeline.storage.failNext()
            case 18:
                isHeld.toggle()
                if isHeld { pipeline.storage.hold() } else { pipeline.storage.release() }
            case 19: pipeline.persistence.flushNow()
            case 20:
                guard !isHeld else { break }
                await pipeline.persistence.flush()
                if pipeline.status.phase == .saved { #expect(pipeline.disk == pipeline.memory) }
            default:
                pipeline.clock.advance(
                    by: .milliseconds(Int.random(in: 1..<600, using: &generator)))
            }
            for _ in 0..<4 { await Task.yield() }
            #expect(pipeline.status.phase != .saved || pipeline.disk == pipeline.memory)
        }
        pipeline.storage.recover()
        pipeline.storage.release()
        await pipeline.persistence.flush()
        #expect(pipeline.status.phase == .saved)
        #expect(pipeline.status.uncommitted == 0)
        #expect(pipeline.disk == pipeline.memory, "seed \(seed)")
        #expect(pipeline.storage.mostInFlight <= 1)
    }
}
