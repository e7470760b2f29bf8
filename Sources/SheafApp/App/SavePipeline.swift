/// The operations on storage that effects use. ``AppStore`` provides them.
@MainActor
package protocol SavePipeline: Sendable {
    /// Commits all pending changes, and repeats commits that the list lacks because another program
    /// has replaced its file. Returns when that has succeeded or failed.
    func flush() async
    /// Stores uncommitted changes for the next start, so that they survive a loss of power, and
    /// returns the path of the log. A second call keeps the changes that are uncommitted at that
    /// time. Throws an error whose description gives the reason for a failure.
    func keep() async throws -> String
    /// Checks again whether a read-only list has become writable.
    ///
    /// - Returns: True if the list is writable.
    func recheckAccess() async -> Bool
    /// Ends the log, before the process ends.
    func end(_ unsavedChanges: Exit.UnsavedChanges)
}

/// A pipeline without storage, for tests of reducers.
struct NoPipeline: SavePipeline {
    nonisolated init() {}

    func flush() async {}
    func keep() async throws -> String { throw NoLog() }
    func recheckAccess() async -> Bool { false }
    func end(_ unsavedChanges: Exit.UnsavedChanges) {}
}

/// The error that is thrown if there is no log in which to keep changes.
struct NoLog: Error, CustomStringConvertible {
    var description: String { "there is no log to keep them in" }
}
