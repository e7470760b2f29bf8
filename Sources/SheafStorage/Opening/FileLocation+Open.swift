import SheafList

extension FileLocation: Location {
    package func openStorage(
        _ mode: OpenMode, timeout: Duration = .seconds(5)
    ) throws -> any ListStorage {
        if mode.createsStore { try checkName() }
        switch url.backend {
        case .sqlite:
            return try SQLiteStorage(
                store, mode: mode, openingTimeout: timeout, currentIdentity: currentIdentity)
        // Reading takes no lock.
        case .json: return try JSONStorage(store, mode: mode, currentIdentity: currentIdentity)
        }
    }

    package func openStorageLater(
        _ mode: OpenMode
    ) throws -> (storage: any ListStorage, obstacle: String?) {
        do {
            return (try openStorage(mode, timeout: .milliseconds(100)), nil)
        } catch let error as StorageError where error.code == .busy && url.backend == .sqlite {
            return (
                SQLiteStorage(later: store, mode: mode, currentIdentity: currentIdentity),
                error.reason
            )
        }
    }

    /// Opens the list as it is, for reading only and without waiting. Makes no file beside it.
    /// SQLite would make one for a list that another program has put in WAL mode.
    ///
    /// - Throws: `StorageError`, as ``openStorage(_:timeout:)`` does, and `.cannotOpen` for a list
    ///   in WAL mode.
    package func openUntouched() throws -> any ListStorage {
        if url.backend == .sqlite, try store.identity() != nil, try StoreHeader(of: store).isWAL {
            throw StorageError(
                .cannotOpen, at: store.location, reason: "another program has it open in WAL mode")
        }
        return try openStorage(.readOnly, timeout: .zero)
    }

    package func examine() async -> Diagnosis { Doctor.examine(self) }

    /// Checks that a missing list can be made at its path.
    ///
    /// - Throws: `.cannotOpen` if SQLite would treat the list as a part of another list, or another
    ///   file as a part of this one.
    func checkName() throws {
        guard try store.identity() == nil else { return }
        try SidecarFiles(of: store).checkOwnName()
        if url.backend == .sqlite { try SidecarFiles(of: store).checkAbsence() }
    }
}
