import FoundationEssentials
import SheafCore

/// Finds the tags that arguments mean: by name, with or without `#`, or by id.
struct TagLookup: Sendable {
    /// All tags of the list, in their order.
    let tags: [Tag]

    /// What is said of a text that gives a tag no name.
    static let nameless = "A tag needs a name that is more than white space and #."

    /// The name that `argument` gives a tag.
    ///
    /// - Throws: ``CommandFailure`` if it gives none.
    static func name(_ argument: String) throws -> String {
        guard let name = Tag.name(from: argument) else { throw CommandFailure(.usage, nameless) }
        return name
    }

    /// The tag that `argument` means: the one of this name, or else the one whose id begins so.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or several.
    func tag(_ argument: String) throws -> Tag {
        if let tag = tag(named: argument) { return tag }
        let prefix = prefix(argument)
        let fitting = tags.filter { prefix?.range.contains($0.id) ?? false }
        guard fitting.count <= 1 else {
            throw CommandFailure(
                .failure,
                "\(cited(argument)): several tags have an id that begins so; give more of it, or a name."
                    + " Nothing was changed.",
                details: fitting.prefix(5).map {
                    "\($0.id.uuidString.lowercased())  \(quoted($0.name))"
                })
        }
        guard let tag = fitting.first else { throw unknown(argument) }
        return tag
    }

    /// The tags that `arguments` mean, each once.
    func tags(_ arguments: [String]) throws -> [Tag] {
        var seen: Set<Tag.ID> = []
        return try arguments.map(tag).filter { seen.insert($0.id).inserted }
    }

    /// The tag that `argument` means, or a new last one of this name. Only a whole id counts as one, because what
    /// looks like the beginning of an id may just as well be a new name.
    func tagOrNew(_ argument: String) throws -> (tag: Tag, isNew: Bool) {
        if let tag = tag(named: argument) { return (tag, false) }
        if prefix(argument)?.isWhole ?? false { return (try tag(argument), false) }
        let new = Tag(
            id: UUID.random(), name: try Self.name(argument), color: .leastUsed(among: tags),
            rank: .between(tags.last?.rank, nil))
        return (new, true)
    }

    /// The tag whose name is `argument`, sign and all, or else without its `#`.
    func tag(named argument: String) -> Tag? {
        let folded = Tag.fold(argument)
        if let tag = tags.first(where: { $0.foldedName == folded }) { return tag }
        guard let name = Tag.name(from: argument).map(Tag.fold) else { return nil }
        return tags.first { $0.foldedName == name }
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
            "\(cited(argument)): there is no such tag; 'sheaf tag list' shows all."
                + " Nothing was changed.")
    }
}
