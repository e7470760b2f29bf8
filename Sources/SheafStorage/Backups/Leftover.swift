import FoundationEssentials
import Glibc

/// A file beside a list that a crash left, or that something else than the list is kept in.
public struct Leftover: Sendable, Equatable {
    public var path: String
    /// What it is, and what may be done with it, as a sentence.
    public var meaning: String

    /// What lies beside the list at `url`. Nothing of it is deleted unasked.
    static func all(beside file: StoreFile) -> [Leftover] {
        FolderContents.names(in: file.folder).sorted().compactMap { other in
            meaning(of: other, beside: file).map {
                Leftover(path: "\(file.folder)/\(other)", meaning: $0)
            }
        }
    }

    private static func meaning(of other: String, beside file: StoreFile) -> String? {
        let name = file.path.lastPathName
        if let meaning = draftMeaning(of: other, beside: file) {
            guard isTrusted("\(file.folder)/\(other)", beside: file) else {
                return "It belongs to another user, and the program leaves it alone."
            }
            return meaning
        }
        if let suffix = Companions.contents.first(where: { other == name + $0 }) {
            do {
                try Companions(of: file).check(suffix)
            } catch {
                return "Another user may have made or changed it; keep it all the same."
            }
            return "A write that is under way or was interrupted. SQLite finishes or undoes it when"
                + " the list is opened the next time; keep it."
        }
        return nil
    }

    /// What the program itself makes beside a list, under names that anybody else may use as well.
    private static func draftMeaning(of other: String, beside file: StoreFile) -> String? {
        if FileDraft.isLeft(other, of: file.path, mark: "new") {
            return "A list that was being made or copied when the program was stopped. It may be"
                + " deleted once no sheaf runs."
        }
        if FileDraft.isLeft(other, of: file.path, mark: StoreFile.savingMark) {
            return "What was being saved when the program was stopped; the list has the state"
                + " before. The next save takes it away."
        }
        let name = file.path.lastPathName
        if other.hasPrefix(".\(name).intents-") {
            return "Edits that are on their way into the list. The next command brings in those of"
                + " a program that was stopped; keep it."
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
