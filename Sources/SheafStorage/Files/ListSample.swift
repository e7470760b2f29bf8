import FoundationEssentials
import Synchronization

/// Ids of a list in a file, by which another version of that list is recognized.
///
/// The path of a list can lead to another list later: a sync tool, `mv` or `cp` put it there. Two
/// versions of one list have the list's own id in common, or an entity, or one has deleted it.
/// Lists that earlier versions of the program made have no own id, or one that their copies lack.
/// The sample is small, so that an intent log can hold it and a lookup costs little.
public final class ListSample: Sendable {
    /// The maximum number of ids of tags, and of items from each end of the list.
    static let size = 24

    private let known = Mutex<[UUID]>([])

    /// Empty until the list has been opened, and while there is nothing in one without an id: such
    /// a list is like any other.
    var ids: [UUID] {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }

    /// Returns true if a list may be a version of the one that has `ids`.
    ///
    /// - Parameter contains: whether it is the list with an id, or has or has deleted the entity
    ///   with it.
    static func isVersion(
        of ids: some Sequence<UUID>, contains: (UUID) throws -> Bool
    ) rethrows -> Bool {
        var hadAny = false
        for id in ids {
            if try contains(id) { return true }
            hadAny = true
        }
        return !hadAny
    }
}
