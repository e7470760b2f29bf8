import Dispatch
import FoundationEssentials
import Glibc
import SheafApp
import SheafStorage

/// The file that remembers the view of one list: a private file in `$XDG_STATE_HOME/sheaf/views`,
/// named for the list.
///
/// It is a convenience that nothing depends on. A file that cannot be read or written is ignored,
/// with one exception: a file that is damaged or of another version is renamed, with `.unreadable`
/// after its name, before another takes its place.
struct ViewFile: Sendable {
    private let folder: StateFolder
    private let location: any Location
    /// The list of a server has another name once the server has been asked.
    private var name: String { "views/\(location.key).json" }
    /// Where it is written, one view after the other.
    private let queue = DispatchQueue(label: "sheaf.view")

    /// The file for the list at `location`, or nil where there is no folder to keep it in.
    init?(for location: any Location) {
        guard let folder = location.state else { return nil }
        self.folder = folder
        self.location = location
    }

    func read() -> RememberedView? {
        guard let bytes = folder.read(name) else { return nil }
        do {
            return try JSONDecoder().decode(RememberedView.self, from: Data(bytes))
        } catch {
            return nil
        }
    }

    /// Returns a message about an existing file that cannot be read, or nil.
    func complaint() -> String? {
        isUnreadable
            ? "The last view is of another version, or damaged; its file is kept as .unreadable"
            : nil
    }

    /// The finding of `sheaf doctor` about such a file, or about one that was put aside, or nil.
    func finding() -> Diagnosis.Finding? {
        let path = isUnreadable ? name : unreadableName
        guard folder.contains(path) else { return nil }
        return Diagnosis.Finding(
            severity: .note,
            text: "remembered view: \(folder.path)/\(path), of another version, or damaged",
            advice: "The screen begins without it. Remove it if you do not need it.")
    }

    private var isUnreadable: Bool { folder.contains(name) && read() == nil }
    private var unreadableName: String { "\(name).unreadable" }

    func write(_ view: RememberedView) { queue.sync { put(view) } }

    /// Writes the view without waiting for it.
    func writeSoon(_ view: RememberedView) { queue.async { put(view) } }

    private func put(_ view: RememberedView) {
        do {
            if isUnreadable { try folder.rename(name, to: unreadableName) }
            try folder.write(Array(try JSONEncoder().encode(view)), to: name)
        } catch {
            // There is nothing to be said of it while the screen is open, and nothing is lost.
        }
    }
}
