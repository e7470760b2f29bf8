import Dispatch
import FoundationEssentials
import Glibc
import SheafApp
import SheafStorage

/// A private file in `$XDG_STATE_HOME/sheaf/views` that remembers the view of one list. It is named
/// for the list.
///
/// The file is a convenience, and failures to read or write it are ignored. The exception: a file
/// that cannot be read, because it is damaged or of another version, is renamed with the suffix
/// `.unreadable` before a new one replaces it.
struct ViewFile: Sendable {
    private let folder: StateFolder
    private let location: any Location
    /// The path in the folder. Computed, because the key of a list on a server changes with the
    /// first answer of the server.
    private var name: String { "views/\(location.key).json" }
    /// The queue on which views are written, one after the other.
    private let queue = DispatchQueue(label: "sheaf.view")

    /// Creates the file for the list at `location`, or `nil` if there is no folder for it.
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

    /// Returns a notice about an existing file that cannot be read, or `nil`.
    func unreadableNotice() -> String? {
        isUnreadable
            ? "The last view is damaged or of another version; its file is kept as .unreadable"
            : nil
    }

    /// Returns the finding of `sheaf doctor` about an unreadable file, which may already be
    /// renamed, or `nil` if there is none.
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

    /// Writes `view` in the background.
    func writeSoon(_ view: RememberedView) { queue.async { put(view) } }

    private func put(_ view: RememberedView) {
        do {
            if isUnreadable { try folder.rename(name, to: unreadableName) }
            try folder.write(Array(try JSONEncoder().encode(view)), to: name)
        } catch {
            // While the screen is open, the failure cannot be reported, and no data of the list is
            // lost.
        }
    }
}
