import Glibc
import SheafList
import SwiduxFiles

/// A list that another file has replaced, kept under another name with its journals.
///
/// Its intent logs stay where they are: each names its list, so that they are saved to the list
/// that replaced it if that is another version of the same, and otherwise reported.
struct SetAside {
    /// What separates the list's name from a number.
    static let mark = ".before-restore-"

    /// Where it is.
    let path: String

    /// Gives `draft` the place of the list in `store`. A process that opens the list finds the old
    /// one or the new one.
    ///
    /// - Throws: `StorageError`; then every file has its old name.
    init(_ store: StoreFile, replacingWith draft: FileDraft) throws {
        var number = 1
        while true {
            let aside = "\(store.path)\(Self.mark)\(number)"
            if StoreFile.isFree(aside), try Self.put(draft, in: store, keeping: aside) {
                path = aside
                return
            }
            number += 1
        }
    }

    private static func put(
        _ draft: FileDraft, in store: StoreFile, keeping aside: String
    ) throws -> Bool {
        // Before the list: they must not be played into the new one.
        let moved = try moveJournals(of: store, to: aside)
        var isPut = false
        defer { if !isPut { for (old, new) in moved { rename(new, old) } } }
        do throws(SystemError) {
            isPut = try draft.replace(keeping: aside)
        } catch {
            throw FileFailure.transferring(error.number, at: store.location)
        }
        return isPut
    }

    /// Gives the journals of a list that is gone names that nothing has.
    ///
    /// - Throws: `StorageError`; then they have their old names.
    static func moveJournals(of store: StoreFile) throws {
        var number = 1
        while !StoreFile.isFree("\(store.path)\(mark)\(number)") { number += 1 }
        _ = try moveJournals(of: store, to: "\(store.path)\(mark)\(number)")
    }

    private static func moveJournals(
        of store: StoreFile, to aside: String
    ) throws -> [(old: String, new: String)] {
        var moved: [(old: String, new: String)] = []
        for suffix in StoreFile.companionSuffixes {
            let (old, new) = (store.path + suffix, aside + suffix)
            if rename(old, new) == 0 {
                moved.append((old, new))
            } else if errno != ENOENT {
                let reason = FileFailure.words(for: errno)
                for (old, new) in moved { rename(new, old) }
                throw StorageError(
                    .cannotOpen, at: store.location,
                    reason: "\(old.lastPathName) beside it cannot be set aside (\(reason))",
                    advice: "Restore the backup to another path with --store.")
            }
        }
        return moved
    }
}
