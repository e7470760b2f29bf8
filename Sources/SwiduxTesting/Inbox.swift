/// The actions that effects have sent and the test has not received, and the running effects.
@MainActor
final class Inbox<Action> {
    private(set) var actions: [Action] = []
    /// The running effects by the actions that started them.
    private(set) var running: [Int: Action] = [:]
    private var lastNumber = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin(_ cause: Action) -> Int {
        lastNumber += 1
        running[lastNumber] = cause
        return lastNumber
    }

    func end(_ number: Int) {
        running[number] = nil
        wake()
    }

    func append(_ action: Action) {
        actions.append(action)
        wake()
    }

    /// The oldest action, waited for while an effect runs that may send one; nil once none does.
    func next() async -> Action? {
        while actions.isEmpty {
            guard !running.isEmpty else { return nil }
            await withCheckedContinuation { waiting.append($0) }
        }
        return actions.removeFirst()
    }

    private func wake() {
        let waiting = waiting
        self.waiting = []
        for continuation in waiting { continuation.resume() }
    }
}
