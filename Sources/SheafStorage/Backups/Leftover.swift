import FoundationEssentials
import Glibc
import SwiduxFiles

/// A file beside a list that a crash left behind or that holds data other than the list.
package struct Leftover: Sendable, Equatable {
    package var path: String
    /// The meaning of the file and advice about it, as a sentence.
    package var meaning: String

    /// Returns the leftover files beside the list. Changes none of them.
    static func all(beside file: StoreFile) -> [Leftover] {
        FolderContents.names(in: file.folder).sorted().compactMap { other in
            meaning(of: other, beside: file).map {
                Leftover(path: "\(file.folder)/\(other)", meaning: $0)
            }
        }
    }

    private static func meaning(of other: String, beside file: StoreFile) -> String? {
        let name = file.path.lastPathName
        let draft = draftMeaning(of: other, beside: file)
        // The user's own logs are examined separately.
        let isLog = other.beginsWithBytes(of: ".\(name).intents-")
        if draft != nil || isLog, !isTrusted("\(file.folder)/\(other)", beside: file) {
            return "It belongs to another user, so the program does not touch it."
        }
        if let draft { return draft }
        if isLog, !isLogName(other, of: name) {
            return "It has the name of an intent log, but is not one. If it is not yours, move it"
                + " away."
        }
        if let suffix = SidecarFiles.contents.first(where: { other.hasBytes(of: name + $0) }) {
            do {
                try SidecarFiles(of: file).check(suffix)
            } catch {
                return "Keep it, although another user may have made or changed it."
            }
            return
                "A write in progress, or interrupted. Keep it; SQLite finishes or undoes the write when"
                + " the list is next opened."
        }
        return nil
    }

    /// Returns true if `other` is the name of a log of the list `name`, or of a file that SQLite
    /// keeps beside such a log.
    private static func isLogName(_ other: String, of name: String) -> Bool {
        let id = other.dropFirst(".\(name).intents-".count)
        return ([""] + StoreFile.companionSuffixes).contains { suffix in
            id.hasSuffix(suffix) && UUID(uuidString: String(id.dropLast(suffix.count))) != nil
        }
    }

    /// Returns the meaning of a draft of the list. Other programs may put files under the same
    /// names.
    private static func draftMeaning(of other: String, beside file: StoreFile) -> String? {
        if FileDraft.isAbandoned(other, of: file.path, mark: "new") {
            return
                "A new list or a copy that is being written, or was interrupted. If its process has"
                + " ended, the next command that writes to the list removes it."
        }
        if FileDraft.isAbandoned(other, of: file.path, mark: StoreFile.savingMark) {
            return "An interrupted save. The next save removes this file, unless another program"
                + " has put a list into it."
        }
        return nil
    }

    private static func isTrusted(_ path: String, beside file: StoreFile) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return true }
        return FileTrust(besideListAt: file.path).trustsOwner(of: status)
    }
}
