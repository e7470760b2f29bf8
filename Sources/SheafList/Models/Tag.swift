import FoundationEssentials
import Swidux

/// A label that any number of items can carry.
package struct Tag: Identifiable, Hashable, Sendable, Ranked {
    package let id: UUID
    /// The name, which is unique in a store after NFC and case folding: see ``foldedName``.
    package var name = ""
    package var color = TagColor.white
    package var rank = Rank.middle

    /// All properties except the id, each once.
    package static let fields: [Field<Tag>] = [
        .text("name", .mine, get: { $0.name }, set: { $0.name = $1 }),
        .word(
            "color", .mine, get: { $0.color.rawValue },
            set: { tag, text in
                guard let color = TagColor(rawValue: text) else { return false }
                tag.color = color
                return true
            }),
        .rank(),
    ]

    /// Creates a tag with the default value of every field.
    package init(id: UUID) { self.id = id }

    package init(id: UUID, name: String, color: TagColor, rank: Rank) {
        self.id = id
        self.name = name
        self.color = color
        self.rank = rank
    }

    /// The tag as shown beside an item: `#book`. A name that begins with a sigil, like todo.txt's
    /// projects and contexts, is shown without `#`: `+garden`, `@home`.
    package var label: String { Self.label(ofName: name) }

    /// Returns the label of a tag with that name.
    package static func label(ofName name: String) -> String {
        name.sigil == nil ? "#\(name)" : name
    }

    /// Returns the name of a tag that `text` spells, without white space around it and without the
    /// `#` of labels, or nil if it spells none. All code that names a tag calls this, so that all
    /// inputs accept the same names. A valid name is returned unchanged.
    package static func name(from text: String) -> String? {
        let trimmed = text.trimmed
        guard trimmed.sigil == "#" else { return trimmed.isEmpty ? nil : trimmed }
        let name = trimmed.unicodeScalars.drop { $0 == "#" || String($0).trimmed.isEmpty }
        return name.isEmpty ? nil : String(name).trimmed
    }

    /// The rest of a name that begins with a sigil, or nil if it does not: `garden` for `+garden`.
    package var nameWithoutSigil: String? {
        let rest = name.withoutFirstScalar.trimmed
        return name.sigil != nil && !rest.isEmpty ? rest : nil
    }

    /// Returns true if the folded name, with or without its sigil, is the folded text `name`.
    package func isNamed(_ name: String) -> Bool {
        foldedName == name || foldedName.sigil != nil && foldedName.withoutFirstScalar == name
    }

    /// Returns true if the folded name, with or without its sigil, begins with the folded text
    /// `start`.
    package func begins(with start: String) -> Bool {
        let name = foldedName
        return name.begins(withScalarsOf: start)
            || name.sigil != nil && name.withoutFirstScalar.begins(withScalarsOf: start)
    }

    /// Returns `name` in NFC, case folded, without surrounding white space.
    package static func fold(_ name: String) -> String {
        name.trimmed
            .precomposed
            .lowercased()
            .precomposed
    }
}

/// The colors of tags, from the terminal's palette, so that a theme applies to them.
package enum TagColor: String, CaseIterable, Hashable, Sendable {
    case blue, green, yellow, magenta, cyan, red, white
}
