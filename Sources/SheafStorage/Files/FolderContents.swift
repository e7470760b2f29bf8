import FoundationEssentials

/// The contents of a folder.
enum FolderContents {
    /// The names in `folder`, or none if it cannot be read.
    static func names(in folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            return []
        }
    }
}
