import Testing

@testable import Swidux

/// Every event in every state that the pipeline can come to.
@Suite struct PipelineStateTests {
    /// The pipeline and the knowledge of its owner: whether changes are pending, and the time.
    private struct World {
        var pipeline: PipelineState
        var now: PipelineState.Instant
        var hasPending = false

        /// A key that distinguishes it from others: times relative to now, with all that are long
        /// past as one.
        var key: Key {
            func place(_ time: PipelineState.Instant?) -> Duration? {
                time.map { max($0 - now, PipelineStateTests.unit * -1) }
            }
            var key = Key(
                flight: pipeline.flight, writing: pipeline.writing, fetching: pipeline.fetching,
                log: pipeline.log, retry: pipeline.retry, requiresCommit: pipeline.requiresCommit,
                isHeld: pipeline.isHeld,
                hasPending: hasPending)
            key.times = [place(pipeline.age?.first), place(pipeline.age?.last)]
            if case .pause(let failures, let until, let isProbed) = pipeline.retry {
                key.retry = .again(failures: isProbed ? -failures : failures)
                key.times += [nil, place(until)]
            }
            return key
        }
    }

    private struct Key: Hashable {
        var flight: PipelineState.Flight
        var writing: PipelineState.Writing
        var fetching: PipelineState.Fetching
        var log: PipelineState.Log
        var retry: PipelineState.Retry
        var requiresCommit: Bool
        var isHeld: Bool
        var hasPending: Bool
        var times: [Duration?] = []
    }

    /// All times are multiples of it, so that there are not too many states.
    private static let unit = Duration.milliseconds(250)

    private enum Event: CaseIterable {
        case change, hurry, timer, moment
        case land, landBehind, landWithArrival, turnBack
        case fetch, fetchPart, fetchNothing, fetchFail
        case takeIn, takeInAll
        case notice, loaded, requireCommit, readOnly, writable, hold, release
        case logRenewed, logTorn
    }

    /// How many commits fail in a row.
    private static let limit = 2

    /// The state of `world` after `event` and the next step, or nil if the event is impossible
    /// there.
    private func after(_ event: Event, _ world: World) -> (World, PipelineState.Step)? {
        var next = world
        if event == .timer {
            guard let due = world.pipeline.due(hasPending: world.hasPending), due > world.now
            else { return nil }
            next.now = due
        } else if event == .moment {
            next.now += Self.unit
        }
        let now = next.now
        switch event {
        case .timer, .moment: break
        case .change:
            next.pipeline.changed(at: now)
            next.hasPending = true
        case .hurry: next.pipeline.hurry(at: now)
        case .land, .landBehind, .landWithArrival:
            guard world.pipeline.isCommitting else { return nil }
            next.pipeline.commitSucceeded(
                isBehind: event == .landBehind, hasArrival: event == .landWithArrival)
        case .turnBack:
            guard world.pipeline.isCommitting else { return nil }
            if case .again(failures: Self.limit...) = world.pipeline.retry { return nil }
            next.pipeline.commitFailed(at: now)
            next.hasPending = true
        case .fetch, .fetchPart, .fetchNothing:
            guard world.pipeline.flight == .fetch else { return nil }
            next.pipeline.fetched(
                isComplete: event != .fetchPart, hasArrival: event != .fetchNothing, at: now)
        case .fetchFail:
            guard world.pipeline.flight == .fetch else { return nil }
            next.pipeline.fetchFailed()
        case .takeIn, .takeInAll:
            guard world.pipeline.flight == .arrival else { return nil }
            if event == .takeInAll { next.hasPending = false }
            _ = next.pipeline.arrivalAdopted(hasPending: next.hasPending)
        case .notice: next.pipeline.storageMayHaveChanged(at: now)
        case .loaded: next.pipeline.loadingEnded()
        case .requireCommit: next.pipeline.requireCommit(at: now)
        case .readOnly, .writable:
            guard !world.pipeline.isCommitting else { return nil }
            next.pipeline.setReadOnly(event == .readOnly)
        case .hold, .release: next.pipeline.hold(event == .hold)
        case .logRenewed: next.pipeline.logRenewed()
        case .logTorn: next.pipeline.logTorn()
        }
        let step = next.pipeline.next(hasPending: next.hasPending, at: now)
        if step == .commit { next.hasPending = false }
        return (next, step)
    }

    /// The fault of `step` from `old` to `new`, or nil.
    private func fault(
        _ old: World, _ event: Event, _ new: World, _ step: PipelineState.Step
    ) -> String? {
        let (before, after, now) = (old.pipeline, new.pipeline, new.now)
        let isEnd =
            switch event {
            case .land, .landBehind, .landWithArrival, .turnBack: true
            case .fetch, .fetchPart, .fetchNothing, .fetchFail, .takeIn, .takeInAll: true
            default: false
            }
        switch step {
        case .commit, .fetch:
            if before.flight != .none, !isEnd { return "two flights" }
            if step == .commit, after.writing != .allowed || after.isHeld {
                return "written where none may be"
            }
            if step == .fetch, after.fetching != .current { return "fetched where none may be" }
        case .wait(let until):
            if until <= now { return "waits for what is due" }
            if until > now + .seconds(30) { return "waits for more than the longest pause" }
            if after.retry == .none, until > now + after.maxDelay {
                return "staleness has no bound"
            }
        case .rest:
            let isIdle = after.flight == .none
            if isIdle, new.hasPending, after.writing == .allowed, !after.isHeld {
                return "forgets what waits"
            }
            if isIdle, after.fetching == .behind { return "forgets what others did" }
        }
        if event == .landWithArrival || event == .fetch || event == .fetchPart, step != .rest {
            return "something begins before what arrived is taken in"
        }
        if event == .readOnly, after.writing == .allowed {
            return "writes to what can only be read"
        }
        if event == .fetchPart, after.fetching != .behind { return "forgets the rest of a fetch" }
        if event == .landBehind, before.fetching == .current, after.fetching != .behind,
            step != .fetch
        {
            return "forgets that storage is ahead"
        }
        if before.isCommitting, !isEnd, !after.isCommitting {
            return "a batch in flight is forgotten"
        }
        if new.hasPending, after.age == nil { return "what waits has no age" }
        if event == .turnBack, after.nextTry == nil { return "a failed batch is not tried again" }
        if event == .logTorn, after.log != .torn { return "a torn log counts as whole" }
        if before.log == .torn, event != .logRenewed, after.log != .torn {
            return "a torn log counts as whole though nobody renewed it"
        }
        return nil
    }

    @Test(
        "in all reachable states one thing is in flight, nothing stale is written, and nothing is forgotten",
        arguments: [true, false], [true, false])
    func walk(waitsForHydration: Bool, canFetch: Bool) {
        let first = World(
            pipeline: PipelineState(
                debounce: Self.unit, maxDelay: Self.unit,
                waitsForHydration: waitsForHydration, canFetch: canFetch),
            now: .now)
        var seen: Set<Key> = [first.key]
        var waiting = [first]
        while let world = waiting.popLast() {
            for event in Event.allCases {
                guard let (next, step) = after(event, world) else { continue }
                if let fault = fault(world, event, next, step) {
                    Issue.record("\(fault): \(event) in \(world) gives \(step), \(next)")
                    return
                }
                if seen.insert(next.key).inserted { waiting.append(next) }
            }
        }
        #expect(seen.count > 100)
    }
}
