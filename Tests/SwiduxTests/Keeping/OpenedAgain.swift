import Foundation
import Swidux
import SwiduxJSON

/// Opens a file that a store of this process may have let go of a moment ago: the last task of the
/// store can end after the flush that a test has waited for, on the caller's actor too.
func openedAgain<Opened>(
    isolation: isolated (any Actor)? = #isolation, _ body: () throws -> Opened
) async throws -> Opened {
    for _ in 0..<200 {
        do {
            return try body()
        } catch let failure as JSONFile.Failure where failure.code == .inUse {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
    return try body()
}
