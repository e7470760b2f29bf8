import DequeModule

/// The meaning of an action to an ``UndoHistory``.
public struct UndoRole: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case command(name: String, coalesces: Bool, part: Int? = nil)
        case undo, redo, continuation, ignored
    }

    package let kind: Kind

    /// A user command, which is one step. Reports contain `name`. With `coalesces`, repeats on one
    /// entity become one step if each follows within a second of the last.
    public static func command(name: String = "", coalesces: Bool = false) -> UndoRole {
        UndoRole(kind: .command(name: name, coalesces: coalesces))
    }

    /// A request to undo the last step.
    public static let undo = UndoRole(kind: .undo)
    /// A request to redo the last undone step.
    public static let redo = UndoRole(kind: .redo)
    /// An action whose changes cannot be undone. Undoing other changes keeps them.
    public static let ignored = UndoRole(kind: .ignored)

    /// A part of a user command that takes several actions. Parts with the same number form one
    /// step, even if there are other actions between them.
    package static func part(of number: Int, name: String) -> UndoRole {
        UndoRole(kind: .command(name: name, coalesces: false, part: number))
    }

    /// The next part of an undo or redo in progress: see ``UndoReport/remaining``.
    package static let continuation = UndoRole(kind: .continuation)
}

/// The steps that can be undone and redone, one for each user command that changed an entity.
///
/// A step holds the values, before and after the command, of only those entities that it touched.
/// Undo restores an entity only if it has not changed since the step. An entity that has changed,
/// other than by a command, is skipped and reported. Undo edits the stores like a reducer, so its
/// changes are saved.
///
/// If changes of a step depend on each other (`UndoTies`), and one of their entities has changed
/// since, the whole group is skipped.
///
/// A step that was skipped entirely does not block older ones: the next undo takes the step before
/// it. The skipped step is not redone either. The redo that reaches it, or the next command,
/// returns it to the steps that can be undone, where a later undo tries it again.
///
/// A step larger than `maxAtOnce` is applied in parts, so that no action takes long: each following
/// action with `UndoRole.continuation` applies one part. If a command, undo or redo comes before
/// the last part, it first applies the rest.
///
/// The place of an entity is restored only if the entities are ``Ranked``. The history is not part
/// of the state, and belongs to one ``Store``. It has limits, at which the oldest steps are
/// dropped.
@MainActor
public final class UndoHistory<State, Action> {
    let classify: (Action, State) -> UndoRole
    let report: ((UndoReport) -> Action)?

    let tracks: [UndoTrack<State>]
    private let limit: Int
    private let stepLimit: Int
    private let maxAtOnce: Int
    private let now: () -> ContinuousClock.Instant
    var done: Deque<UndoStep> = []
    var undone: Deque<UndoStep> = []
    private var bytes = 0
    private var lastStep = 0
    /// True if a limit has made the history drop steps since it was empty.
    private var hasDroppedSteps = false
    /// True if nothing has happened since the newest step, so that a repeat may join it.
    private var isOpen = false
    private var isClaimed = false
    /// True if all steps will be forgotten once the undo in progress is complete.
    private var isClearing = false
    /// The undo or redo in progress.
    private var progress: UndoProgress?
    /// The report of the last part of an undo or redo, if that part was applied early: see
    /// ``finishTied(_:)``.
    private var early: UndoReport?
    /// Applied steps whose commit is not yet confirmed, in order.
    var unsettled: [UnsettledStep] = []

    /// Creates a history of changes to the stores of `tracks`. Undo restores entities in the order
    /// of the tracks and removes them in reverse, so that references hold.
    ///
    /// - Parameters:
    ///   - tracks: the stores whose changes can be undone.
    ///   - limit: the maximum number of bytes that the steps hold, by the tracks' estimates.
    ///   - stepLimit: the maximum number of steps that can be undone. The newest step is kept even
    ///     if it exceeds a limit.
    ///   - clock: the clock that decides whether edits coalesce.
    ///   - classify: returns the meaning of an action, given the state before it.
    ///   - report: returns the action that is reduced once a step has been applied, for example to
    ///     select the touched entities. By default it is the action that requested the undo. The
    ///     changes of the action itself do not form a step.
    public convenience init(
        tracks: [UndoTrack<State>],
        limit: Int = 64 << 20,
        stepLimit: Int = .max,
        clock: any Clock<Duration> = ContinuousClock(),
        classify: @escaping @MainActor (Action, State) -> UndoRole,
        report: (@MainActor (UndoReport) -> Action)? = nil
    ) {
        self.init(
            tracks: tracks, limit: limit, stepLimit: stepLimit, now: clock.systemTime,
            classify: classify,
            report: report)
    }

    /// Creates a history whose steps are applied in parts.
    ///
    /// - Parameters:
    ///   - maxAtOnce: the maximum number of entities that one action restores and removes.
    ///   - now: returns the time, which decides whether repeats of a command become one step.
    package init(
        tracks: [UndoTrack<State>],
        limit: Int = 64 << 20,
        stepLimit: Int = .max,
        maxAtOnce: Int = .max,
        now: @escaping @MainActor () -> ContinuousClock.Instant,
        classify: @escaping @MainActor (Action, State) -> UndoRole,
        report: (@MainActor (UndoReport) -> Action)? = nil
    ) {
        self.tracks = tracks
        self.limit = limit
        self.stepLimit = max(stepLimit, 1)
        self.maxAtOnce = maxAtOnce
        self.now = now
        self.classify = classify
        self.report = report
    }

    /// Returns the action to reduce after `action` caused a step to be applied.
    func action(after action: Action, _ report: UndoReport) -> Action {
        self.report?(report) ?? action
    }

    // MARK: The steps

    /// True if there is a step to undo.
    public var canUndo: Bool { done.contains { !$0.isRefused } }
    /// True if there is a step to redo.
    public var canRedo: Bool { undone.contains { !$0.isRefused } }
    /// The name of the step that the next undo takes, or nil if there is none.
    public var nextUndo: String? { done.last { !$0.isRefused }?.name }
    /// The name of the step that the next redo takes, or nil if there is none.
    public var nextRedo: String? { undone.last { !$0.isRefused }?.name }
    /// The number of steps that can be undone. O(steps).
    package var undoDepth: Int { done.count { !$0.isRefused } }
    /// The number of steps that can be redone. O(steps).
    package var redoDepth: Int { undone.count { !$0.isRefused } }
    /// The bytes that the steps hold, by the tracks' estimates.
    package var size: Int { bytes }

    /// Forgets all steps, for example after another document was opened. If an undo is being
    /// applied in parts, the steps are forgotten after its last part.
    package func clear() {
        guard progress == nil else { return isClearing = true }
        isClearing = false
        forget(done)
        forget(undone)
        (done, undone) = ([], [])
        isOpen = false
        hasDroppedSteps = false
    }

    // MARK: Keeping steps

    /// Marks this history as owned by a store.
    func claim() {
        precondition(!isClaimed, "An UndoHistory belongs to one Store: make one for each.")
        isClaimed = true
    }

    /// Returns the role of an action. The state is passed `inout`, because passing a value would
    /// copy it.
    func role(of action: Action, in state: inout State) -> UndoRole { classify(action, state) }

    func begin(_ state: inout State) {
        finish(&state)
        for track in tracks { track.changes.begin(state) }
    }

    /// Keeps the changes of a command since ``begin(_:)`` as a step, if there are any.
    func end(_ state: inout State, name: String, coalesces: Bool, part: Int? = nil) {
        let number = lastStep + 1
        var touched = 0
        var single: (track: Int, id: AnyID)?
        for (place, track) in tracks.enumerated() {
            let ids = track.changes.end(state, step: number)
            touched += ids.count
            if touched > 1 {
                single = nil
            } else if let id = ids.first {
                single = (place, id)
            }
        }
        guard touched > 0 else { return }
        lastStep = number
        if !undone.isEmpty {
            forget(undone.filter { !$0.isRefused })
            for var step in undone.reversed() where step.isRefused {
                step.isRefused = false
                done.append(step)
            }
            undone = []
        }
        let time = now()
        if let part, let index = done.lastIndex(where: { $0.part == part }) {
            add(number, toStepAt: index)
        } else if isOpen, coalesces, let last = done.last, last.coalesces, last.name == name,
            let single, let lastSingle = last.single, single == lastSingle,
            time - last.time <= .seconds(1)
        {
            join(number, at: time)
        } else {
            let size = size(of: number)
            var keys = UndoKeys()
            if single == nil || part != nil { addKeys(of: number, to: &keys) }
            done.append(
                UndoStep(
                    number: number, name: name, bytes: size, time: time, single: single,
                    coalesces: coalesces, part: part, isTied: keys.haveTie,
                    keys: part == nil ? nil : keys))
            bytes += size
        }
        isOpen = true
        shrink()
    }

    /// Adds a part to the step of the earlier parts. The sizes are summed, because the parts mostly
    /// have different entities, and measuring the whole step for each part would take O(parts²).
    private func add(_ number: Int, toStepAt index: Int) {
        let size = size(of: number)
        if var keys = done[index].keys.take() {
            addKeys(of: number, to: &keys)
            done[index].isTied = keys.haveTie
            done[index].keys = keys
        }
        for track in tracks { track.changes.join(number, into: done[index].number) }
        done[index].bytes += size
        done[index].single = nil
        bytes += size
    }

    private func addKeys(of step: Int, to keys: inout UndoKeys) {
        for track in tracks { track.changes.addKeys(of: step, to: &keys) }
    }

    private func join(_ number: Int, at time: ContinuousClock.Instant) {
        guard var last = done.popLast() else { return }
        bytes -= last.bytes
        for track in tracks { track.changes.join(number, into: last.number) }
        last.bytes = size(of: last.number)
        last.time = time
        // The repeats may have restored the value from before the first.
        guard last.bytes > 0 else { return }
        bytes += last.bytes
        done.append(last)
    }

    /// Undoes the last step or redoes the last undone one, and returns a report. Of a large step,
    /// only a small first part is applied, so that the user sees the beginning at once. Refused
    /// steps before it are moved back without being applied.
    ///
    /// - Parameter flush: the number of the flush that will store the changes, or nil.
    func apply(isRedo: Bool, to state: inout State, flush: Int? = nil) -> UndoReport {
        finish(&state)
        isOpen = false
        let (from, to) =
            isRedo ? (\UndoHistory.undone, \UndoHistory.done) : (\.done, \.undone)
        while var refused = self[keyPath: from].last, refused.isRefused {
            refused.isRefused = false
            self[keyPath: from].removeLast()
            self[keyPath: to].append(refused)
        }
        guard var step = self[keyPath: from].popLast() else {
            var report = UndoReport(isRedo: isRedo, name: nil)
            report.reachesDroppedSteps = !isRedo && hasDroppedSteps
            return report
        }
        // Reset as soon as an entity of the step is changed.
        step.isRefused = true
        self[keyPath: to].append(step)
        var count = 0
        for track in tracks { count += track.changes.count(of: step.number) }
        unsettled.removeAll { $0.number == step.number }
        if let flush, count <= maxAtOnce {
            unsettled.append(
                UnsettledStep(number: step.number, name: step.name, isRedo: isRedo, flush: flush))
        }
        let groups = step.isTied ? UndoGroups() : nil
        return applyPart(
            of: UndoProgress(step: step, isRedo: isRedo, remaining: count, groups: groups),
            limit: count > maxAtOnce ? max(maxAtOnce / 4, 1) : .max, to: &state)
    }

    /// Applies the next part of the undo or redo in progress. Returns nil if there is none.
    func applyNextPart(to state: inout State) -> UndoReport? {
        if let early {
            self.early = nil
            return early
        }
        return progress.map { applyPart(of: $0, limit: maxAtOnce, to: &state) }
    }

    /// Applies the rest of an undo or redo whose changes depend on each other. The store calls this
    /// before an arrival, which between two parts could cause only half of the step to be applied.
    /// The next `UndoRole.continuation` returns the report. Returns true if there was such an undo
    /// or redo.
    func finishTied(_ state: inout State) -> Bool {
        guard let progress, progress.groups != nil else { return false }
        early = applyPart(of: progress, limit: .max, to: &state)
        return true
    }

    private func finish(_ state: inout State) {
        early = nil
        if let progress { _ = applyPart(of: progress, limit: .max, to: &state) }
    }

    private func applyPart(
        of progress: UndoProgress, limit: Int, to state: inout State
    ) -> UndoReport {
        var progress = progress
        progress.room = limit
        let step = progress.step
        var report = UndoReport(isRedo: progress.isRedo, name: step.name)
        report.isTied = step.isTied
        let checks = progress.groups == nil ? 0 : tracks.count
        while progress.remaining > 0 {
            if progress.pass < checks {
                tracks[progress.pass].changes.check(state, &progress)
            } else {
                let pass = progress.pass - checks
                let restores = pass < tracks.count
                let index = restores ? pass : 2 * tracks.count - 1 - pass
                progress.first = tracks[..<index].reduce(0) {
                    $0 + $1.changes.count(of: step.number)
                }
                let outcome = tracks[index].changes.apply(
                    to: &state, &progress, restores: restores)
                progress.remaining -= outcome.count
                report.add(outcome)
            }
            guard progress.room > 0 else { break }
            progress.pass += 1
            progress.place = 0
            if progress.pass == checks { progress.groups?.settle() }
        }
        report.remaining = progress.remaining
        if report.touchedCount > 0 {
            if progress.isRedo {
                done[done.count - 1].isRefused = false
            } else {
                undone[undone.count - 1].isRefused = false
            }
        }
        self.progress = progress.remaining > 0 ? progress : nil
        if self.progress == nil, isClearing { clear() }
        return report
    }

    private func size(of step: Int) -> Int {
        var size = 0
        for track in tracks { size += track.changes.size(of: step) }
        return size
    }

    private func forget(_ steps: some Collection<UndoStep>) {
        guard !steps.isEmpty else { return }
        let places = Dictionary(uniqueKeysWithValues: zip(unsettled.map(\.number), 0...))
        for step in steps {
            bytes -= step.bytes
            if let place = places[step.number] {
                unsettled[place].isDropped = true
            } else {
                for track in tracks { track.changes.forget(step.number) }
            }
        }
    }

    private func shrink() {
        // The newest step is kept even if it is too large.
        while done.count > 1, bytes > limit || done.count > stepLimit {
            forget(CollectionOfOne(done.removeFirst()))
            hasDroppedSteps = true
        }
    }
}
