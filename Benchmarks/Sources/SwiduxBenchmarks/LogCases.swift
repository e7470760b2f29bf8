import Foundation
import SheafList
import SheafStorage
import Swidux

/// An intent log to which records are appended, as Sheaf does before it paints an edit.
@MainActor
private final class Logging {
    private let log: IntentLogFile
    private let folder: URL
    private let id = UUID()
    private var next = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "intents-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = StoreURL(.sqlite, path: folder.path + "/list.sqlite")
        let location = try FileLocation(url, environment: [:])
        guard let log = IntentLogFile(for: location) else {
            throw StorageError(.cannotOpen, at: url.path, reason: "there is no place for a log")
        }
        self.log = log
    }

    isolated deinit {
        log.close(givingUp: StorageChanges())
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("cannot remove \(folder.path): \(error)")
        }
    }

    private func rename() -> StorageChanges {
        next += 1
        let rank = Rank.between(nil, nil)
        let time = Timestamp.now
        let base = Item(id: id, name: "Thinking in Systems", rank: rank, createdAt: time)
        var item = base
        item.name = "Thinking in Systems, edition \(next)"
        var changes = StorageChanges()
        changes.items.replace(base, with: item)
        return changes
    }

    /// Appends one record for each edit, and commits after every `edits` edits. 1 corresponds to
    /// typing with pauses longer than the debounce time, a greater number to fast typing.
    func workload(committingEvery edits: Int) -> Workload {
        Workload(count: 250) { count in
            for number in 0..<count {
                do {
                    try self.log.append(self.rename())
                    guard number % edits == edits - 1 else { continue }
                    try self.log.handOver()
                    try self.log.committed()
                } catch {
                    preconditionFailure("the log cannot be written: \(error)")
                }
            }
        }
    }
}

extension Case {
    static var logs: [Case] {
        [
            Case(name: "intent log: a rename", budget: .log) { _ in
                [logging(committingEvery: 50)]
            },
            Case(name: "intent log: a rename, and its commit") { _ in
                [logging(committingEvery: 1)]
            },
        ]
    }

    private static func logging(committingEvery edits: Int) -> Workload {
        do {
            return try Logging().workload(committingEvery: edits)
        } catch {
            preconditionFailure("no folder for the log: \(error)")
        }
    }
}
