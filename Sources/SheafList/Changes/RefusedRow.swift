import FoundationEssentials
import Swidux

/// A row of a commit that storage left out, and that nothing stands in for.
public struct RefusedRow: Sendable, Hashable, CustomStringConvertible {
    /// The entity that it is about.
    public var id: UUID?
    /// What a sentence calls it: `the tag “x”`.
    public var name: String
    /// Why, as the end of a sentence: `another tag already has that name`.
    public var reason: String

    public init(id: UUID?, name: String, reason: String) {
        self.id = id
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(name): \(reason)" }
}

extension [RefusedRow] {
    /// What to add to a message that something was saved: `, but not the tag “x”: another tag
    /// already has that name`. Empty if nothing was refused; of many, three are named.
    public var clause: String {
        guard !isEmpty else { return "" }
        let more = count > 3 ? [" and \(count - 3) more"] : []
        return ", but not " + prefix(3).map(\.description).joined(separator: ", nor ")
            + more.joined()
    }
}

extension CommitResult where Changes == StorageChanges {
    /// What of `changes`, which this is the result of, is not stored. A new tag whose name another
    /// tag has is that tag: nothing is lost. O(changes), and nothing if nothing was refused.
    public func lost(of changes: StorageChanges) -> [RefusedRow] {
        let lost = refused.filter { substitutes[$0.id] == nil }
        guard !lost.isEmpty else { return [] }
        var names: [UUID: String] = [:]
        for item in changes.items.upserts { names[item.id] = "the item “\(item.name)”" }
        for view in changes.views.upserts { names[view.id] = "the view “\(view.name)”" }
        for tag in changes.tags.upserts { names[tag.id] = "the tag “\(tag.name)”" }
        return lost.map { refusal in
            let id = refusal.id.value(as: UUID.self)
            let name = id.flatMap { names[$0] } ?? "a deletion"
            return RefusedRow(id: id, name: name, reason: refusal.reason)
        }
    }
}
