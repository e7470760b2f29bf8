import Foundation
import SheafCore
import SheafStorage

/// Where the view of one list is remembered: a private file in `$XDG_STATE_HOME/sheaf/views`, named for the list.
///
/// It is a convenience that nothing depends on: what cannot be read or written is as if it had never been.
struct ViewFile: Sendable {
    private let folder: StateFolder
    private let name: String

    /// The file for the list at `url`, or nil where there is no home to keep it in.
    init?(for url: StoreURL, environment: [String: String]) {
        guard let folder = StateFolder(environment: environment) else { return nil }
        self.folder = folder
        name = "views/\(StateFolder.key(for: url)).json"
    }

    func read() -> RememberedView? {
        guard let bytes = folder.read(name) else { return nil }
        do {
            return try JSONDecoder().decode(RememberedView.self, from: Data(bytes))
        } catch {
            return nil
        }
    }

    func write(_ view: RememberedView) {
        do {
            try folder.write(Array(try JSONEncoder().encode(view)), to: name)
        } catch {
            // There is nothing to be said of it while the screen is open, and nothing is lost.
        }
    }
}
