import SheafList
import SheafStorage
import Synchronization

/// A server whose lists lie in JSON files, and which can be stopped.
package final class FakeServer: Sendable {
    private let folder: String
    private let environment: [String: String]
    private let isStopped = Mutex(false)
    private let makesReaders = Mutex(false)

    /// - Parameters:
    ///   - folder: where the lists lie.
    ///   - environment: the variables that say where logs go.
    package init(in folder: String, environment: [String: String]) {
        self.folder = folder
        self.environment = environment
    }

    /// Lets no list be reached, or all.
    package func stop(_ isStopped: Bool = true) { self.isStopped.withLock { $0 = isStopped } }

    /// Lets lists be read only.
    package func makeReaders() { makesReaders.withLock { $0 = true } }

    /// The list that `url` names, after `list=`.
    package func location(_ url: String) throws -> any Location {
        guard let name = url.split(separator: "list=").dropFirst().first else {
            throw StoreURLError("the URL needs ?list=NAME")
        }
        let shown = Self.withoutPassword(url)
        let list = ServerList(
            url: shown, destination: shown, address: "me@db.example", environment: environment)
        // As if it had been reached before.
        let number = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 10_000 }
        list.found(
            ServerList.Identity(id: Fixtures.itemID(number), role: "me", database: "1 of 2"))
        return location(shown, of: String(name), on: list)
    }

    /// The location of the list `name`, to which `url` leads.
    package func location(_ url: String, of name: String, on list: ServerList) -> any Location {
        ListLocation(fake: self, listName: name, name: url, list: list)
    }

    /// Finds the lists of this server.
    package var locations: Locations.Servers { { url, _ in try self.location(url) } }

    /// The file of the list `name`.
    package func file(_ name: String) throws -> FileLocation {
        try FileLocation(StoreURL(.json, path: "\(folder)/\(name).json"), environment: [:])
    }

    private static func withoutPassword(_ url: String) -> String {
        guard let at = url.firstIndex(of: "@"), let start = url.firstRange(of: "://")?.upperBound,
            let colon = url[start..<at].firstIndex(of: ":")
        else { return url }
        return String(url[..<colon] + url[at...])
    }

    private struct ListLocation: Location {
        let fake: FakeServer
        let listName: String
        let name: String
        let list: ServerList

        var state: StateFolder? { list.state }
        var server: ServerList? { list }

        func openStorage(_ mode: OpenMode, timeout: Duration) throws -> any ListStorage {
            guard !fake.isStopped.withLock(\.self) else { throw failure }
            let mode = fake.makesReaders.withLock(\.self) ? .readOnly : mode
            return try fake.file(listName).openStorage(mode)
        }

        func openStorageLater(
            _ mode: OpenMode
        ) throws -> (storage: any ListStorage, obstacle: String?) {
            do {
                return (try openStorage(mode, timeout: .zero), nil)
            } catch let error as StorageError where error.code == .busy {
                return (MemoryStorage(mode: mode), error.reason)
            }
        }

        func examine() async -> Diagnosis {
            var diagnosis = Diagnosis()
            do {
                let storage = try openStorage(.readOnly, timeout: .zero)
                diagnosis.addCounts(
                    items: try await storage.itemCount(), tags: try await storage.loadTags().count,
                    views: try await storage.loadViews().count)
            } catch {
                diagnosis.add(error)
            }
            diagnosis.addRest(ofServerList: self)
            return diagnosis
        }

        private var failure: StorageError {
            StorageError(.busy, at: name, reason: "the server does not answer")
        }
    }
}
