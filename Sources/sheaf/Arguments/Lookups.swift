import FoundationEssentials
import SheafList

/// A lookup of items by ids on the command line. It finds exactly one item for each id, or fails.
struct ItemLookup: Sendable {
    let storage: any ListStorage
    /// True if the command has `--where`, which an error then suggests.
    var hasQuery = false

    /// Returns the items in the order of `references`, without duplicates. Whole ids are looked up
    /// together, prefixes one by one.
    ///
    /// - Throws: ``CommandFailure`` for an id that matches no item or several, or `StorageError`.
    func items(_ references: [ItemReference]) async throws -> [Item] {
        var ids: [Item.ID] = []
        for reference in references { ids.append(try await id(reference)) }
        ids = ids.withoutRepeats { $0 }
        let found = Dictionary(
            try await storage.loadItems(ids: ids).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return try ids.map { id in
            guard let item = found[id] else { throw unknown(id.uuidString.lowercased()) }
            return item
        }
    }

    /// Returns the item that `reference` identifies.
    func item(_ reference: ItemReference) async throws -> Item {
        try await items([reference])[0]
    }

    private func id(_ reference: ItemReference) async throws -> Item.ID {
        if reference.prefix.isWhole { return reference.prefix.range.lowerBound }
        let limit = shownChoices + 1
        let ids = try await storage.itemIDs(in: reference.prefix.range, limit: limit)
        guard let id = ids.first else { throw unknown(reference.text) }
        guard ids.count > 1 else { return id }
        let candidates = try await storage.loadItems(ids: Array(ids.prefix(shownChoices)))
            .sorted { $0.id < $1.id }
        throw CommandFailure(
            .failure,
            "\(shortenedInput(reference.text)): several items match this id; give more digits."
                + " Nothing was changed.",
            details: choices(candidates) + (ids.count == limit ? ["…"] : []))
    }

    private func unknown(_ id: String) -> CommandFailure {
        let pointer = hasQuery ? " To find items by words, use --where." : ""
        return CommandFailure(
            .failure, "\(shortenedInput(id)): no item has this id. Nothing was changed.\(pointer)")
    }
}

/// A lookup of tags by name, with or without `#`, or by id.
///
/// If no tag has the name and only one tag has it after a sigil, the name matches that tag: `roof`
/// matches the tag `+roof`. But `#roof` matches only the tag `roof`.
struct TagLookup: Sendable {
    /// All tags of the list, in order.
    let tags: [Tag]

    /// The error message for a tag name that is blank or only a sigil.
    static let nameless = "The name of a tag cannot be blank or only #."

    /// Returns the name of a tag in `argument`.
    ///
    /// - Throws: ``CommandFailure`` if it contains none.
    static func name(_ argument: String) throws -> String {
        guard let name = Tag.name(from: argument) else { throw CommandFailure(.usage, nameless) }
        return name
    }

    /// Returns the tag for `argument`: the tag with this name, or else the only one that has the
    /// name after a sigil or whose id has this prefix.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or several.
    func tag(_ argument: String) throws -> Tag {
        if let tag = tag(named: argument) { return tag }
        let prefix = IDPrefix(ifValid: argument)
        let fitting = tags.filter {
            isNamed($0, withoutSigil: argument) || prefix?.range.contains($0.id) ?? false
        }
        guard let tag = try only(fitting, argument) else { throw unknown(argument) }
        return tag
    }

    /// Returns the tags for `arguments`, without duplicates.
    func tags(_ arguments: [String]) throws -> [Tag] {
        try arguments.map(tag).withoutRepeats(\.id)
    }

    /// Returns the tag for `argument`, or a new tag with this name, without its rank. Only a whole
    /// id counts as an id, because a prefix may also be a new name.
    func tagOrNew(_ argument: String) throws -> (tag: Tag, isNew: Bool) {
        if let tag = tag(named: argument) { return (tag, false) }
        if IDPrefix(ifValid: argument)?.isWhole ?? false { return (try tag(argument), false) }
        if let tag = try tag(withoutSigil: argument) { return (tag, false) }
        return (.new(try Self.name(argument), among: tags), true)
    }

    /// Returns the tag whose name is `argument` including its `#`, or else without it.
    func tag(named argument: String) -> Tag? {
        tags.first(named: argument)
            ?? Tag.name(from: argument).flatMap { tags.first(named: $0) }
    }

    /// Returns the name of the tag that `argument` matches, or the name that it gives to a new tag.
    ///
    /// - Throws: ``CommandFailure`` if it matches several, or contains no name.
    func nameOrNew(_ argument: String) throws -> String {
        let tag = try tag(named: argument) ?? tag(withoutSigil: argument)
        return try tag?.name ?? Self.name(argument)
    }

    /// Returns the only tag whose name is `argument` after a sigil.
    private func tag(withoutSigil argument: String) throws -> Tag? {
        try only(tags.filter { isNamed($0, withoutSigil: argument) }, argument)
    }

    private func isNamed(_ tag: Tag, withoutSigil argument: String) -> Bool {
        tag.nameWithoutSigil.map(Tag.fold) == Tag.fold(argument)
    }

    private func only(_ fitting: [Tag], _ argument: String) throws -> Tag? {
        guard fitting.count > 1 else { return fitting.first }
        throw CommandFailure(
            .failure,
            "\(shortenedInput(argument)): several tags match; give a whole name, or more of an id."
                + " Nothing was changed.",
            details: choices(fitting))
    }

    private func unknown(_ argument: String) -> CommandFailure {
        CommandFailure(
            .failure,
            "\(shortenedInput(argument)): no such tag; 'sheaf tag list' shows all."
                + " Nothing was changed.")
    }
}

extension Tag {
    /// Creates a tag with this name for a list with `tags`. The caller must set its rank.
    static func new(_ name: String, among tags: [Tag] = []) -> Tag {
        Tag(id: UUID.random(), name: name, color: .minUsed(among: tags), rank: .middle)
    }
}

/// A lookup of saved views by name, or by the first digits of an id.
struct ViewLookup: Sendable {
    /// All views of the list, in order.
    let views: [SavedView]

    /// Returns the view for `argument`: the view with this name, or else the one whose id has this
    /// prefix.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or several.
    func view(_ argument: String) throws -> SavedView {
        let folded = Tag.fold(argument)
        let named = views.filter { $0.foldedName == folded }
        let prefix = IDPrefix(ifValid: argument)
        let fitting =
            named.isEmpty ? views.filter { prefix?.range.contains($0.id) ?? false } : named
        guard let view = fitting.first else {
            throw CommandFailure(
                .failure,
                "\(quoted(argument)): no such view; 'sheaf view list' shows all.")
        }
        guard fitting.count == 1 else {
            throw CommandFailure(
                .failure,
                "\(quoted(argument)): several views match; give more of an id.",
                details: choices(fitting))
        }
        return view
    }

    /// Returns the views for `arguments`, without duplicates.
    func views(_ arguments: [String]) throws -> [SavedView] {
        try arguments.map(view).withoutRepeats(\.id)
    }

    /// Returns the name in `argument`, for the view `id` or for a new view.
    ///
    /// - Throws: ``CommandFailure`` if it contains none, or if another view has the name.
    func freeName(_ argument: String, for id: SavedView.ID? = nil) throws -> String {
        let name = try Self.name(argument)
        if let other = views.first(named: name, except: id) {
            throw CommandFailure(
                .failure, "A view \(quoted(other.name)) already exists. Nothing was changed.")
        }
        return name
    }

    /// Returns the name of a view in `argument`.
    ///
    /// - Throws: ``CommandFailure`` if it contains none.
    static func name(_ argument: String) throws -> String {
        guard let name = SavedView.name(from: argument) else {
            throw CommandFailure(.usage, "The name of a view cannot be blank.")
        }
        return name
    }
}

extension SavedView {
    /// Returns the search of the view in a list with these tags.
    ///
    /// - Throws: ``CommandFailure`` if the list cannot answer the query.
    func found(in tags: [Tag]) throws -> ItemSearch {
        do {
            return try search(tags: tags, now: .now, calendar: .system)
        } catch {
            throw CommandFailure(
                .failure, "The query of the view \(quoted(name)) is invalid: \(error)")
        }
    }
}

/// The maximum number of entities that an error lists as choices.
private let shownChoices = 5

/// Returns the ids and the names of the first entities, a line each.
private func choices<Entity: ListEntity>(_ entities: [Entity]) -> [String] {
    entities.prefix(shownChoices).map { "\($0.id.uuidString.lowercased())  \(quoted($0.name))" }
}

extension IDPrefix {
    /// Creates the prefix that `text` represents, or `nil` if it represents none.
    init?(ifValid text: String) {
        do throws(Failure) {
            try self.init(text)
        } catch {
            return nil
        }
    }
}

extension Array {
    /// Returns the elements without those whose `key` has occurred before.
    fileprivate func withoutRepeats(_ key: (Element) -> UUID) -> [Element] {
        var seen: Set<UUID> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
