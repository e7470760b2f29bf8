import SheafList
import Swidux

/// A log in memory, which remembers how it was ended and fails or waits on command.
@MainActor
final class FakeLog: ListLog {
    var isSuspended = false
    /// Why nothing can be kept, or nil if it can.
    var obstacle: String?
    /// Called while changes are being kept.
    var whenKeeping: () async -> Void = {}
    /// The changes that interrupted sessions left.
    var abandonedBatches: [StorageChanges] = []
    /// The changes that were kept last.
    private(set) var kept: StorageChanges?
    /// The content of the log at its end, nil before that.
    private(set) var rest: Rest?

    enum Rest: Equatable { case left, givenUp }

    func append(_ changes: StorageChanges) {}
    func replace(with changes: StorageChanges) {}
    func handOver() {}
    func committed() {}

    func keep(_ changes: StorageChanges) async throws -> String {
        if let obstacle { throw StorageError(.io, at: "/a folder", reason: obstacle) }
        await whenKeeping()
        kept = changes
        return "/a folder/log"
    }

    func close() { rest = .left }
    func close(givingUp changes: StorageChanges) { rest = .givenUp }

    func countAbandoned() async -> Int { AbandonedChanges.count(abandonedBatches) }
    func abandoned() async -> AbandonedLogContent { AbandonedLogContent(batches: abandonedBatches) }
    func adopt(_ body: () -> Void) { body() }
}
