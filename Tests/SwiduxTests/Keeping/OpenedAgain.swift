import Foundation
import Swidux

/// Opens a file that a store of this process may have let go of a moment ago: the last task of the
/// store can end on another thread, after the flush that a test has waited for.
func openedAgain<Opened>(_ body: () throws -> Opened) throws -> Opened {
    for _ in 0..<200 {
        do {
            return try body()
        } catch let failure as JSONFile.Failure where failure.code == .inUse {
            usleep(1_000)
        }
    }
    return try body()
}
