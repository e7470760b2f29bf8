import SheafCore
import SheafStorage

/// A list on a PostgreSQL server, and what belongs to it on this machine.
public struct PostgresPlace: ServerPlace {
    public let home: ListHome
    let url: PostgresURL

    /// - Throws: `StoreURLError` if `text` names no list on a server, or has a password.
    public init(_ text: String, environment: [String: String]) throws {
        url = try PostgresURL(text, environment: environment)
        home = ListHome(
            server: url.description, identity: url.identity, environment: environment)
    }

    public func openStorage(_ mode: OpenMode, patience: Duration) throws -> any ListStorage {
        try PostgresStorage(url, mode: mode)
    }

    public func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?) {
        let storage = PostgresStorage(later: url, mode: mode)
        do {
            return (storage, try storage.connect(within: Self.shortWait) ? nil : Self.waiting)
        } catch let error where error.code == .busy {
            return (storage, error.reason)
        }
    }

    /// Nobody looks at an empty terminal for longer.
    private static let shortWait = Duration.milliseconds(1_500)
    private static let waiting = "connecting to the server"

    public func examine() async -> Diagnosis {
        await PostgresExamination(of: url).run()
    }
}
