import FoundationEssentials
import Synchronization

/// Ids of a list in a file, by which another version of that list is recognized.
///
/// The path of a list can lead to another list later: a sync tool, `mv` or `cp` put it there. Two
/// versions of one list have the same id of their own. Lists that earlier versions of the program
/// made have none: then the two have an entity in common, or one has deleted it. The entities are
/// few, so that an intent log can hold them and a lookup costs little.
struct ListIdentity: Equatable, Sendable {
    /// The maximum number of ids of tags, and of items from each end of the list.
    static let size = 24

    /// The list's own id, or nil if it has none.
    var id: UUID?
    /// Ids of tags and items.
    var entities: [UUID] = []

    /// True if there is nothing to recognize the list by: it is like any other.
    var isEmpty: Bool { id == nil && entities.isEmpty }

    /// Returns true if a list may be a version of this one.
    ///
    /// - Parameters:
    ///   - other: the other list's own id.
    ///   - contains: whether that list has or has deleted an entity, or has the id itself.
    func isVersion(
        _ other: UUID?, contains: (UUID) throws -> Bool
    ) rethrows -> Bool {
        if let id, let other { return id == other }
        return try isEmpty || entities.contains(where: contains)
            || id.map(contains) ?? false
    }

    /// The ids with spaces between them, the own one marked.
    var text: String {
        ((id.map { ["list=\($0.uuidString)"] } ?? []) + entities.map(\.uuidString))
            .joined(separator: " ")
    }

    init(id: UUID? = nil, entities: [UUID] = []) {
        self.id = id
        self.entities = entities
    }

    /// Reads ``text``. Other words are ignored.
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

/// The present ``ListIdentity`` of an open list, for those who keep its logs.
public final class ListSample: Sendable {
    private let known = Mutex(ListIdentity())

    /// Empty until the list has been opened, and while there is nothing in one without an id.
    var identity: ListIdentity {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }
}
