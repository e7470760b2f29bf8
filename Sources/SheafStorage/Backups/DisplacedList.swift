import Glibc
import SheafList
import SwiduxFiles

/// A replaced list, kept under another name with its journals.
///
/// Its intent logs stay in place, because each of them names its list. If the new list is another
/// version of that list, their changes are saved to it. Otherwise they are reported.
struct DisplacedList {
    /// The text between the list's name and a number.
    static let mark = ".before-restore-"

    /// The path of the replaced list.
    let path: String

    /// Replaces the list in `store` with `draft`. A process that opens the list finds the old one
    /// or the new one.
    ///
    /// - Throws: `StorageError`. Every file then has its old name.
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
        // Journals move before the list, so that SQLite does not roll them back into the new list.
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

    /// Renames the journals of a missing list to unused names.
    ///
    /// - Throws: `StorageError`. The journals then have their old names.
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
