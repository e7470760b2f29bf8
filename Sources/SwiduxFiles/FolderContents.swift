import FoundationEssentials

/// The names in a folder, for callers that treat an unreadable folder as an empty one.
package enum FolderContents {
    /// Returns the names in `folder`, or an empty array if it cannot be read.
    package static func names(in folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            return []
        }
    }
}
