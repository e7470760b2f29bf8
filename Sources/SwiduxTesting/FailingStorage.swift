import Swidux
import Testing

/// A storage that records its batches, and fails, refuses or waits on command.
///
/// ```swift
/// let storage = FailingStorage<Changes>()
/// let persistence = PersistencePipeline(
///     writers: writers, empty: { Changes() }, options: options
/// ) { try await storage.commit($0) }
/// storage.failNext()
/// ```
@MainActor
public final class FailingStorage<Changes: Sendable> {
    /// The error that commits throw on command.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        public var description: String

        /// Creates a failure that is shown as `description`.
        public init(_ description: String) { self.description = description }
    }

    /// The batches committed, in order.
    public private(set) var batches: [Changes] = []
    /// The number of attempted commits.
    public private(set) var attempts = 0
    /// The number of running commits.
    public private(set) var inFlight = 0
    /// The maximum number of commits that ran at the same time.
    public private(set) var maxInFlight = 0
    /// The ids to refuse, with reasons. Every commit refuses these rows.
    public var refusals: [Refusal] = []
    /// The result of successful commits, in addition to the refusals.
    public var result = CommitResult<Changes>()
    /// Called with every committed batch, before its commit returns. A test can use it to apply the
    /// batch to a model of the disk.
    public var onCommit: ((Changes) -> Void)?

    private var failures: [Failure] = []
    private var permanent: Failure?
    private var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []
    /// The counter of attempted commits.
    private let commits = Progress()
    private let timeout: Duration
    private let report: FailureHandler

    /// Creates a storage that commits everything.
    ///
    /// - Parameters:
    ///   - timeout: the real time without another commit after which
    ///     ``attempted(_:sourceLocation:)`` fails.
    ///   - report: the function that records failures of the test.
    public init(
        timeout: Duration = .seconds(10),
        onFailure report: @escaping FailureHandler = { Issue.record("\($0)", sourceLocation: $1) }
    ) {
        self.timeout = timeout
        self.report = report
    }

    /// Makes the next `count` commits fail.
    public func failNext(_ count: Int = 1, with description: String = "failed on command") {
        failures += Array(repeating: Failure(description), count: count)
    }

    /// Makes every commit fail until ``recover()``.
    public func fail(with description: String = "failed on command") {
        permanent = Failure(description)
    }

    /// Makes commits succeed again.
    public func recover() {
        permanent = nil
        failures = []
    }

    /// Makes commits wait from now on until ``release()``, including those that will fail.
    public func hold() { isHeld = true }

    /// Lets waiting commits continue. Later ones no longer wait.
    public func release() {
        isHeld = false
        let held = held
        self.held = []
        for continuation in held { continuation.resume() }
    }

    /// Returns once `count` commits have been attempted in all.
    ///
    /// Fails if the timeout passes without another commit before that.
    public func attempted(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        while attempts < count {
            guard await commits.next(after: attempts, within: timeout) else {
                return report(
                    "Fewer commits than \(count) were attempted: \(attempts), of which \(inFlight)"
                        + " are running. Advance the clock of the pipeline, or flush it.",
                    sourceLocation)
            }
        }
    }

    /// Records `changes` as committed, or fails or waits on command.
    public func commit(_ changes: Changes) async throws -> CommitResult<Changes> {
        attempts += 1
        inFlight += 1
        maxInFlight = max(maxInFlight, inFlight)
        defer { inFlight -= 1 }
        commits.record()
        if isHeld { await withCheckedContinuation { held.append($0) } }
        if let permanent { throw permanent }
        if !failures.isEmpty { throw failures.removeFirst() }
        batches.append(changes)
        onCommit?(changes)
        var result = result
        result.refused += refusals
        return result
    }
}
