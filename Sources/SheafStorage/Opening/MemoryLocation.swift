import SheafList

/// The location of a list in memory, for trying the screen. The program writes nothing to disk for
/// it.
public struct MemoryLocation: Location {
    public let name = "memory:"
    public let state: StateFolder? = nil

    public func openStorage(_ mode: OpenMode, patience: Duration) -> any ListStorage {
        MemoryStorage(mode: mode)
    }

    public func openStorageLater(
        _ mode: OpenMode
    ) -> (storage: any ListStorage, obstacle: String?) {
        (MemoryStorage(mode: mode), nil)
    }

    public func examine() async -> Diagnosis { Diagnosis() }
}
