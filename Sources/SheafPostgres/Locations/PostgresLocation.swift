import Glibc
import SheafList
import SheafStorage

/// The location of a list on a PostgreSQL server.
package struct PostgresLocation: Location {
    let url: PostgresURL
    private let list: ServerList

    /// - Throws: `StoreURLError` if `text` is not the URL of a list on a server, or has a password,
    ///   or if a parameter of the connection is invalid.
    package init(_ text: String, environment: [String: String]) throws {
        url = try PostgresURL(text, environment: environment)
        list = ServerList(
            url: url.identity, destination: try PostgresConnection.destination(of: url),
            address: try PostgresConnection.address(of: url), environment: environment)
    }

    package var name: String { url.description }
    package var state: StateFolder? { list.state }
    package var server: ServerList? { list }

    /// Opens the list, and retries while the server reports that it is starting, recovering or
    /// stopping. Does not wait for a server that does not answer, because it may be down for a long
    /// time.
    package func openStorage(_ mode: OpenMode, timeout: Duration) throws -> any ListStorage {
        let end = ContinuousClock.now + timeout
        while true {
            do {
                return try PostgresStorage(url, at: list, mode: mode)
            } catch let error as StorageError where Self.isPassing(error) && .now < end {
                usleep(100_000)
            }
        }
    }

    private static func isPassing(_ error: StorageError) -> Bool {
        error.code == .busy && error.reason.hasPrefix("the database system is ")
    }

    package func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?) {
        let storage = PostgresStorage(later: url, at: list, mode: mode)
        do {
            if try storage.connect(within: Self.shortWait) { return (storage, nil) }
            list.bind()
            return (storage, Self.waiting)
        } catch let error where error.code == .busy {
            list.bind()
            return (storage, error.reason)
        }
    }

    /// The maximum time to wait for a connection before the screen appears.
    private static let shortWait = Duration.milliseconds(1_500)
    private static let waiting = "connecting to the server"

    package func examine() async -> Diagnosis {
        var diagnosis = await PostgresExamination(of: url, at: list).run()
        diagnosis.addRest(ofServerList: self)
        return diagnosis
    }
}
