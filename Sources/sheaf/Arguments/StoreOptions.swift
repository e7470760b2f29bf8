import ArgumentParser
import FoundationEssentials
import SheafList
import SheafPostgres
import SheafStorage

/// Which list a command is about.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The list: sqlite:PATH, json:PATH, a path, postgresql://HOST/DATABASE?list=NAME, or memory: for the screen alone (default: $XDG_DATA_HOME/sheaf/sheaf.sqlite).",
            valueName: "url"))
    var store: String?

    /// Where the list is.
    ///
    /// - Throws: `StoreURLError`, or `StorageError` if links lead in a circle.
    func place() throws -> Place {
        try Place(named: store)
    }

    /// The file of the list.
    ///
    /// - Parameter advice: what to do instead where the list is on a server.
    /// - Throws: as ``place()``, or ``CommandFailure`` if the list is in no file.
    func file(else advice: (_ server: Place) -> String) throws -> FilePlace {
        let place = try place()
        guard let file = place.file else {
            throw CommandFailure(.usage, "\(place.name): \(advice(place))")
        }
        return file
    }

    /// Opens the list; see ``Place/opening(_:)``.
    func open(_ mode: OpenMode) throws -> OpenList {
        try Place.making(mode) { try place() }.opening(mode)
    }

    /// Opens the list for the screen, which waits for nothing and says itself what there is to say.
    ///
    /// - Throws: as ``Place/opening(_:)``, but never `.busy`.
    func openForScreen(_ mode: OpenMode) throws -> OpenList {
        try Place.making(mode) {
            let place = try Place(named: store, allowsMemory: true)
            return try place.reportingUnsaved {
                try waiting { try await place.openForScreen(mode) }
            }
        }
    }
}

extension Place {
    /// Opens the list, first replays what processes showed that ended without saving it, and says
    /// so. The folder of a list that may be made is made with it.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` where a list cannot be made.
    func opening(_ mode: OpenMode) throws -> OpenList {
        let list = try Self.making(mode) {
            try reportingUnsaved { try waiting { try await open(mode) } }
        }
        if let notice = list.notice { Diagnostics.report(notice) }
        return list
    }

    /// Returns the result of `body`. If the list cannot be found, reports its unsaved changes: no
    /// command on it will save them.
    fileprivate func reportingUnsaved<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError where error.code == .notFound {
            for log in home.map(IntentLogs.all) ?? [] {
                guard case .changes(let batches, _) = log.content, !batches.isEmpty,
                    log.objection == nil
                else { continue }
                let changes = counted(LeftChanges.count(batches), "unsaved change")
                Diagnostics.report(
                    "\(log.path) holds \(changes) of this list. If the list has moved: sheaf restore"
                        + " \(ShellText.quoted(log.path)) --store LIST")
            }
            throw error
        }
    }

    /// The list that `body` opens or finds in `mode`. If a list in a file may be made, the failure
    /// to open it is the failure to make it; a list on a server is never made by opening it.
    static func making<T>(_ mode: OpenMode, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StorageError
            where mode.makes && [.cannotOpen, .readOnly].contains(error.code)
            && !PostgresURL.isOne(error.location)
        {
            throw CommandFailure(.cannotCreate, error.description)
        }
    }
}

extension FilePlace {
    /// Saves and reports the changes that interrupted sessions left, for a command that does not
    /// open the list itself. If the list cannot be opened, the command reports that.
    ///
    /// - Parameter addition: the end of the sentence about the saved changes.
    /// - Throws: `StorageError` of `.busy`.
    func saveLeft(adding addition: String = "") throws {
        let left = LeftLogs(for: home, isLooking: true, includesRefused: false)
        guard left.count > 0 || !left.content.unreadable.isEmpty else { return }
        do {
            let list = try waiting { try await Place.file(self).open(.readWrite) }
            if let notice = list.notice {
                // A notice of a failure is a sentence, to which nothing can be added.
                let isSentence = left.count == 0 || notice.hasSuffix(".")
                Diagnostics.report(isSentence ? notice : notice + addition)
            }
            try waiting { await list.storage.close() }
        } catch let error as StorageError where error.code != .busy {
            Diagnostics.report("Not recovered, but kept: \(error)")
        }
    }
}

extension OpenList {
    /// Makes the backup of the day before the list is written to, if one is due.
    func backUpDaily() {
        if let notice = place.file.flatMap(DailyBackups.init)?.makeOrReport() {
            Diagnostics.report("\(notice).")
        }
    }
}
