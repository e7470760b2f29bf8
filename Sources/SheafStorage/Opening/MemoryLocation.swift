import SheafList

/// The location of a list in memory, for trying the screen. The program writes nothing to disk for
/// it.
package struct MemoryLocation: Location {
    package let name = "memory:"
    package let state: StateFolder? = nil

    package func openStorage(_ mode: OpenMode, timeout: Duration) -> any ListStorage {
        MemoryStorage(mode: mode)
    }

    package func openStorageLater(
        _ mode: OpenMode
    ) -> (storage: any ListStorage, obstacle: String?) {
        (MemoryStorage(mode: mode), nil)
    }

    package func examine() async -> Diagnosis { Diagnosis() }
}
