/// Keeps changes that are not committed yet where a killed process does not take them along: a
/// write-ahead log.
///
/// ``PersistenceMiddleware`` appends what every action changed before anybody is told of the new
/// state. What was appended has to survive the end of the process, however sudden; the loss of
/// power it need not, so nothing is synced before ``keep(_:)``. Whoever opens the storage next
/// takes in what is left.
///
/// Source: C. Mohan et al., "ARIES: A Transaction Recovery Method" (1992), of which only redo is
/// needed.
@MainActor
package protocol IntentLog<Changes> {
    /// What is kept: all changes of one action.
    associatedtype Changes

    /// Appends the changes of one action as one record: whole, or not at all.
    ///
    /// ``EntityChange/before`` are those of ids that have no other change waiting.
    ///
    /// - Throws: if it could not be written. The pipeline then replaces the log by all that waits.
    ///   If that fails too, it says that nothing is saved, flushes at once, and tries again with
    ///   each action.
    func append(_ changes: Changes) throws

    /// What is appended from now on belongs to one command, until ``groupEnded()``: a log that ends
    /// before that holds none of it.
    func groupBegan()

    /// All of the command has been appended.
    ///
    /// - Throws: if that could not be written. The pipeline then does as after ``append(_:)``.
    func groupEnded() throws

    /// Replaces all records by one, or by none if `changes` are empty, at once: the old ones or the
    /// new one are kept. Never between ``groupBegan()`` and ``groupEnded()``, but instead of the
    /// latter.
    ///
    /// For a log that has missed something, and for one whose changes are no longer those that
    /// wait, because they were brought together with what another process wrote.
    ///
    /// - Throws: as ``append(_:)``; what was in the log stays.
    func replace(with changes: Changes) throws

    /// Everything appended so far is being committed.
    ///
    /// - Throws: if the log could not be told; it is then replaced once the commit has ended.
    func handOver() throws

    /// What was handed over is committed, and need not be kept any longer.
    ///
    /// - Throws: as ``handOver()``.
    func committed() throws

    /// Has `changes`, all that is not committed, survive the loss of power. The log goes on.
    ///
    /// - Returns: where they are, for whoever opens the storage next.
    /// - Throws: if they cannot be kept.
    func keep(_ changes: Changes) async throws -> String

    /// Ends the log with what is in it, which stays for whoever opens the storage next.
    func close()

    /// Ends the log. `changes` are those not committed, none if all are; they are given up, except
    /// for what an earlier process left.
    func close(givingUp changes: Changes)
}

extension IntentLog {
    /// Nothing: a log that knows no groups holds what was appended of one.
    package func groupBegan() {}
    /// Nothing, as ``groupBegan()``.
    package func groupEnded() {}
}
