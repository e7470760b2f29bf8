import FoundationEssentials
import Swidux

/// A row of a commit that storage left out, and that nothing stands in for.
public struct RefusedRow: Sendable, Hashable, CustomStringConvertible {
    /// The item or tag that it is about.
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

/// What the refusals of a commit come to.
public struct Refusals: Sendable {
    /// What is not stored.
    public private(set) var lost: [RefusedRow] = []
    /// New tags whose name another tag has, and that tag: one name is one tag, so nothing is lost.
    public private(set) var substitutes: [Tag.ID: Tag.ID] = [:]

    /// Tells what of `refused` is lost and what has a substitute, after a commit of `changes` to a
    /// list whose tags are now `stored`. O(tags + changes), and nothing if nothing was refused.
    public init(
        _ refused: [CommitResult.Refusal], of changes: StorageChanges, stored: [Tag]
    ) {
        guard !refused.isEmpty else { return }
        let storedIDs = Set(stored.map(\.id))
        let holders = Dictionary(
            stored.map { ($0.foldedName, $0.id) }, uniquingKeysWith: { first, _ in first })
        let tags = Dictionary(
            changes.tags.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for refusal in refused {
            let id = refusal.id.value(as: UUID.self)
            if let tag = id.flatMap({ tags[$0] }) {
                let holder = holders[tag.foldedName].flatMap { $0 == tag.id ? nil : $0 }
                if let holder, !storedIDs.contains(tag.id) {
                    substitutes[tag.id] = holder
                    continue
                }
                let reason = holder == nil ? refusal.reason : "another tag already has that name"
                lost.append(RefusedRow(id: id, name: "the tag “\(tag.name)”", reason: reason))
            } else {
                let item = changes.items.upserts.first { $0.id == id }
                let name = item.map { "the item “\($0.name)”" } ?? "a deletion"
                lost.append(RefusedRow(id: id, name: name, reason: refusal.reason))
            }
        }
    }
}

extension ListStorage {
    /// Tells what of `refused` is lost and what has a substitute, after a commit of `changes`.
    /// O(tags + changes), and nothing if nothing was refused.
    ///
    /// - Throws: `StorageError` if the tags cannot be read.
    public func judged(
        _ refused: [CommitResult.Refusal], of changes: StorageChanges
    ) async throws -> Refusals {
        let stored = refused.isEmpty ? [] : try await loadTags()
        return Refusals(refused, of: changes, stored: stored)
    }
}
