/// A counter of operations that have begun and not ended. Tasks can wait until it is zero.
@MainActor
final class DispatchScope {
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated init() {}

    func enter() { count += 1 }

    func leave() {
        count -= 1
        guard count == 0 else { return }
        let waiting = waiting
        self.waiting = []
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the count is zero.
    func ended() async {
        guard count > 0 else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
