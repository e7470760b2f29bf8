import SheafList

/// Opens the store at `place` as it is, without recovering anything. It can be slow (it waits for
/// locks and undoes interrupted writes), so call it before the screen opens or in the background.
///
/// A store that cannot be written to (a read-only file, folder or mount) opens all the same, with a
/// `readOnlyReason`. A file that is corrupt, foreign, newer or empty is left as it is, byte for
/// byte.
///
/// - Parameter patience: how long another process's lock is waited for while it is opened.
/// - Throws: `StorageError`, with advice where there is any: `.notFound` for a missing store unless
///   it may be made, `.cannotOpen`, `.foreign`, `.corrupt`, `.newer`, `.busy`, `.io`.
public func openStorage(
    _ place: FilePlace, mode: OpenMode, patience: Duration = .seconds(5)
) throws -> any ListStorage {
    if mode.makes { try place.checkName() }
    switch place.url.backend {
    case .sqlite:
        return try SQLiteStorage(
            place.file, mode: mode, openingTimeout: patience, sample: place.sample)
    // Reading takes no lock.
    case .json: return try JSONStorage(place.file, mode: mode, sample: place.sample)
    }
}

/// The same, but a store that another process has locked is opened by the calls that need it.
///
/// - Returns: the storage, and what it waits for.
/// - Throws: as ``openStorage(_:mode:patience:)``, but never `.busy`.
func openStorageLater(
    _ place: FilePlace, mode: OpenMode
) throws -> (any ListStorage, obstacle: String?) {
    do {
        return (try openStorage(place, mode: mode, patience: .milliseconds(100)), nil)
    } catch let error as StorageError where error.code == .busy && place.url.backend == .sqlite {
        return (SQLiteStorage(later: place.file, mode: mode, sample: place.sample), error.reason)
    }
}

extension FilePlace {
    /// Makes sure that a list that is missing can be made there.
    ///
    /// - Throws: `.cannotOpen` if SQLite would take the list for a part of another one, or another
    ///   file for a part of it.
    func checkName() throws {
        guard try file.identity() == nil else { return }
        try Companions(of: file).checkOwnName()
        if url.backend == .sqlite { try Companions(of: file).checkAbsence() }
    }
}
