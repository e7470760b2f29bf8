import FoundationEssentials
import Swidux

/// A label that any number of items can carry.
public struct Tag: Identifiable, Hashable, Sendable, Ranked {
    public let id: UUID
    /// Unique in a store after NFC and case folding: see ``foldedName``.
    public var name = ""
    public var color = TagColor.white
    public var rank = Rank.middle

    /// Each property but the id, once.
    public static let fields: [Field<Tag>] = [
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
    public init(id: UUID) { self.id = id }

    public init(id: UUID, name: String, color: TagColor, rank: Rank) {
        self.id = id
        self.name = name
        self.color = color
        self.rank = rank
    }

    /// How it is shown beside an item: `#book`. A name that has a sigil of its own, as todo.txt's
    /// projects and contexts have, needs none: `+garden`, `@home`.
    public var label: String { Self.label(ofName: name) }

    /// How a tag of that name is shown.
    package static func label(ofName name: String) -> String {
        name.sigil == nil ? "#\(name)" : name
    }

    /// Returns the name of a tag that `text` spells, or nil if it spells none: without white space
    /// around it, and without the `#` that tags are shown with. All code that names a tag calls
    /// this, so that every entrance accepts the same names. A name is the name of itself.
    public static func name(from text: String) -> String? {
        let trimmed = text.trimmed
        guard trimmed.sigil == "#" else { return trimmed.isEmpty ? nil : trimmed }
        let name = trimmed.unicodeScalars.drop { $0 == "#" || String($0).trimmed.isEmpty }
        return name.isEmpty ? nil : String(name).trimmed
    }

    /// The name without the sigil that is a part of it, or nil if it has none: `garden` of
    /// `+garden`.
    public var nameWithoutSigil: String? {
        let rest = name.withoutFirstScalar.trimmed
        return name.sigil != nil && !rest.isEmpty ? rest : nil
    }

    /// Whether the name begins with the folded text `start`, a sigil in front of it or not.
    public func begins(with start: String) -> Bool {
        let name = foldedName
        return name.begins(withScalarsOf: start)
            || name.sigil != nil && name.withoutFirstScalar.begins(withScalarsOf: start)
    }

    /// `name` in NFC, case folded, without surrounding white space.
    public static func fold(_ name: String) -> String {
        name.trimmed
            .precomposed
            .lowercased()
            .precomposed
    }
}

/// The colours that a tag can have: the terminal's own palette, so that a theme applies to them.
public enum TagColor: String, CaseIterable, Hashable, Sendable {
    case blue, green, yellow, magenta, cyan, red, white
}
