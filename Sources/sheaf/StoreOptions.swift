import ArgumentParser
import Foundation
import SheafCore
import SheafStorage

/// Which list a command is about.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The list: sqlite:PATH, json:PATH, or a path (default: $XDG_DATA_HOME/sheaf/sheaf.sqlite).",
            valueName: "url"))
    var store: String?

    /// Where the list is.
    ///
    /// - Throws: `StoreURLError`.
    func url() throws -> StoreURL {
        let environment = ProcessInfo.processInfo.environment
        guard let store else { return try .standard(environment: environment) }
        return try StoreURL(store, home: environment["HOME"])
    }

    /// Opens the list. The folder of a list that may be made is made with it.
    ///
    /// - Throws: `StoreURLError`, `StorageError`, or ``CommandFailure`` where a list cannot be made.
    func open(_ mode: OpenMode) throws -> any ListStorage {
        let url = try url()
        do {
            return try openStorage(url, mode: mode)
        } catch let error as StorageError
            where mode == .readWriteCreate && [.cannotOpen, .readOnly].contains(error.code)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }

    /// Makes the backup of the day before the list is written to, if one is due. Failing to is no reason to stop:
    /// `sheaf doctor` tells.
    func backUpDaily() {
        do {
            let environment = ProcessInfo.processInfo.environment
            try DailyBackups(of: try url(), environment: environment)?.makeIfDue()
        } catch {
            return
        }
    }
}
