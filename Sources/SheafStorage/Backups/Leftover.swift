import FoundationEssentials
import Glibc
import SwiduxFiles

/// A file beside a list that a crash left, or that holds something other than the list.
public struct Leftover: Sendable, Equatable {
    public var path: String
    /// What it is and what to do with it, as a sentence.
    public var meaning: String

    /// The files beside the list at `url`. None is deleted without a request.
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
        // Those of the user are examined by themselves.
        let isLog = other.beginsWithBytes(of: ".\(name).intents-")
        if draft != nil || isLog, !isTrusted("\(file.folder)/\(other)", beside: file) {
            return "It belongs to another user, and the program leaves it alone."
        }
        if let draft { return draft }
        if isLog, !isLogName(other, of: name) {
            return "It is named like an intent log, but is none. Move it away if it is not yours."
        }
        if let suffix = Companions.contents.first(where: { other.hasBytes(of: name + $0) }) {
            do {
                try Companions(of: file).check(suffix)
            } catch {
                return "Keep it, although another user may have made or changed it."
            }
            return
                "A write in progress, or interrupted. Keep it; SQLite finishes or undoes the write when"
                + " the list is next opened."
        }
        return nil
    }

    /// Returns true if a log beside the list `name` is called `other`, or a file that SQLite keeps
    /// beside such a log.
    private static func isLogName(_ other: String, of name: String) -> Bool {
        let id = other.dropFirst(".\(name).intents-".count)
        return ([""] + StoreFile.companionSuffixes).contains { suffix in
            id.hasSuffix(suffix) && UUID(uuidString: String(id.dropLast(suffix.count))) != nil
        }
    }

    /// The files that Sheaf makes beside a list under names that other programs may use as well.
    private static func draftMeaning(of other: String, beside file: StoreFile) -> String? {
        if FileDraft.isLeft(other, of: file.path, mark: "new") {
            return
                "A new list or a copy that is being written, or was interrupted. If its process has"
                + " ended, the next command that writes to the list removes it."
        }
        if FileDraft.isLeft(other, of: file.path, mark: StoreFile.savingMark) {
            return "An interrupted save. The next save removes this file; a list in it that another"
                + " program put here is kept."
        }
        return nil
    }

    private static func isTrusted(_ path: String, beside file: StoreFile) -> Bool {
        var (list, status) = (stat(), stat())
        let isThere = stat(file.path, &list) == 0
        guard lstat(path, &status) == 0 else { return true }
        return FileTrust(list: isThere ? list : nil).trustsOwner(of: status)
    }
}
