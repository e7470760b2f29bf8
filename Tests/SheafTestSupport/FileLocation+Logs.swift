import SheafList
import SheafStorage

extension FileLocation {
    /// An intent log of the list: beside a file there is always room for one.
    @MainActor
    package func newLog() throws -> IntentLogFile {
        guard let log = IntentLogFile(for: self) else {
            throw StorageError(.cannotOpen, at: url.path, reason: "there is nowhere to keep a log")
        }
        return log
    }

    /// Leaves a log of `changes`, as a process that has ended in order.
    @MainActor
    package func leaveLog(_ changes: StorageChanges) throws {
        let log = try newLog()
        try log.append(changes)
        log.close()
    }
}

extension Doctor {
    /// Examines the list at `url`, also where links lead in a circle.
    package static func examine(_ url: StoreURL, environment: [String: String]) -> Diagnosis {
        do {
            return examine(try FileLocation(url, environment: environment))
        } catch {
            var diagnosis = Diagnosis()
            diagnosis.add(error)
            return diagnosis
        }
    }
}
