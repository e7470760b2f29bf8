import FoundationEssentials
import Synchronization

/// Ids of a list in a file, by which another version of that list is recognized.
///
/// The path of a list can lead to another list later: a sync tool, `mv` or `cp` put it there. Two
/// versions of one list have an entity in common, or one has deleted it. The sample is small, so
/// that an intent log can hold it and a lookup costs little.
public final class ListSample: Sendable {
    /// The most ids of tags, of the oldest items and of the newest items.
    static let size = 24

    private let known = Mutex<[UUID]>([])

    /// Empty until the list has been opened, and for a list that had neither items nor tags then:
    /// such a list is like any other.
    var ids: [UUID] {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }
}
