import Foundation
import Swidux

/// A row of a commit that storage left out, and that nothing stands in for.
public struct RefusedRow: Sendable, Hashable, CustomStringConvertible {
    /// The item or tag that it is about.
    public var id: UUID?
    /// What a sentence calls it: `the tag “x”`.
    public var name: String
    /// Why, as the end of a sentence: `another tag has that name`.
    public var reason: String

    public init(id: UUID?, name: String, reason: String) {
        self.id = id
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(name): \(reason)" }
}

extension [RefusedRow] {
    /// What to say behind that something was saved: `, but not the tag “x”: another tag has that name`. Empty if
    /// nothing was refused; of many, three are named.
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
    public internal(set) var lost: [RefusedRow] = []
    /// New tags whose name another tag has, and that tag: one name is one tag, so nothing is lost.
    public internal(set) var substitutes: [Tag.ID: Tag.ID] = [:]
}

extension ListStorage {
    /// Tells what of `refused` is lost and what has a substitute, after a commit of `changes`. O(tags + changes), and
    /// nothing if nothing was refused.
    ///
    /// - Throws: `StorageError` if the tags cannot be read.
    public func judged(
        _ refused: [CommitResult.Refusal], of changes: StorageChanges
    ) async throws -> Refusals {
        var judged = Refusals()
        guard !refused.isEmpty else { return judged }
        let stored = try await loadTags()
        let storedIDs = Set(stored.map(\.id))
        let holders = Dictionary(
            stored.map { ($0.foldedName, $0.id) }, uniquingKeysWith: { first, _ in first })
        let tags = Dictionary(
            changes.tags.upserts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for refusal in refused {
            let id = refusal.id as? UUID
            if let tag = id.flatMap({ tags[$0] }) {
                let holder = holders[tag.foldedName].flatMap { $0 == tag.id ? nil : $0 }
                if let holder, !storedIDs.contains(tag.id) {
                    judged.substitutes[tag.id] = holder
                    continue
                }
                let reason = holder == nil ? refusal.reason : "another tag has that name"
                judged.lost.append(
                    RefusedRow(id: id, name: "the tag “\(tag.name)”", reason: reason))
            } else {
                let item = changes.items.upserts.first { $0.id == id }
                let name = item.map { "the item “\($0.name)”" } ?? "a deletion"
                judged.lost.append(RefusedRow(id: id, name: name, reason: refusal.reason))
            }
        }
        return judged
    }

    /// Commits what another run left, one batch after the other, and returns what of it was refused. Where a tag of one
    /// batch got a substitute, the items of the next ones get it too.
    ///
    /// - Parameter committed: is called after each batch that is stored.
    /// - Throws: `StorageError`; then the batches before the failed one are stored.
    public func commit(
        leftBehind batches: [StorageChanges], committed: () -> Void = {}
    ) async throws -> [RefusedRow] {
        var lost: [RefusedRow] = []
        var substitutes: [Tag.ID: Tag.ID] = [:]
        for batch in batches {
            for tag in batch.tags.upserts { substitutes[tag.id] = nil }
            let result = try await commit(leftBehind: batch.replacingTags(substitutes))
            committed()
            let judged = try await judged(result.refused, of: batch)
            substitutes.merge(judged.substitutes) { $1 }
            // What a later batch stores is what the tag was in the end.
            let ids = Set(batch.tags.upserts.map(\.id))
            lost.removeAll { $0.id.map(ids.contains) ?? false }
            lost += judged.lost
        }
        return lost
    }
}

extension StorageChanges {
    /// The same with other tags on the items.
    fileprivate func replacingTags(_ substitutes: [Tag.ID: Tag.ID]) -> StorageChanges {
        guard !substitutes.isEmpty else { return self }
        func replaced(_ item: Item) -> Item {
            var item = item
            item.tags = Set(item.tags.map { substitutes[$0] ?? $0 })
            return item
        }
        var changes = self
        changes.items.upserts = items.upserts.map(replaced)
        changes.items.bases = items.bases.mapValues(replaced)
        return changes
    }
}
