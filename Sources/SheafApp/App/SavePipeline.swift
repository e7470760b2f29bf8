/// The way to storage, as far as effects ask something of it. ``AppStore`` sets its own.
@MainActor
public protocol SavePipeline: Sendable {
    /// Writes all that is pending; returns when it is committed or has failed.
    func flush() async
    /// Has what is not committed survive the loss of power, for the next start, and returns where
    /// it lies; throws an error whose description tells why not. Called again, it keeps what is not
    /// committed then.
    func keep() async throws -> String
    /// Checks again whether a list that could only be read can be written to.
    ///
    /// - Returns: whether it can since now.
    func reconsiderAccess() async -> Bool
    /// Ends the log, with the process.
    func end(_ rest: Exit.Rest)
}

/// No way to storage: reducers that are tested alone have it.
struct NoPipeline: SavePipeline {
    nonisolated init() {}

    func flush() async {}
    func keep() async throws -> String { throw NoLog() }
    func reconsiderAccess() async -> Bool { false }
    func end(_ rest: Exit.Rest) {}
}

/// There is no log to keep changes in.
struct NoLog: Error, CustomStringConvertible {
    var description: String { "there is no log to keep them in" }
}
