import Glibc
import SheafList
import SwiduxFiles

/// A list that is about to be replaced, kept under another name with all that belongs to it.
struct SetAside {
    /// What separates the list's name from a number.
    static let mark = StoreFile.restoreMark

    /// Where it is.
    let path: String
    /// Where the intent logs are now that came with it.
    private(set) var logs: [String] = []

    private let store: StoreFile
    private var moved: [(old: String, new: String)] = []

    /// Gives the list a second name. Its own stays in use throughout, where the file system has
    /// hard links.
    ///
    /// - Parameter staying: whether the intent log at a path keeps its place.
    /// - Throws: `StorageError`; then every file has its old name.
    init(
        _ store: StoreFile, state: StateFolder?, staying: (_ path: String) -> Bool
    ) throws {
        self.store = store
        path = try Self.rename(store)
        do {
            try moveCompanions(state, staying)
        } catch {
            undo()
            throw error
        }
    }

    private static func rename(_ store: StoreFile) throws -> String {
        var number = 1
        while true {
            let aside = "\(store.path)\(mark)\(number)"
            do throws(SystemError) {
                if try NewName.give(aside, to: store.path) { return aside }
            } catch {
                throw FileFailure.transferring(error.number, at: store.location)
            }
            number += 1
        }
    }

    /// Files of the old list must not be played into the new one: SQLite's journals, and the logs
    /// of processes that have ended.
    private mutating func moveCompanions(
        _ state: StateFolder?, _ staying: (String) -> Bool
    ) throws {
        var moves = Companions.suffixes.map { (store.path + $0, path + $0) }
        let logs = IntentFiles(of: store, state: state)
        let asideLogs = IntentFiles(of: try StoreFile(named: path), state: state)
        for (home, log) in logs.logs() where !staying(log) {
            guard let new = asideLogs.newPath(in: home) else { continue }
            // Before the log itself: alone it is never taken in.
            moves += [(log + "-wal", new + "-wal"), (log, new)]
            self.logs.append(new)
        }
        for (old, new) in moves {
            if Glibc.rename(old, new) == 0 {
                moved.append((old, new))
            } else if errno != ENOENT {
                throw StorageError(
                    .cannotOpen, at: store.location,
                    reason: "\(old.lastPathName) beside it cannot be set aside"
                        + " (\(FileFailure.words(for: errno)))",
                    advice: "Restore the backup to another path with --store.")
            }
        }
    }

    /// Gives every file its old name, unless another list has the name by now: then all stay
    /// together.
    func undo() {
        var kept = stat()
        var present = stat()
        guard lstat(path, &kept) == 0 else { return }
        let isThere = lstat(store.path, &present) == 0
        guard
            isThere
                ? (present.st_dev, present.st_ino) == (kept.st_dev, kept.st_ino) : errno == ENOENT
        else { return }
        for (old, new) in moved.reversed() { Glibc.rename(new, old) }
        if isThere {
            unlink(path)
        } else {
            Glibc.rename(path, store.path)
        }
    }
}
