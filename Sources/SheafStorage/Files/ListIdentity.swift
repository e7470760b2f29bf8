import FoundationEssentials
import Synchronization

/// Ids that identify a list in a file, so that another version of the list can be recognized.
///
/// A sync tool, `mv` or `cp` can put a different list at the path. Two versions of one list have
/// the same list id. A list that an early release of Sheaf made has no id. It is compared by its
/// entities: two files hold versions of one list if they have an entity in common, or if one has
/// deleted an entity of the other. Only the ids of a small sample of entities are kept, so that an
/// intent log can hold them and a lookup is cheap.
struct ListIdentity: Equatable, Sendable {
    /// The maximum number of tag ids, and of item ids from each end of the list.
    static let size = 24

    /// The list's own id, or nil if it has none.
    var id: UUID?
    /// Ids of tags and items.
    var entities: [UUID] = []

    /// True if there are no ids to compare. Every list then counts as a version of this one.
    var isEmpty: Bool { id == nil && entities.isEmpty }

    /// Returns true if a list may be a version of this one.
    ///
    /// - Parameters:
    ///   - other: the other list's own id.
    ///   - contains: returns true if an id is that of the other list, or of an entity that the
    ///     other list has or has deleted.
    func isVersion(
        _ other: UUID?, contains: (UUID) throws -> Bool
    ) rethrows -> Bool {
        if let id, let other { return id == other }
        return try isEmpty || entities.contains(where: contains)
            || id.map(contains) ?? false
    }

    /// The ids, separated by spaces. The list's own id is marked with `list=`.
    var text: String {
        ((id.map { ["list=\($0.uuidString)"] } ?? []) + entities.map(\.uuidString))
            .joined(separator: " ")
    }

    init(id: UUID? = nil, entities: [UUID] = []) {
        self.id = id
        self.entities = entities
    }

    /// Reads ``text`` and ignores unknown words.
    init(text: String) {
        for word in text.split(separator: " ") {
            if word.hasPrefix("list=") {
                id = UUID(uuidString: String(word.dropFirst(5)))
            } else if let entity = UUID(uuidString: String(word)) {
                entities.append(entity)
            }
        }
    }
}

/// The current ``ListIdentity`` of an open list, for the intent logs of the list.
package final class CurrentListIdentity: Sendable {
    private let known = Mutex(ListIdentity())

    /// The ids of the list. Empty until the list has been opened, and for an empty list without an
    /// id.
    var value: ListIdentity {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }
}
