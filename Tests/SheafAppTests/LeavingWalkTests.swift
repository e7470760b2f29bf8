import SheafTestSupport
import Testing

@testable import SheafApp

/// Everything that can happen, in every state of leaving that it leads to.
@Suite("Leaving, whatever happens")
@MainActor
struct LeavingWalkTests {
    private enum Event: Hashable {
        /// A key that changes the list, begins a line, moves, or means nothing.
        case edit, line, move, unknown
        case saved, notSaved
        case flushed, kept(KeepAttempt), notKept(KeepAttempt)
        case quit, suspend, answer(LeavingAction.Answer)
        case signal(Int32), flushTimedOut(Int32), overdue(Int32)

        static let ofUser: [Event] = [.edit, .line, .move, .unknown]
        static let always: [Event] =
            ofUser + [.saved, .notSaved, .flushed, .quit, .suspend] + [1, 15].map(signal)
            + [LeavingAction.Answer.retry, .keep, .discard, .stay].map(answer)

        var isOfUser: Bool { Self.ofUser.contains(self) }

        var isSignal: Bool {
            switch self {
            case .signal, .flushTimedOut, .overdue: true
            default: false
            }
        }
    }

    /// The program, and the facts that the world knows about it.
    private struct World {
        var state = AppState()
        /// The edits that storage has not confirmed.
        var unsaved: Set<Int> = []
        var edits = 0
        /// The changes that each attempt to keep has kept at least.
        var kept: [KeepAttempt: Set<Int>] = [:]
        var isSignalled = false
        var path: [Event] = []

        @MainActor init() {
            state.items = EntityStore(Fixtures.items(["one"]))
            _ = state.settle(.fixture())
        }

        /// The events that can happen now.
        var events: [Event] {
            Event.always + kept.keys.flatMap { [.kept($0), .notKept($0)] }
                + (isSignalled ? [1, 15].flatMap { [.flushTimedOut($0), .overdue($0)] } : [])
        }

        /// A description that distinguishes this state from others, except for counters.
        var kind: String {
            let leaving =
                switch state.leaving {
                case .keeping(let leave, let keeping):
                    "keeping \(leave) \(keeping.isCurrent(in: state.saving)) \(kept.count > 1)"
                case .ended(let exit): "ended \(exit)"
                default: "\(state.leaving) \(kept.count)"
                }
            let line = state.ui.mode.draft.map { "\($0.line.text)" } ?? "none"
            let saving = state.saving.reasonNotSaved ?? "-"
            return "\(leaving) line \(line) unsaved \(unsaved.count) \(saving) \(isSignalled)"
        }
    }

    private let environment = AppEnvironment.fixture()

    /// Sends `action` as the store does: its changes are counted before anything else happens.
    private func send(_ action: AppAction, _ world: inout World) -> Effect? {
        let revision = world.state.items.revision
        let before = world.state.leaving
        let effect = AppReducer().reduce(
            state: &world.state, action: action, environment: environment)
        if world.state.items.revision != revision {
            world.edits += 1
            world.unsaved.insert(world.edits)
            var status = world.state.saving
            status.pending += 1
            status.counters.changes += 1
            _ = send(.saving(.statusChanged(status)), &world)
        }
        // A state that waits for something has begun it.
        switch world.state.leaving {
        case .saving, .suspending, .keeping:
            if before != world.state.leaving { #expect(effect != nil) }
        case .staying, .asking, .ended: break
        }
        if case .keeping(_, let keeping) = world.state.leaving, world.kept[keeping] == nil {
            // No more than the last two, or the walk would not end.
            let last = world.kept.keys.max { $0.number < $1.number }
            world.kept = world.kept.filter { $0.key == last }
            world.kept[keeping] = world.unsaved
        }
        return effect
    }

    private func happen(_ event: Event, _ world: inout World) {
        world.path.append(event)
        if event.isSignal { world.isSignalled = true }
        var status = world.state.saving
        let actions: [AppAction]
        switch event {
        case .edit: actions = [.items(.doneToggled)]
        case .line: actions = [.items(.addAtEndRequested), .line(.edited(.insert("new")))]
        case .move: actions = [.browse(.moved(.rows(1)))]
        case .unknown: actions = [.keys(.unknown(label: "Z"))]
        case .saved:
            guard world.state.leaving.exit == nil else { return }
            if !world.unsaved.isEmpty { status.counters.batches += 1 }
            (status.pending, status.inFlight, status.failure) = (0, 0, nil)
            world.unsaved = []
            actions = [.saving(.statusChanged(status))]
        case .notSaved:
            if !world.unsaved.isEmpty { status.failure = "disk full" }
            actions = [.saving(.statusChanged(status))]
        case .flushed: actions = [.leaving(.flushed)]
        case .kept(let keeping): actions = [.leaving(.kept(keeping, place: "there"))]
        case .notKept(let keeping):
            actions = [.leaving(.keepingFailed(keeping, reason: "nowhere"))]
        case .quit: actions = [.browse(.closed)]
        case .suspend: actions = [.session(.suspendRequested)]
        case .answer(let answer): actions = [.leaving(.answered(answer))]
        case .signal(let signal): actions = [.leaving(.signalled(signal))]
        case .flushTimedOut(let signal): actions = [.leaving(.flushTimedOut(signal))]
        case .overdue(let signal): actions = [.leaving(.overdue(signal))]
        }
        for action in actions {
            // A line that was open is kept first, and the action comes again by its effect.
            let hadLine = world.state.ui.mode.draft != nil
            _ = send(action, &world)
            let again = hadLine && world.state.ui.mode.draft == nil
            if again, case .leaving(let action) = action, !action.isRequest {
                _ = send(.leaving(action), &world)
            }
        }
    }

    private func check(_ before: World, _ event: Event, _ after: World) {
        let comment = Comment(rawValue: "\(after.path)")
        let (old, new) = (before.state.leaving, after.state.leaving)
        if old.exit != nil {
            #expect(new == old, comment)
            #expect(after.state.items.revision == before.state.items.revision, comment)
            #expect(after.state.ui.mode.isNormal, comment)
            return
        }
        if case .ended(let exit) = new { checkEnd(exit, old, event, after, comment) }
        if after.isSignalled {
            #expect(!new.isAsking && new != .staying, comment)
        }
        if event == .suspend, !after.isSignalled {
            #expect(new == .suspending && after.state.ui.mode.draft == nil, comment)
        }
        if case .suspending = old, event == .flushed { #expect(new == .staying, comment) }
        if event.isOfUser {
            // A signal is not taken back; typed text stays, and is counted.
            #expect(after.isSignalled ? new == old : new == .staying, comment)
        }
        // A painted change is saved, or counts as not saved.
        #expect(after.unsaved.count == after.state.saving.uncommitted, comment)
        if case .asking = new {
            // Once everything is saved, the end of a flush answers the question.
            #expect(!after.unsaved.isEmpty || old.isAsking && event != .flushed, comment)
            #expect(after.state.ui.mode.isNormal, comment)
        }
    }

    private func checkEnd(
        _ exit: Exit, _ old: Leaving, _ event: Event, _ world: World, _ comment: Comment
    ) {
        #expect(world.state.ui.mode.draft == nil, comment)
        let isSaved = world.unsaved.isEmpty
        #expect(exit.unsavedChanges == .none || !isSaved, comment)
        switch event {
        case .answer(.discard): #expect(old.isAsking && exit.unsavedChanges == .none, comment)
        case .kept(let keeping) where !isSaved:
            // An earlier attempt is not the end of a later one, which may be at the file.
            #expect(exit.unsavedChanges == .kept && old.keeping == keeping, comment)
            #expect(world.kept[keeping]?.isSuperset(of: world.unsaved) == true, comment)
        case .notKept where !isSaved, .overdue where !isSaved:
            #expect(world.isSignalled && exit.unsavedChanges == .kept, comment)
        default: #expect(isSaved, comment)
        }
        let statuses: [Int32] = world.isSignalled ? [129, 143] : [isSaved ? 0 : 74]
        #expect(statuses.contains(exit.status), comment)
        #expect((exit.message == nil) == isSaved, comment)
    }

    @Test("nothing unsaved is lost, nobody is asked after a signal, and any key keeps one here")
    func walk() {
        var seen: Set<String> = []
        var reached: Set<String> = []
        var next = [World()]
        while let world = next.popLast() {
            for event in world.events {
                var after = world
                happen(event, &after)
                check(world, event, after)
                reached.insert(after.state.leaving.name)
                // Two edits are as many as there are kinds of: one that is kept, and one after it.
                guard after.unsaved.count <= 2, seen.insert(after.kind).inserted else { continue }
                next.append(after)
            }
        }
        #expect(
            reached == [
                "staying", "saving quit", "saving signal", "suspending", "asking", "keeping quit",
                "keeping signal", "ended",
            ])
        #expect(seen.count > 100)
    }
}

extension LeavingAction {
    fileprivate var isRequest: Bool {
        switch self {
        case .quitRequested, .signalled, .flushed: true
        default: false
        }
    }
}

extension Leaving {
    fileprivate var keeping: KeepAttempt? {
        if case .keeping(_, let keeping) = self { keeping } else { nil }
    }

    fileprivate var name: String {
        switch self {
        case .staying: "staying"
        case .saving(let leave): leave == .quit ? "saving quit" : "saving signal"
        case .suspending: "suspending"
        case .asking: "asking"
        case .keeping(let leave, _): leave == .quit ? "keeping quit" : "keeping signal"
        case .ended: "ended"
        }
    }
}
