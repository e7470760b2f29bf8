import SheafList

/// Where a list on a server lives.
///
/// What speaks to the server conforms to it. Logs, rescue files and the remembered view of such a
/// list are found through its ``home``, and no part of this module knows the protocol.
public protocol ServerPlace: Sendable {
    /// What belongs to the list on this machine. No password may be in it.
    var home: ListHome { get }

    /// Opens the list as it is, and recovers nothing. It may wait, so it is not called on the main
    /// thread.
    ///
    /// - Parameter patience: how long the server, and locks there, are waited for.
    /// - Throws: `StorageError`, with advice where there is any: `.notFound` if there is no such
    ///   list and `mode` makes none, `.busy` if another try may succeed. Without a password in its
    ///   texts.
    func openStorage(_ mode: OpenMode, patience: Duration) throws -> any ListStorage

    /// The same without waiting: a server that cannot be reached is no failure. The storage then
    /// opens the list with the first call that reaches it, and those before it throw.
    ///
    /// - Returns: the storage, and what it waits for, as `StorageError/reason` has it.
    /// - Throws: `StorageError` for what no waiting mends.
    func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?)

    /// Examines the list and its server, without writing there. `sheaf doctor` adds the logs and
    /// rescue files on this machine.
    func examine() async -> Diagnosis
}

/// Finds the list on a server that a URL names.
///
/// - Throws: ``StoreURLError`` if the URL names none.
public typealias ServerPlaces =
    @Sendable (_ url: String, _ environment: [String: String]) throws -> any ServerPlace
