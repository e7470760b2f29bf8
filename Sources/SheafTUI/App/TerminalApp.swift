import CPlatform
import Dispatch
import Glibc
import SheafApp
import Terminal

/// The event loop. It handles keys and signals and draws at most one frame per turn.
///
/// All work is on the main queue, which the main thread serves. A frame is drawn immediately after
/// keys, and at the end of the turn after other events. One timer waits for midnight. Another
/// exists only while the screen shows a countdown or the progress of loading or saving.
@MainActor
package final class TerminalApp {
    private let store: AppStore
    private let screen: any Screen
    private let input: TerminalInput
    private let control: ScreenControl
    private let keymap: Keymap
    private let dispatcher: KeyDispatcher
    private var signals: SignalSources?
    private var subscription: Subscription?
    /// A Boolean value that indicates whether the state has changed since the last frame.
    private var isStale = false
    private var isDrawScheduled = false
    /// A Boolean value that indicates whether keys are being handled, after which a frame is drawn.
    private var isHandlingKeys = false
    private var lastFrame: ContinuousClock.Instant?
    private var drawnRows = RowCache()
    private var tick: DispatchSourceTimer?
    private var midnight: DispatchSourceTimer?
    /// The number of consecutive ticks that have seen the same commit in flight. `batches`
    /// identifies that commit by the number of commits before it.
    private var commitTicks = (batches: 0, count: 0)
    private var reportsMouse = false
    /// A Boolean value that indicates whether a bulk command has left unused memory.
    private var needsHeapTrim = false
    /// The time until which the program waits for storage after a signal has asked it to end.
    private var saveDeadline = DispatchTime.distantFuture

    /// The interval at which a countdown and the progress of loading are redrawn: five times a
    /// second.
    private static let tickInterval = Duration.milliseconds(200)

    package init(
        store: AppStore, screen: any Screen, input: TerminalInput, control: ScreenControl,
        keymap: Keymap = .standard
    ) {
        self.store = store
        self.screen = screen
        self.input = input
        self.control = control
        self.keymap = keymap
        dispatcher = KeyDispatcher(store: store, keymap: keymap)
    }

    /// Takes over the terminal and the process. Never returns: the process ends with `exit` when
    /// the user leaves. `loop` reports when there are keys to read.
    package func run(on loop: MainLoop) -> Never {
        // The C library raises this threshold whenever it frees a larger block, and then keeps the
        // memory that a sort of a long list used.
        mallopt(M_MMAP_THRESHOLD, 1 << 19)
        // Without an explicit threshold, the memory of a frame would return to the system after
        // each frame. With a higher one, more memory would stay in each thread's arena.
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        switchMouse(store.state, isStart: true)
        subscription = store.subscribe { [weak self] state in
            if let exit = state.leaving.exit { self?.end(exit) }
            self?.trimHeapAfterBulk(state)
            self?.switchMouse(state)
            self?.scheduleDraw()
        }
        control.attach(screen: screen, input: input) { [weak self] in self?.updateSize() }
        signals = SignalSources(
            handler: { [weak self] signal in self?.handle(signal: signal) },
            overdue: { signal in
                NcursesScreen.abandon()
                _exit(128 + signal)
            })
        input.onKeys = { [weak self] keys in self?.handle(keys) }
        dispatcher.onTurn = { [weak self] in self?.draw() }
        input.onHangup = { [weak self] in self?.leave(bySignal: SIGHUP) }
        input.start()
        updateSize()
        scheduleMidnight()
        Task { [store] in
            await store.load()
            Self.trimHeap()
        }
        loop.run()
    }

    /// Returns the unused memory of loading or a bulk command to the system. At 100,000 items this
    /// is a sixth of the program's memory.
    private static func trimHeap() {
        DispatchQueue.global(qos: .utility).async { _ = malloc_trim(0) }
    }

    /// Returns memory after a bulk command when its changes have been saved. They occupy the memory
    /// until then.
    private func trimHeapAfterBulk(_ state: AppState) {
        if state.ui.bulk != nil {
            needsHeapTrim = true
        } else if needsHeapTrim, state.saving.phase == .saved {
            needsHeapTrim = false
            Self.trimHeap()
        }
    }

    /// Turns the terminal's mouse reports on or off according to the state.
    private func switchMouse(_ state: AppState, isStart: Bool = false) {
        guard state.ui.mouse.isOn != reportsMouse else { return }
        reportsMouse = screen.setMouse(state.ui.mouse.isOn)
        if state.ui.mouse.isOn, !reportsMouse {
            store.send(.mouse(.unsupported(isAnswer: !isStart)))
        }
    }

    /// Updates the state at midnight, so that an idle screen shows the new day.
    private func scheduleMidnight() {
        let calendar = LocalCalendar.system
        let today = calendar.day(.now)
        store.send(.session(.dayBegan(today)))
        guard let next = today.adding(days: 1) else { return }
        let milliseconds = calendar.start(next).milliseconds - Timestamp.now.milliseconds
        let timer = DispatchSource.makeTimerSource(queue: .main)
        // The wall clock advances while the machine sleeps.
        timer.schedule(
            wallDeadline: .now() + .milliseconds(Int(milliseconds) + 1), leeway: .seconds(1))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.scheduleMidnight() }
        }
        midnight = timer
        timer.resume()
    }

    private func updateSize() {
        screen.resize()
        store.send(.session(.resized(screen.size)))
        scheduleDraw()
    }

    private func handle(_ keys: [Key]) {
        isHandlingKeys = true
        dispatcher.handle(keys)
        isHandlingKeys = false
        draw()
    }

    private func handle(signal: Int32) {
        switch signal {
        case SIGWINCH: updateSize()
        case SIGCONT: control.handleContinue()
        case SIGTSTP: store.send(.session(.suspendRequested))
        default: leave(bySignal: signal)
        }
    }

    /// Ends the program after a signal, without a question to the user. It saves as much as
    /// possible within five seconds, or less than one second if the terminal is gone. The remaining
    /// changes stay in the intent log.
    private func leave(bySignal signal: Int32) {
        // If the user types ^C or ^\ in the editor, the terminal sends the signal to all processes
        // in the group.
        if control.isEditing, signal == SIGINT || signal == SIGQUIT { return }
        let (timeout, rest) = signal == SIGHUP ? (0.7, 0.2) : (5, 1)
        let end = DispatchTime.now() + timeout
        // A closed terminal causes both a signal and the end of the input.
        guard end < saveDeadline else { return }
        control.isEnding = true
        if saveDeadline == .distantFuture {
            // The waiting keys would otherwise run while their subjects are being saved.
            dispatcher.dropAtEnd()
            Task { [store, control] in
                await control.endEditing()
                store.send(.leaving(.signalled(signal)))
            }
        }
        saveDeadline = end
        send(.flushTimedOut(signal), at: end)
        send(.overdue(signal), at: end + rest)
    }

    private func send(_ action: LeavingAction, at time: DispatchTime) {
        DispatchQueue.main.asyncAfter(deadline: time) { [store] in
            MainActor.assumeIsolated { store.send(.leaving(action)) }
        }
    }

    private func end(_ exit: Exit) -> Never {
        store.finish(exit)
        control.leave(exit)
    }

    /// Schedules a frame for the end of this turn or, while pages after the first are loading, for
    /// the next tick.
    private func scheduleDraw() {
        isStale = true
        guard !isDrawScheduled, !isHandlingKeys else { return }
        if store.state.list.loading != nil, let lastFrame,
            lastFrame.duration(to: .now) < Self.tickInterval, store.state.rows.count > 200
        {
            startTick()
            return
        }
        isDrawScheduled = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.drawIfStale() }
        }
    }

    /// Draws if the state has changed since the last frame.
    private func drawIfStale() {
        isDrawScheduled = false
        if isStale { draw() }
    }

    private func draw() {
        isStale = false
        guard !control.isTerminalLent else { return }
        let moment = Moment.now
        let canvas = ScreenView.canvas(
            of: store.state, keymap: keymap, at: moment, reusing: &drawnRows)
        screen.present(canvas)
        lastFrame = moment.monotonic
        let saving = store.state.saving
        let isSlow = saving.phase == .saving && !store.state.ui.marksUnsaved
        if saving.nextTry != nil || saving.flushDue != nil || isSlow { startTick() }
    }

    /// Reports a commit that has been in flight for three consecutive ticks.
    private func watchCommit() {
        let saving = store.state.saving
        guard saving.phase == .saving else { return commitTicks = (0, 0) }
        let ticks = commitTicks.batches == saving.counters.batches ? commitTicks.count + 1 : 1
        commitTicks = (saving.counters.batches, ticks)
        if ticks == 3 { store.send(.saving(.commitDelayed)) }
    }

    private func startTick() {
        guard tick == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .milliseconds(200), leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                self?.tick = nil
                self?.watchCommit()
                self?.draw()
            }
        }
        tick = timer
        timer.resume()
    }
}
