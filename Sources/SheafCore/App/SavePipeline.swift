/// The way to storage, as far as effects ask something of it. ``AppStore`` sets its own.
@MainActor
public protocol SavePipeline: Sendable {
    /// Writes all that is pending; returns when it is committed or has failed.
    func flush() async
    /// Keeps what is not committed for the next start, durably, and returns the words that say
    /// where; throws an error whose description tells why not. Called again, it keeps what is not
    /// committed then.
    func keep() async throws -> String
    /// What was kept is not needed, because the user stays.
    func withdraw() async
    /// Ends the log, with the process.
    func end(_ rest: Exit.Rest)
}

/// No way to storage: reducers that are tested alone have it.
struct NoPipeline: SavePipeline {
    nonisolated init() {}

    func flush() async {}
    func keep() async throws -> String { throw NoRescue() }
    func withdraw() async {}
    func end(_ rest: Exit.Rest) {}
}

/// How changes that storage does not take are written to a file elsewhere.
public struct Rescue: Sendable {
    /// Writes changes, in the place of what it wrote before, and returns the file's path.
    var write: @Sendable (StorageChanges) throws -> String
    /// Takes away what ``write`` wrote.
    var withdraw: @Sendable () -> Void

    public init(
        write: @escaping @Sendable (StorageChanges) throws -> String,
        withdraw: @escaping @Sendable () -> Void
    ) {
        self.write = write
        self.withdraw = withdraw
    }

    /// There is nowhere to write to.
    public static let none = Rescue(write: { _ in throw NoRescue() }, withdraw: {})
}

/// There is nowhere to rescue changes to.
struct NoRescue: Error, CustomStringConvertible {
    var description: String { "there is no folder for a rescue file" }
}
