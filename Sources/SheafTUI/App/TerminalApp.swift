import CPlatform
import Dispatch
import Glibc
import SheafApp
import Terminal

/// The event loop: keys and signals in, one frame a turn out.
///
/// Everything runs on the main queue, which is served on the main thread. A frame is drawn at once
/// after keys, and at the end of the turn after anything else. One timer waits for midnight;
/// another exists only while a countdown shows.
@MainActor
public final class TerminalApp {
    private let store: AppStore
    private let screen: any Screen
    private let input: TerminalInput
    private let control: ScreenControl
    private let keymap: Keymap
    private let dispatcher: KeyDispatcher
    private var signals: SignalSources?
    private var subscription: Subscription?
    /// Whether the state has changed since the last frame.
    private var isStale = false
    private var isDrawScheduled = false
    /// While keys are handled, after which a frame is drawn.
    private var isHandlingKeys = false
    private var lastFrame: ContinuousClock.Instant?
    private var drawnRows = DrawnRows()
    private var tick: DispatchSourceTimer?
    private var midnight: DispatchSourceTimer?
    /// The number of consecutive ticks during one commit that follows many others.
    private var commitTicks = (batches: 0, count: 0)
    private var reportsMouse = false
    /// Whether a bulk command has left memory behind.
    private var holdsMemory = false
    /// Until when storage is waited for, once a signal has asked the program to end.
    private var endOfPatience = DispatchTime.distantFuture

    /// A countdown, and the progress of a load, are drawn five times a second.
    private static let tickInterval = Duration.milliseconds(200)

    public init(
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

    /// Takes over the terminal and the process: returns never, but ends with `exit` when the user
    /// leaves. Keys are read as `loop` tells.
    public func run(on loop: MainLoop) -> Never {
        // The C library raises this size with every larger block that it frees, and would keep the
        // memory of a sort of a long list.
        mallopt(M_MMAP_THRESHOLD, 1 << 19)
        // Without a fixed size, the memory of a frame would return to the system after each one. A
        // larger size would keep more in each thread's part of the heap.
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        switchMouse(store.state, isStart: true)
        subscription = store.subscribe { [weak self] state in
            if let exit = state.leaving.exit { self?.end(exit) }
            self?.noteBulk(state)
            self?.switchMouse(state)
            self?.scheduleDraw()
        }
        control.attach(screen: screen, input: input) { [weak self] in self?.takeSize() }
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
        takeSize()
        watchDay()
        Task { [store] in
            await store.load()
            Self.giveMemoryBack()
        }
        loop.run()
    }

    /// Returns the memory of reading or a bulk command to the system: at 100,000 items a sixth of
    /// the program's memory.
    private static func giveMemoryBack() {
        DispatchQueue.global(qos: .utility).async { _ = malloc_trim(0) }
    }

    /// After a bulk command memory is given back once that is saved: its changes are held till
    /// then.
    private func noteBulk(_ state: AppState) {
        if state.ui.bulk != nil {
            holdsMemory = true
        } else if holdsMemory, state.saving.phase == .saved {
            holdsMemory = false
            Self.giveMemoryBack()
        }
    }

    /// Has the terminal report the mouse if the state wants it.
    private func switchMouse(_ state: AppState, isStart: Bool = false) {
        guard state.ui.mouse.isOn != reportsMouse else { return }
        reportsMouse = screen.setMouse(state.ui.mouse.isOn)
        if state.ui.mouse.isOn, !reportsMouse {
            store.send(.mouse(.missing(isAnswer: !isStart)))
        }
    }

    /// Tells the state of each new day at midnight, so that an idle screen shows it.
    private func watchDay() {
        let calendar = LocalCalendar.system
        let today = calendar.day(.now)
        store.send(.session(.dayBegan(today)))
        guard let next = today.adding(days: 1) else { return }
        let milliseconds = calendar.start(next).milliseconds - Timestamp.now.milliseconds
        let timer = DispatchSource.makeTimerSource(queue: .main)
        // The wall clock goes on while the machine sleeps.
        timer.schedule(
            wallDeadline: .now() + .milliseconds(Int(milliseconds) + 1), leeway: .seconds(1))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.watchDay() } }
        midnight = timer
        timer.resume()
    }

    private func takeSize() {
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
        case SIGWINCH: takeSize()
        case SIGCONT: control.continued()
        case SIGTSTP: store.send(.session(.suspendRequested))
        default: leave(bySignal: signal)
        }
    }

    /// Leaves without a question, because no user can answer one: saves for up to five seconds,
    /// less than one if the terminal is gone, and keeps the rest.
    private func leave(bySignal signal: Int32) {
        // Typed to the editor, these two go to all who have the terminal.
        if control.isEditing, signal == SIGINT || signal == SIGQUIT { return }
        let (patience, rest) = signal == SIGHUP ? (0.7, 0.2) : (5, 1)
        let end = DispatchTime.now() + patience
        // A terminal that closes sends a signal and ends its input.
        guard end < endOfPatience else { return }
        control.isEnding = true
        if endOfPatience == .distantFuture {
            // They would act while the changes are being saved.
            dispatcher.abandon()
            Task { [store, control] in
                await control.endEditing()
                store.send(.leaving(.signalled(signal)))
            }
        }
        endOfPatience = end
        send(.patienceEnded(signal), at: end)
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

    /// Draws at the end of this turn; while a page after the first is loading, at the next tick.
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

    /// Draws unless keys of this turn have already drawn.
    private func drawIfStale() {
        isDrawScheduled = false
        if isStale { draw() }
    }

    private func draw() {
        isStale = false
        guard !control.isAway else { return }
        let moment = Moment.now
        let canvas = Screenful.canvas(
            of: store.state, keymap: keymap, at: moment, reusing: &drawnRows)
        screen.present(canvas)
        lastFrame = moment.monotonic
        let saving = store.state.saving
        let isSlow = saving.phase == .saving && !store.state.ui.marksUnsaved
        if saving.nextTry != nil || saving.flushDue != nil || isSlow { startTick() }
    }

    /// Tells of a commit that is in flight at the third tick in a row.
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
