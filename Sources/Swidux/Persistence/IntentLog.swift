/// A write-ahead log, which keeps uncommitted changes if the process is killed.
///
/// ``PersistencePipeline`` appends the changes of every action before subscribers see the new
/// state. Appended changes must survive any end of the process. They need not survive a loss of
/// power, so only ``keep(_:)`` syncs the file. The next process that opens the storage adopts the
/// log.
///
/// Source: C. Mohan et al., "ARIES: A Transaction Recovery Method" (1992). Only the redo part is
/// needed.
@MainActor
package protocol IntentLog<Changes> {
    /// The content of a record: all changes of one action.
    associatedtype Changes

    /// Appends the changes of one action as one record: whole, or not at all.
    ///
    /// A change has its `EntityChange.before` only if no other change of the entity is waiting.
    ///
    /// - Throws: an error if the record could not be written. The pipeline then replaces the log
    ///   with all waiting changes. If that fails too, the pipeline reports that changes are not
    ///   saved, flushes at once, and tries to replace the log again after each action.
    func append(_ changes: Changes) throws

    /// Begins a group: the changes that are appended until ``groupEnded()`` belong to one command.
    /// A reader of a log that ends within a group must ignore that group.
    func groupBegan()

    /// Ends the group: all changes of the command have been appended.
    ///
    /// - Throws: an error if the end could not be written. The pipeline then replaces the log, as
    ///   after ``append(_:)``.
    func groupEnded() throws

    /// Atomically replaces all records with one record, or with none if `changes` are empty. Never
    /// called within a group, but it may be called in place of ``groupEnded()``.
    ///
    /// The pipeline replaces a log that lacks a change, and a log whose changes are out of date
    /// because pending changes were reconciled with those of another process.
    ///
    /// - Throws: an error if the log could not be written, which then keeps its content.
    func replace(with changes: Changes) throws

    /// Reports that everything appended so far is being committed.
    ///
    /// - Throws: an error if the log could not record this. The pipeline then replaces the log
    ///   after the commit.
    func handOver() throws

    /// Reports that the changes handed over are committed. The log need not keep them any longer.
    ///
    /// - Throws: as ``handOver()``.
    func committed() throws

    /// Makes `changes`, which are all uncommitted ones, survive a loss of power. The log stays
    /// open.
    ///
    /// - Returns: their location, for messages to the user.
    /// - Throws: an error if they cannot be kept.
    func keep(_ changes: Changes) async throws -> String

    /// Closes the log. Its content stays for the next process that opens the storage.
    func close()

    /// Closes the log and discards `changes`, which are all uncommitted ones. Changes from an
    /// earlier process stay in the log.
    func close(givingUp changes: Changes)
}

extension IntentLog {
    /// Does nothing. A log without groups keeps the changes of an incomplete command.
    package func groupBegan() {}
    /// Does nothing, like ``groupBegan()``.
    package func groupEnded() {}
}
