import ArgumentParser
import FoundationEssentials
import Glibc
import SheafApp
import SheafStorage
import Swidux
import Terminal

/// One edit of a list from the command line. It looks up the items to change, commits the changes
/// in one transaction, and reports them in one line.
struct ListEdit: Sendable {
    /// The result of planning an edit.
    struct Plan: Sendable {
        var changes = StorageChanges()
        /// The report to print once the changes are durable.
        var report: String
        /// Returns the report to print instead of `report`, if the stored rows can differ from the
        /// requested ones.
        var reportOfResult: (@Sendable (SheafList.CommitResult) -> String)?
        /// Returns true if the commit did everything that was requested.
        var isComplete: @Sendable (SheafList.CommitResult) -> Bool = { $0.keptIDs.isEmpty }
        /// Returns the changes that must follow a commit, or empty changes if none must.
        var next: @Sendable (SheafList.CommitResult) async throws -> StorageChanges = { _ in
            StorageChanges()
        }
        /// A sentence for standard error once the changes are durable.
        var note: String?
        /// The report if there are no changes.
        var idle = "Nothing to change."
        /// The purpose that the user must confirm first, or `nil`.
        var purpose: Purpose?
    }

    /// The purpose of an edit, and its items.
    struct Purpose: Sendable {
        /// The words after `this would …`: `delete 3 items`.
        var words: String
        var items: [Item]
        var isDeletion = false
    }

    let storage: any ListStorage
    let now: Timestamp

    var items: ItemLookup { ItemLookup(storage: storage) }

    /// Opens the list, commits the changes of `plan`, and prints its report.
    ///
    /// - Throws: `StorageError`, `StoreURLError`, or ``CommandFailure``. After the report, an
    ///   `ExitCode` if the commit did less than requested.
    static func perform(
        on store: StoreOptions,
        _ plan: @escaping @Sendable (ListEdit) async throws -> Plan
    ) throws {
        let list = try store.open(.readWrite)
        let (report, note, isComplete) = try runBlocking {
            let plan = try await plan(ListEdit(storage: list.storage, now: .now))
            var (report, note, isComplete) = (plan.idle, String?.none, true)
            if !plan.changes.isEmpty {
                list.backUpDaily()
                var result = try await committed(plan.changes, to: list.storage)
                var more = try await plan.next(result)
                while !more.isEmpty {
                    let later = try await committed(more, to: list.storage)
                    result.conflicts =
                        result.conflicts.filter { !$0.isTagRemoval } + later.conflicts
                    more = try await plan.next(later)
                }
                try Self.report(result, of: plan.changes)
                report = plan.reportOfResult?(result) ?? plan.report
                isComplete = plan.isComplete(result)
                note = plan.note
            }
            await list.storage.close()
            return (report, note, isComplete)
        }
        FileOutput.report(DisplayText.sanitized(report) + "\n")
        if let note { Diagnostics.note(note) }
        if !isComplete { throw ExitCode(ExitStatus.failure.rawValue) }
    }

    /// Performs an edit of these items. If a query finds them, they are in list order, and the user
    /// must confirm them before any change. After the answer, the items are read again, so that the
    /// edit starts from their present values. Items that only then match the query are not edited.
    static func perform(
        on store: StoreOptions, _ edited: EditedItems,
        _ plan: @escaping @Sendable (ListEdit, [Item]) async throws -> Plan
    ) throws {
        try perform(on: store) { edit in
            switch edited {
            case .ids(let references):
                let lookup = ItemLookup(storage: edit.storage, hasQuery: true)
                return try await plan(edit, try await lookup.items(references))
            case .found(let selection, let isConfirmed):
                let items = try await edit.storage.snapshot {
                    let tags = try await edit.storage.loadTags()
                    return try await edit.storage.allItems(
                        of: selection.search(in: tags, now: edit.now))
                }
                var asked = try await plan(edit, items)
                if items.isEmpty { asked.idle = "Nothing to change: the query finds no item." }
                guard let purpose = asked.purpose, !asked.changes.isEmpty, !isConfirmed else {
                    return asked
                }
                try ConfirmationPrompt.ask(purpose)
                // Dropping these changes avoids a third copy of a long list in memory.
                asked.changes = StorageChanges()
                let remaining = try await edit.existing(purpose.items, asShown: purpose.isDeletion)
                var answered = try await plan(ListEdit(storage: edit.storage, now: .now), remaining)
                if remaining.count < purpose.items.count { answered.idle = "Nothing was changed." }
                answered.changes.items.begin(with: items)
                return answered
            }
        }
    }

    /// Returns the present values of `items`, without items that another process has deleted since.
    ///
    /// - Parameter asShown: true to return the values of `items` instead. An item may only be
    ///   deleted in the state that the user saw.
    private func existing(_ items: [Item], asShown: Bool) async throws -> [Item] {
        var remaining: [Item] = []
        for start in stride(from: 0, to: items.count, by: 1_000) {
            let page = items[start..<min(start + 1_000, items.count)]
            let stored = Dictionary(
                try await storage.loadItems(ids: page.map(\.id)).map { ($0.id, $0) }
            ) { $1 }
            remaining += page.compactMap { item in stored[item.id].map { asShown ? item : $0 } }
        }
        let gone = items.count - remaining.count
        if gone > 0 {
            Diagnostics.report("Another process has already deleted \(counted(gone, "item")).")
        }
        return remaining
    }

    /// Returns all tags.
    func tags() async throws -> TagLookup {
        TagLookup(tags: try await storage.loadTags())
    }

    /// Returns all saved views.
    func views() async throws -> ViewLookup {
        ViewLookup(views: try await storage.loadViews())
    }

    /// Returns the changes of those `items` that `edits` make different, with the time of the edit.
    func changed(_ items: [Item], by edits: [ItemEdit]) -> EntityChanges<Item> {
        EntityChanges(editing: items, at: now) { item in
            for edit in edits { edit.apply(to: &item) }
        }
    }

    /// Returns the changes of all items that `change` makes different. O(items). Memory is bounded
    /// by the result.
    func changedItems(by change: (inout Item) -> Void) async throws -> EntityChanges<Item> {
        var changes = EntityChanges<Item>()
        try await storage.snapshot {
            try await storage.readPages { page in
                changes.add(EntityChanges(editing: page, at: now, change))
                return true
            }
        }
        return changes
    }

    /// Commits `changes`. If another process has meanwhile created a tag with the name of a new
    /// one, the commit still succeeds, and the items get that process's tag, because one name is
    /// one tag.
    ///
    /// - Throws: `StorageError`, or ``CommandFailure`` if the list refused some of the changes.
    @discardableResult
    static func commit(
        _ changes: StorageChanges, to storage: any ListStorage
    ) async throws -> SheafList.CommitResult {
        let result = try await committed(changes, to: storage)
        try report(result, of: changes)
        return result
    }

    /// Reports the rows that the commit of `changes` did not store as requested.
    ///
    /// - Throws: ``CommandFailure`` if the list refused some of the changes.
    private static func report(
        _ result: SheafList.CommitResult, of changes: StorageChanges
    ) throws {
        let lost = result.lost(of: changes)
        if let first = lost.first {
            throw CommandFailure(
                .failure, "\(counted(lost.count, "change")) refused: \(first.reason)")
        }
        if let sentence = changes.sentence(on: result) { Diagnostics.report(sentence) }
        for sentence in result.sentences(on: changes) { Diagnostics.report("\(sentence).") }
    }

    /// Commits `changes`. If the answer is lost, tries again for up to 10 s. Storage recognizes
    /// changes that it has already saved.
    private static func committed(
        _ changes: StorageChanges, to storage: any ListStorage
    ) async throws -> SheafList.CommitResult {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            do {
                let result = try await storage.commit(changes)
                if let notice = await storage.consumeNotice() { Diagnostics.report("\(notice).") }
                return result
            } catch let error as StorageError where error.isOutcomeUnknown && .now < end {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}

extension SheafList.CommitResult {
    /// The ids of entities that were not deleted because another process has edited them.
    var keptIDs: Set<UUID> {
        let kept = conflicts.filter { $0.outcome == .notDeleted }
        return Set(kept.compactMap { $0.id.value(as: UUID.self) })
    }

    /// Returns `Deleted tags “a”, “b”`, with those of `entities` that were deleted, and `end`.
    func sentence<Entity: SmallEntity>(
        onDeletionOf entities: [Entity], end: String
    ) -> String {
        let kept = keptIDs
        let gone = entities.filter { !kept.contains($0.id) }.map { quoted($0.name) }
        guard !gone.isEmpty else { return "Deleted nothing." }
        let names = gone.joined(separator: ", ")
        return "Deleted \(Entity.noun)\(gone.count == 1 ? "" : "s") \(names)\(end)"
    }

    /// Returns the items that were stored without `tag`, because another process has deleted it.
    func items(without tag: Tag.ID) -> Set<Item.ID> {
        let lost = conflicts.filter { $0.outcome == .lostReference(to: AnyID(tag)) }
        return Set(lost.compactMap { $0.id.value(as: Item.ID.self) })
    }

    /// Returns the name under which `view` was stored.
    func storedName(of view: SavedView) -> String {
        stored?.views.upserts.first { $0.id == view.id }?.name ?? view.name
    }
}

extension StorageConflict {
    /// True if a deleted tag was removed from an item to which another process had added it.
    fileprivate var isTagRemoval: Bool {
        if case .tookReference = outcome { true } else { false }
    }
}

extension StorageChanges {
    /// Returns a sentence about those entities that another process changed too, according to the
    /// `result` of the commit, or `nil` if there are none. ``CommitResult/sentences(on:)`` reports
    /// removed tags and changed names.
    func sentence(on result: SheafList.CommitResult) -> String? {
        let conflicts = result.conflicts
        func of<Entity: ListEntity>(_ changes: EntityChanges<Entity>) -> [StorageConflict] {
            let touched = Set(changes.ids.map { AnyID($0) })
            return conflicts.filter { !$0.hasOwnSentence && touched.contains($0.id) }
        }
        let (items, tags, views) = (of(items), of(tags), of(views))
        func listed(_ isMeant: (StorageConflict) -> Bool) -> String? {
            let kinds = [(items, "item"), (tags, "tag"), (views, "view")]
                .map { (count: $0.0.count(where: isMeant), name: $0.1) }
                .filter { $0.count > 0 }
                .map { counted($0.count, $0.name) }
            guard let last = kinds.last else { return nil }
            return kinds.count == 1
                ? last : "\(kinds.dropLast().joined(separator: ", ")) and \(last)"
        }
        guard let changed = listed({ _ in true }) else { return nil }
        var ends: [String] = []
        let merged = Set(items.filter { $0.outcome == .merged }.map(\.id))
        let stored = result.stored?.items.upserts.filter { merged.contains(AnyID($0.id)) } ?? []
        if self.items.haveKeptTexts(in: stored) {
            ends.append("replaced texts are in the notes")
        }
        if conflicts.contains(where: { $0.outcome == .notDeleted }) {
            ends.append("what it edited was not deleted")
        }
        if let restored = listed({ $0.outcome == .restored }) {
            ends.append("\(restored) that it deleted came back")
        }
        if ends.isEmpty { ends.append("your changes were kept") }
        return "Another process also changed \(changed): \(ends.joined(separator: ", and "))."
    }
}

extension EntityChanges<Item> {
    /// Returns true if the merge has added a text to the note of one of these items. `stored` has
    /// the merged items.
    fileprivate func haveKeptTexts(in stored: [Item]) -> Bool {
        guard !stored.isEmpty else { return false }
        let asked = Dictionary(upserts.map { ($0.id, $0) }) { $1 }
        return stored.contains { item in asked[item.id].map(item.keepsMore) ?? false }
    }
}

extension EntityChanges<Item> {
    /// Uses these values, which the user saw, as the bases of the edits of `items`. Later edits by
    /// another process are then merged, and no text is lost. O(items).
    fileprivate mutating func begin(with items: [Item]) {
        for item in items {
            guard let change = self[item.id], change.before != item, change.after != nil else {
                continue
            }
            self[item.id] = EntityChange(before: item, after: change.after)
        }
    }
}

/// Returns the quoted name of a single item, or the number of items.
func described(_ items: [Item]) -> String {
    items.count == 1 ? quoted(items[0].name) : counted(items.count, "item")
}
