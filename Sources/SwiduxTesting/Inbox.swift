import Swidux
import Synchronization

/// The actions that effects and other senders have sent and the test has not received, and the
/// running effects.
@MainActor
final class Inbox<Action> {
    /// The actions in the order in which they came. A report of storage is nil, and becomes an
    /// action when the test receives it.
    private(set) var actions: [Action?] = []
    /// The counter of events: new actions, and ends of effects.
    let progress = Progress()
    /// True if an effect has begun or an action has come since the last `finish`.
    let isUnfinished = Mutex(false)

    private var running: [Int: (cause: Action, run: EffectRun)] = [:]
    private var lastNumber = 0

    var isRunning: Bool { !running.isEmpty }

    /// Descriptions of the running effects, oldest first: the actions that started them, and how
    /// long they sleep.
    var runningEffects: [String] {
        running.sorted { $0.key < $1.key }.map { "\($0.value.cause)\($0.value.run.description)" }
    }

    /// Returns an effect that runs `effect` and keeps the actions that it sends.
    func collecting(_ effect: @escaping Effect<Action>, of cause: Action) -> Effect<Action>
    where Action: Sendable {
        lastNumber += 1
        let (number, run) = (lastNumber, EffectRun())
        running[number] = (cause, run)
        isUnfinished.withLock { $0 = true }
        return { _ in await self.run(effect, number, run) }
    }

    /// Runs `effect` on the main actor, so that it begins within the `send` of its action.
    private func run(_ effect: @escaping Effect<Action>, _ number: Int, _ run: EffectRun) async
    where Action: Sendable {
        await EffectRun.$current.withValue(run) {
            await effect { self.append($0) }
        }
        end(number)
    }

    func append(_ action: Action?) {
        actions.append(action)
        isUnfinished.withLock { $0 = true }
        progress.record()
    }

    func removeFirst() -> Action? { actions.removeFirst() }

    private func end(_ number: Int) {
        running[number] = nil
        progress.record()
    }
}
