import FoundationEssentials

/// The contents of a folder.
package enum FolderContents {
    /// The names in `folder`, or none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            return []
        }
    }
}
