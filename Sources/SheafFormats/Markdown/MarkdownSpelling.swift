import SheafList

/// The parts of an item's line that no field stores. An export writes them unchanged. They are
/// extras of the item.
struct MarkdownSpelling {
    /// The heading above the item, with its mark: `## Garden`.
    var heading = ""
    /// The tags at the beginning of the line: `#task #home`.
    var firstTags = ""
    /// The character in the item's box, except in `- [ ]` and `- [x]`.
    var box: String?
    /// The signs of the Tasks plugin for Obsidian that the item's fields had, in their order.
    var signs: [TaskSign] = []
    /// The comments and the link at the end of the line.
    var trailer = ""

    private static let boxKey = "markdown-box"
    private static let signsKey = "markdown-signs"
    private static let trailerKey = "markdown-end"

    /// Creates the spelling of a line that was read. A heading that could not be written again,
    /// such as one with a carriage return, is only a tag.
    init(heading: String, firstTags: String, box: String?, _ signs: [TaskSign], trailer: String) {
        self.heading = Self.title(ofHeading: heading) == nil ? "" : heading
        self.firstTags = firstTags
        self.box = box.flatMap { [" ", "x"].contains($0) ? nil : $0 }
        self.signs = signs
        self.trailer = trailer
        let isDone = box.map(MarkdownSyntax.isClosed) ?? false
        // The plugin adds the completion day to a completed item.
        if !signs.isEmpty, !isDone, let done = TaskSign(of: "✅") { self.signs.append(done) }
    }

    /// Creates the spelling from `extras`.
    init(_ extras: [Item.Extra]) {
        for extra in extras where Self.isExtra(extra) {
            switch extra.key {
            case Item.Extra.headingKey where heading.isEmpty: heading = extra.value
            case Item.Extra.firstTagsKey where firstTags.isEmpty: firstTags = extra.value
            case Self.boxKey where box == nil: box = extra.value
            case Self.signsKey where signs.isEmpty: signs = Self.signs(extra.value)
            case Self.trailerKey where trailer.isEmpty: trailer = extra.value
            default: break
            }
        }
    }

    var extras: [Item.Extra] {
        [
            (Item.Extra.headingKey, heading), (Item.Extra.firstTagsKey, firstTags),
            (Self.boxKey, box ?? ""), (Self.signsKey, signs.map(\.text).joined()),
            (Self.trailerKey, trailer),
        ].filter { !$1.isEmpty }.map(Item.Extra.init)
    }

    /// Returns `extras` with the spelling of an item whose fields an export writes as signs.
    static func withSigns(_ extras: [Item.Extra]) -> [Item.Extra] {
        var spelling = MarkdownSpelling(extras)
        guard spelling.signs.isEmpty, let done = TaskSign(of: "✅") else { return extras }
        spelling.signs = [done]
        return spelling.extras + extras.filter { !isExtra($0) }
    }

    /// Returns the extras that are not part of a spelling, in Markdown or in a todo.txt. Only these
    /// may be in a comment.
    static func others(_ extras: [Item.Extra]) -> [Item.Extra] {
        extras.filter { !isExtra($0) && !TodoTask.canBeLine($0) }
    }

    /// Returns true if `extra` is a part of a spelling. If a tag is renamed, its heading or word
    /// may become one that Markdown cannot spell. It still counts as a part, so that no comment
    /// stores it.
    static func isExtra(_ extra: Item.Extra) -> Bool {
        switch extra.key {
        case Item.Extra.headingKey: extra.value.utf8.first == UInt8(ascii: "#")
        case Item.Extra.firstTagsKey:
            extra.value.split(separator: " ").allSatisfy { $0.utf8.first == UInt8(ascii: "#") }
        case boxKey: MarkdownSyntax.isBox(extra.value)
        case signsKey: !signs(extra.value).isEmpty
        case trailerKey: isTrailer(extra.value)
        default: false
        }
    }

    /// Returns the text of a heading such as `## Garden`, or `nil` if `heading` is not spelled like
    /// that.
    static func title(ofHeading heading: String) -> String? {
        guard let title = MarkdownSyntax.heading(heading), MarkdownWriter.isHeading(title) else {
            return nil
        }
        let mark = heading.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        return heading.utf8.dropFirst(mark + 1).elementsEqual(title.utf8) ? title : nil
    }

    /// Returns the name of the tag that a heading such as `## Garden` gives the items below it.
    static func tag(ofHeading heading: String) -> String? {
        title(ofHeading: heading).flatMap(Tag.name(from:))
    }

    /// The maximum number of bytes in a list of signs, more than all signs together have.
    private static let longestSigns = 200

    /// Returns the signs in `text`, or none if it contains anything else.
    private static func signs(_ text: String) -> [TaskSign] {
        var signs: [TaskSign] = []
        guard text.utf8.count <= longestSigns else { return signs }
        var rest = text
        while let sign = TaskSign(of: rest) {
            signs.append(sign)
            rest = sign.rest(of: rest)
        }
        return rest.isEmpty ? signs : []
    }

    /// Returns true if `text` consists of comments and a link, which can end a line.
    private static func isTrailer(_ text: String) -> Bool {
        let (name, hidden, isUntagged, trailer) = MarkdownItem.splitTrailer(
            Array("- \(text)".utf8)[...])
        return name.count == 1 && hidden == nil && !isUntagged
            && trailer.utf8.elementsEqual(text.utf8)
    }
}
