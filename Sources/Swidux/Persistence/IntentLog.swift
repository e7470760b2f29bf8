/// Keeps uncommitted changes where they survive a killed process: a write-ahead log.
///
/// ``PersistenceMiddleware`` appends the changes of every action before subscribers see the new
/// state. Appended changes must survive the end of the process, however sudden. They need not
/// survive the loss of power, so nothing is synced before ``keep(_:)``. The process that opens the
/// storage next adopts the log.
///
/// Source: C. Mohan et al., "ARIES: A Transaction Recovery Method" (1992). Only its redo is needed.
@MainActor
package protocol IntentLog<Changes> {
    /// The content of a record: all changes of one action.
    associatedtype Changes

    /// Appends the changes of one action as one record: whole, or not at all.
    ///
    /// `EntityChange.before` are those of ids that have no other change waiting.
    ///
    /// - Throws: if it could not be written. The pipeline then replaces the log by all that waits.
    ///   If that fails too, it says that nothing is saved, flushes at once, and tries again with
    ///   each action.
    func append(_ changes: Changes) throws

    /// Begins a group: the changes that are appended until ``groupEnded()`` belong to one command.
    /// A log that ends before that contains none of them.
    func groupBegan()

    /// All of the command has been appended.
    ///
    /// - Throws: if that could not be written. The pipeline then does as after ``append(_:)``.
    func groupEnded() throws

    /// Replaces all records by one, or by none if `changes` are empty, atomically. Never called
    /// between ``groupBegan()`` and ``groupEnded()``, but instead of the latter.
    ///
    /// For a log that has missed a change, and for one whose changes are no longer the pending
    /// ones, because they were reconciled with those of another process.
    ///
    /// - Throws: as ``append(_:)``; the log then keeps its content.
    func replace(with changes: Changes) throws

    /// Everything appended so far is being committed.
    ///
    /// - Throws: if the log could not be told; it is then replaced once the commit has ended.
    func handOver() throws

    /// Reports that the changes handed over are committed. The log need not keep them any longer.
    ///
    /// - Throws: as ``handOver()``.
    func committed() throws

    /// Makes `changes`, all that are not committed, survive the loss of power. The log stays open.
    ///
    /// - Returns: their location, for messages to the user.
    /// - Throws: an error if they cannot be kept.
    func keep(_ changes: Changes) async throws -> String

    /// Closes the log. Its content stays for the process that opens the storage next.
    func close()

    /// Closes the log and discards `changes`, those not committed, which may be none. Changes that
    /// an earlier process left stay.
    func close(givingUp changes: Changes)
}

extension IntentLog {
    /// Does nothing: a log without groups contains the changes that were appended of one.
    package func groupBegan() {}
    /// Nothing, as ``groupBegan()``.
    package func groupEnded() {}
}
