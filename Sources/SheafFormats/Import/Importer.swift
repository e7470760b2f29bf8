import FoundationEssentials
import SheafList
import Swidux

/// Computes the changes that bring an imported list into an existing list.
///
/// Tags are matched by their folded names. In a todo.txt file, `@name` also finds the tag `name`,
/// because an export writes that tag as `@name`. Missing tags are created with the color from the
/// file or the next color of the palette. Views are appended in order, unless the list has one with
/// the same id or name, which stays unchanged. Items are appended in order. An item whose id exists
/// is merged in place: see ``ImportedItem/merged(into:tags:now:calendar:)``.
package struct Importer: Sendable {
    /// The changes of an import, for one commit, with their totals.
    package struct Plan: Sendable, Equatable {
        package var changes = StorageChanges()
        package var addedViews: Int { changes.views.elements.count { $0.change.before == nil } }
        package var addedItems = 0
        /// The number of existing items that change.
        package var updatedItems = 0
        /// The number of updated items whose notes receive a replaced text.
        package var notedItems = 0
        /// The number of imported items that the list already has unchanged.
        package var knownItems = 0
        /// The number of ``knownItems`` that stay because the list's edit is later than the file's.
        package var laterItems = 0

        package init() {}
    }

    private let now: Timestamp
    private let calendar: LocalCalendar
    private let makeID: @Sendable () -> UUID

    /// - Parameters:
    ///   - now: The time for values without a time in the import.
    ///   - calendar: The calendar that converts times to days, to find known items and to compare
    ///     edits.
    ///   - makeID: Creates ids for entities without one in the import.
    package init(
        now: Timestamp, calendar: LocalCalendar = .system,
        makeID: @escaping @Sendable () -> UUID = { UUID.random() }
    ) {
        self.now = now
        self.calendar = calendar
        self.makeID = makeID
    }

    /// The maximum number of ids to look up. For more ids, all items are read.
    private static let lookUpLimit = 1_000

    /// Returns the changes that bring `list` into the list in `storage`. Reads the stored list at
    /// most once.
    ///
    /// - Parameter format: The format of a text whose known items are left out, or `nil` to add all
    ///   items. Each item of the list excludes one equal item: if the text has three equal items
    ///   and the list has two, one is added.
    /// - Throws: Any error of `storage`. This function writes nothing.
    package func plan(
        _ list: ImportedList, into storage: any ListStorage,
        excludingKnown format: ListFormat? = nil
    ) async throws -> Plan {
        let tags = try await storage.loadTags()
        var rows = StorageChanges()
        if !list.views.isEmpty { rows.views.upsert(try await storage.load(SavedView.self)) }
        let list = list.normalizingTagNames(existing: tags)
        let lastRank = try await storage.lastItemRank()
        let ids = list.items.compactMap(\.id)
        guard lastRank != nil else {
            return plan(list, tags: tags, rows: rows, lastRank: nil, existing: [])
        }
        guard let format else {
            return try await Self.makingRoom(
                plan(
                    list, tags: tags, rows: rows, lastRank: lastRank,
                    existing: try await Self.items(ids, of: storage)),
                in: storage)
        }
        var known = KnownItems(list.items, format: format, tags: tags, calendar: calendar)
        try await storage.readPages { page in
            for item in page { known.markKnown(item) }
            return !known.isComplete
        }
        var rest = list
        rest.items = known.unknown(of: list.items)
        var plan = plan(
            rest, tags: tags, rows: rows, lastRank: lastRank,
            existing: try await Self.items(ids, of: storage))
        plan.knownItems += list.items.count - rest.items.count
        return try await Self.makingRoom(plan, in: storage)
    }

    /// Returns `plan` with shorter ranks at the end of the list, if the new ranks are too long.
    private static func makingRoom(_ plan: Plan, in storage: any ListStorage) async throws -> Plan {
        let added = plan.changes.items.elements.compactMap {
            $0.change.before == nil ? $0.change.after : nil
        }
        guard added.contains(where: \.rank.isTooLong) else { return plan }
        let room = try await storage.changes(
            placing: added, .after, try await storage.lastItem())
        var plan = plan
        for (id, change) in room.elements {
            if let rank = change.after?.rank, plan.changes.items[id]?.after != nil {
                // Keeps the other planned changes of the item.
                plan.changes.items[id]?.after?.rank = rank
            } else {
                plan.changes.items[id] = change
            }
        }
        return plan
    }

    private static func items(_ ids: [Item.ID], of storage: any ListStorage) async throws -> [Item]
    {
        guard ids.count > lookUpLimit else { return try await storage.loadItems(ids: ids) }
        let wanted = Set(ids)
        var found: [Item] = []
        try await storage.readPages { page in
            found += page.filter { wanted.contains($0.id) }
            return found.count < wanted.count
        }
        return found
    }

    /// Returns the changes that bring `list`, whose tags have their final names, into an existing
    /// list. The existing list has `tags`, and the rank of its last item is `lastRank`.
    ///
    /// - Parameters:
    ///   - rows: The rows of the existing list, of the kinds that `list` contains.
    ///   - existing: The existing items whose ids are in `list`.
    package func plan(
        _ list: ImportedList, tags: [Tag], rows: StorageChanges = StorageChanges(),
        lastRank: Rank?, existing: [Item]
    ) -> Plan {
        var plan = Plan()
        var resolver = TagResolver(tags, makeID: makeID)
        for tag in list.tags { resolver.add(tag) }
        let existing = Dictionary(
            existing.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let added = list.items.count { $0.id.map { existing[$0] == nil } ?? true }
        var ranks = Rank.spread(added, between: lastRank, and: nil).makeIterator()
        // Inserting ids in ascending order appends to the indexes.
        let unnamed = list.items.count { $0.id == nil }
        var ids = (0..<unnamed).map { _ in makeID() }.sorted().makeIterator()
        for imported in list.items {
            let tags = imported.tags.map { Set($0.map { resolver.id(named: $0) }) }
            if let old = imported.id.flatMap({ existing[$0] }) {
                let item = imported.merged(
                    into: old, tags: tags, now: now, calendar: calendar)
                guard !item.isSame(as: old) else {
                    plan.knownItems += 1
                    if imported.isOlder(than: old, calendar) { plan.laterItems += 1 }
                    continue
                }
                plan.changes.items.replace(old, with: item)
                plan.updatedItems += 1
                if item.keepsMore(than: old) { plan.notedItems += 1 }
            } else if let rank = ranks.next() {
                let id = imported.id ?? ids.next() ?? makeID()
                plan.changes.items.upsert(
                    imported.item(id, tags: tags ?? [], rank: rank, now: now))
                plan.addedItems += 1
            }
        }
        let views = rows.views.upserts
        plan.changes.views.append(new(list.views, beside: views, resolver), after: views)
        plan.changes.tags.append(resolver.added(), after: tags)
        return plan
    }

    /// Returns the views of `imported` that `stored` does not contain, without their ranks. A view
    /// alone does not create a tag: if its tag neither exists nor is created for another reason,
    /// the view has none.
    private func new(
        _ imported: [ImportedView], beside stored: [SavedView], _ resolver: TagResolver
    ) -> [SavedView] {
        let ids = Set(stored.map(\.id))
        let names = Set(stored.map { Tag.fold($0.name) })
        let new = imported.filter { view in
            !(view.id.map(ids.contains) ?? false) && !names.contains(Tag.fold(view.name))
        }
        return new.map { imported in
            var view = SavedView(id: imported.id ?? makeID())
            for field in SavedView.fields {
                if case .tag(let accessor) = field.value {
                    let name = imported.tags[field.name]
                    accessor.set(&view, name.flatMap(resolver.existingID))
                } else {
                    field.copy(from: imported.draft, to: &view)
                }
            }
            return view
        }
    }
}

extension ImportedList {
    /// Returns the list with tag names derived from its texts (``Tag/name(from:)``), except for
    /// names that exist in `tags`. Tags without a resulting name are removed.
    func normalizingTagNames(existing tags: [Tag]) -> ImportedList {
        let stored = Set(tags.map(\.foldedName))
        var names: [String: String?] = [:]
        func name(_ text: String) -> String? {
            if let name = names[text] { return name }
            let name = stored.contains(Tag.fold(text)) ? text : Tag.name(from: text)
            names[text] = .some(name)
            return name
        }
        var list = self
        list.tags = self.tags.compactMap { tag in
            name(tag.name).map {
                var tag = tag
                tag.name = $0
                return tag
            }
        }
        for index in list.items.indices {
            if let texts = list.items[index].tags {
                list.items[index].tags = texts.compactMap(name)
            }
        }
        for index in list.views.indices {
            list.views[index].tags = list.views[index].tags.compactMapValues(name)
        }
        return isTodoTxt ? list.resolvingTodoTags(among: tags) : list
    }

    /// Returns the list of a todo.txt file with its tag words replaced by the names of the `tags`
    /// to which they refer. Each word refers to the tag that an export writes as that word, so that
    /// the line comes back as it was: `@context` may also refer to the tag `context`, but
    /// `+project` only to the tag of that name.
    private func resolvingTodoTags(among tags: [Tag]) -> ImportedList {
        var spelled: Set<String> = []
        let names = (self.tags.map(\.name) + items.lazy.flatMap { $0.tags ?? [] })
            .filter { spelled.insert($0).inserted }
        var text = TextTags(KnownTags(tags), names: names)
        var found: [String: String] = [:]
        for name in names where name.utf8.first != UInt8(ascii: "+") {
            guard let tag = text.tag(for: name), tag.foldedName != Tag.fold(name) else { continue }
            found[name] = tag.name
        }
        guard !found.isEmpty else { return self }
        var list = self
        for index in list.tags.indices {
            list.tags[index].name = found[list.tags[index].name] ?? list.tags[index].name
        }
        for index in list.items.indices {
            list.items[index].tags = list.items[index].tags?.map { found[$0] ?? $0 }
        }
        return list
    }
}

/// Finds tags by name, and creates those that are missing.
private struct TagResolver {
    private let makeID: @Sendable () -> UUID
    private var usedIDs: Set<Tag.ID>
    private var ids: [String: Tag.ID] = [:]
    /// The ids found so far, by the exact name. A text can repeat a few names hundreds of thousands
    /// of times, and folding is slow.
    private var idsByExactName: [String: Tag.ID] = [:]
    private var new: [(id: Tag.ID, name: String, color: TagColor)] = []
    private var nextColor: Int

    init(_ tags: [Tag], makeID: @escaping @Sendable () -> UUID) {
        self.makeID = makeID
        usedIDs = Set(tags.map(\.id))
        nextColor = tags.count
        for tag in tags { ids[tag.foldedName] = tag.id }
    }

    /// Creates `tag` unless a tag with its name exists. The new tag keeps its id unless another tag
    /// has that id.
    mutating func add(_ tag: ImportedTag) {
        let folded = Tag.fold(tag.name)
        guard ids[folded] == nil else { return }
        let id = tag.id.flatMap { usedIDs.contains($0) ? nil : $0 } ?? makeID()
        usedIDs.insert(id)
        ids[folded] = id
        new.append((id, tag.name, tag.color ?? color()))
    }

    mutating func id(named name: String) -> Tag.ID {
        if let id = idsByExactName[name] { return id }
        add(ImportedTag(name: name))
        let id = ids[Tag.fold(name), default: makeID()]
        idsByExactName[name] = id
        return id
    }

    func existingID(named name: String) -> Tag.ID? { ids[Tag.fold(name)] }

    /// Returns the created tags, in order, without their ranks.
    func added() -> [Tag] {
        new.map { Tag(id: $0.id, name: $0.name, color: $0.color, rank: .middle) }
    }

    private mutating func color() -> TagColor {
        defer { nextColor += 1 }
        return TagColor.allCases[nextColor % TagColor.allCases.count]
    }
}
