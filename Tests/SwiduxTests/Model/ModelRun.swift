import Foundation
import SwiduxTesting

@testable import Swidux

/// Plays a script on the whole pipeline and on a ``PlainList`` beside it, and says where they part.
@MainActor
struct ModelRun {
    private var pipeline: Pipeline
    private var plain = PlainList()
    private var past: [PlainList] = []
    private var future: [PlainList] = []
    /// The states that the user has seen since the last "saved", the oldest first: a crash may
    /// leave any of them, and no other.
    private var seen: [PlainList] = []
    private var isHeld = false

    private init() {
        var state = ListState()
        for number in 0..<3 { state.parents.append(Row(number, "parent")) }
        for number in 10..<20 { state.rows.append(Row(number, parent: .numbered(0))) }
        pipeline = Pipeline(state)
        plain = PlainList(state)
        seen = [plain]
    }

    /// The first thing that goes wrong, or nil.
    static func failure(of script: [ModelStep]) async -> String? {
        var run = ModelRun()
        for (index, step) in script.enumerated() {
            if let failure = await run.play(step) { return "step \(index), \(step): \(failure)" }
        }
        return await run.end().map { "at the end: \($0)" }
    }

    /// The shortest failing script that leaving out parts of it finds.
    static func shrunk(
        _ script: [ModelStep],
        fails: ([ModelStep]) async -> Bool = { await failure(of: $0) != nil }
    ) async -> [ModelStep] {
        var script = script
        var size = script.count / 2
        while size > 0 {
            var start = 0
            while start < script.count {
                var shorter = script
                shorter.removeSubrange(start..<min(start + size, script.count))
                if await fails(shorter) { script = shorter } else { start += size }
            }
            size /= 2
        }
        return script
    }

    private mutating func play(_ step: ModelStep) async -> String? {
        if let edit = step.edit {
            let before = plain
            plain.apply(step)
            pipeline.edit(edit)
            if plain != before {
                past.append(before)
                future = []
            }
        } else {
            await happen(step)
        }
        seen.append(plain)
        for _ in 0..<4 { await Task.yield() }
        return problem()
    }

    private mutating func happen(_ step: ModelStep) async {
        switch step {
        case .undo:
            pipeline.store.send(.undo)
            guard let last = past.popLast() else { break }
            future.append(plain)
            plain = last
        case .redo:
            pipeline.store.send(.redo)
            guard let next = future.popLast() else { break }
            past.append(plain)
            plain = next
        case .failNext: pipeline.storage.failNext()
        case .hold:
            isHeld = true
            pipeline.storage.hold()
        case .release:
            isHeld = false
            pipeline.storage.release()
        case .flush:
            if isHeld {
                pipeline.persistence.hurry()
            } else {
                await pipeline.persistence.flush()
            }
        case .advance(let milliseconds): pipeline.clock.advance(by: .milliseconds(milliseconds))
        case .crash: crash()
        default: break
        }
    }

    private mutating func crash() {
        let disk = pipeline.disk
        pipeline.storage.fail()
        pipeline.storage.release()
        isHeld = false
        var state = ListState()
        state.parents.hydrate(disk.values.filter { $0.id.number < 10 })
        state.rows.hydrate(disk.values.filter { $0.id.number >= 10 })
        pipeline = Pipeline(state)
        plain = PlainList(disk: disk)
        past = []
        future = []
    }

    private mutating func problem() -> String? {
        guard PlainList(pipeline.state) == plain else {
            return "memory is \(PlainList(pipeline.state)), not \(plain)"
        }
        let disk = PlainList(disk: pipeline.disk)
        guard seen.contains(disk) else { return "the disk holds what was never seen: \(disk)" }
        if pipeline.status.phase == .saved {
            guard pipeline.disk == pipeline.memory else { return "it says saved, and is not" }
            seen = [plain]
        }
        guard pipeline.storage.maxInFlight <= 1 else { return "two flushes are in flight" }
        return nil
    }

    private mutating func end() async -> String? {
        pipeline.storage.recover()
        pipeline.storage.release()
        await pipeline.persistence.flush()
        // A failure that was asked for may still have been waiting.
        await pipeline.persistence.flush()
        if let problem = problem() { return problem }
        guard pipeline.status.phase == .saved, pipeline.status.uncommitted == 0 else {
            return "not saved: \(pipeline.status)"
        }
        return nil
    }
}
