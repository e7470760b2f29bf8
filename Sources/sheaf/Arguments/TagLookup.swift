import FoundationEssentials
import SheafList

/// Finds the tags that arguments mean: by name, with or without `#`, or by id.
///
/// Where no tag has a name, that name also means the one tag that has it after a sigil: `roof` the
/// tag `+roof`. Whoever writes `#roof` means no other tag than `roof`.
struct TagLookup: Sendable {
    /// All tags of the list, in their order.
    let tags: [Tag]

    /// What is said of a text that gives a tag no name.
    static let nameless = "The name of a tag cannot be blank or only #."

    /// The name that `argument` gives a tag.
    ///
    /// - Throws: ``CommandFailure`` if it gives none.
    static func name(_ argument: String) throws -> String {
        guard let name = Tag.name(from: argument) else { throw CommandFailure(.usage, nameless) }
        return name
    }

    /// The tag that `argument` means: the one of this name, or else the only one that has it after
    /// a sigil or whose id begins so.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or several.
    func tag(_ argument: String) throws -> Tag {
        if let tag = tag(named: argument) { return tag }
        let prefix = prefix(argument)
        let fitting = tags.filter {
            isNamed($0, withoutSigil: argument) || prefix?.range.contains($0.id) ?? false
        }
        guard let tag = try only(fitting, argument) else { throw unknown(argument) }
        return tag
    }

    /// The tags that `arguments` mean, each once.
    func tags(_ arguments: [String]) throws -> [Tag] {
        var seen: Set<Tag.ID> = []
        return try arguments.map(tag).filter { seen.insert($0.id).inserted }
    }

    /// The tag that `argument` means, or a new one of this name, without its rank. Only a whole id
    /// counts as an id, because the beginning of one may also be a new name.
    func tagOrNew(_ argument: String) throws -> (tag: Tag, isNew: Bool) {
        if let tag = tag(named: argument) { return (tag, false) }
        if prefix(argument)?.isWhole ?? false { return (try tag(argument), false) }
        if let tag = try tag(withoutSigil: argument) { return (tag, false) }
        let new = Tag(
            id: UUID.random(), name: try Self.name(argument), color: .leastUsed(among: tags),
            rank: .middle)
        return (new, true)
    }

    /// The tag whose name is `argument`, sign and all, or else without its `#`.
    func tag(named argument: String) -> Tag? {
        tags.first(named: argument)
            ?? Tag.name(from: argument).flatMap { tags.first(named: $0) }
    }

    /// The name of the tag that `argument` means, or that it gives a new one.
    ///
    /// - Throws: ``CommandFailure`` if it means several, or gives none.
    func nameOrNew(_ argument: String) throws -> String {
        let tag = try tag(named: argument) ?? tag(withoutSigil: argument)
        return try tag?.name ?? Self.name(argument)
    }

    /// The only tag whose name is `argument` after a sigil.
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
            "\(cited(argument)): this may be any of several tags; give a whole name, or more of an id."
                + " Nothing was changed.",
            details: fitting.prefix(5).map {
                "\($0.id.uuidString.lowercased())  \(quoted($0.name))"
            })
    }

    private func prefix(_ argument: String) -> IDPrefix? {
        do {
            return try IDPrefix(argument)
        } catch {
            return nil
        }
    }

    private func unknown(_ argument: String) -> CommandFailure {
        CommandFailure(
            .failure,
            "\(cited(argument)): no such tag; 'sheaf tag list' shows all."
                + " Nothing was changed.")
    }
}
