import Dispatch
import Glibc
import SheafList
import Synchronization

/// A storage whose writes are slow or fail on purpose, to show that no change is lost. The options
/// `--slow-writes` and `--fail-writes` wrap the real storage in it.
///
/// Reads pass through. A failed write changes nothing.
package final class FaultyStorage: ForwardingStorage {
    let base: any ListStorage
    private let delay: Duration
    private let failureProbability: Double
    private let generator: Mutex<SplitMix64>

    /// Wraps a storage.
    ///
    /// - Parameters:
    ///   - base: the wrapped storage.
    ///   - delay: the time that every commit waits before it begins.
    ///   - failureProbability: the probability that a commit fails, from 0 to 1.
    ///   - seed: the seed of the random numbers. Equal seeds make the same commits fail.
    package init(
        _ base: any ListStorage, delay: Duration = .zero, failureProbability: Double = 0,
        seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.base = base
        self.delay = delay
        self.failureProbability = failureProbability
        self.generator = Mutex(SplitMix64(seed: seed))
    }

    /// Waits, then commits or fails with `.injected`.
    package func commit(_ changes: StorageChanges) async throws -> CommitResult {
        try await injectFault()
        return try await base.commit(changes)
    }

    private func injectFault() async throws {
        await wait()
        let fails = generator.withLock { generator in
            Double.random(in: 0..<1, using: &generator) < failureProbability
        }
        guard !fails else {
            throw StorageError(.injected, at: displayName, reason: "write failed on purpose")
        }
    }

    /// Waits on a timer rather than with `Task.sleep`, which a cancelled task would cut short.
    private func wait() async {
        guard delay > .zero else { return }
        let (seconds, attoseconds) = delay.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + interval) {
                continuation.resume()
            }
        }
    }
}
