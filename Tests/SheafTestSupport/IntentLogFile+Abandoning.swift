import Foundation
import SheafStorage

extension IntentLogFile {
    /// Ends the log as `kill -9` does. Closing tidies up, so the files that lay in `folder` or
    /// below it before are put back afterwards.
    @MainActor
    package func abandon(in folder: String) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let files = try names.map { URL(fileURLWithPath: "\(folder)/\($0)") }
            .filter { $0.lastPathComponent.contains("intents-") }
            .map { ($0, try Data(contentsOf: $0)) }
        close()
        for (file, bytes) in files {
            try bytes.write(to: file)
            guard chmod(file.path, 0o600) == 0 else { throw POSIXError(.EPERM) }
        }
    }
}
