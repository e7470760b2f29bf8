import SheafList

/// The parts of an item's line that no field stores. An export writes them unchanged. They are
/// extras of the item.
struct MarkdownSpelling {
    /// The character in its box, except in `- [ ]` and `- [x]`.
    var box: String?
    /// The signs of the Tasks plugin for Obsidian that its fields had, in their order.
    var signs: [TaskSign] = []
    /// The comments and the link after it.
    var end = ""

    private static let boxKey = "markdown-box"
    private static let signsKey = "markdown-signs"
    private static let endKey = "markdown-end"

    /// Creates the spelling of a line that was read.
    init(box: String?, _ signs: [TaskSign], end: String) {
        self.box = box.flatMap { [" ", "x", "X"].contains($0) ? nil : $0 }
        self.signs = signs
        self.end = end
        let isDone = box.map(MarkdownSyntax.isClosed) ?? false
        // The plugin adds the completion day to a completed item.
        if !signs.isEmpty, !isDone, let done = TaskSign(of: "✅") { self.signs.append(done) }
    }

    /// Creates the spelling from `extras`.
    init(_ extras: [Item.Extra]) {
        for extra in extras where Self.isExtra(extra) {
            switch extra.key {
            case Self.boxKey where box == nil: box = extra.value
            case Self.signsKey where signs.isEmpty: signs = Self.signs(extra.value)
            case Self.endKey where end.isEmpty: end = extra.value
            default: break
            }
        }
    }

    var extras: [Item.Extra] {
        [
            (Self.boxKey, box ?? ""), (Self.signsKey, signs.map(\.text).joined()),
            (Self.endKey, end),
        ].filter { !$1.isEmpty }.map(Item.Extra.init)
    }

    /// Returns the extras that are not part of a spelling. Only these may be in a comment.
    static func others(_ extras: [Item.Extra]) -> [Item.Extra] {
        extras.filter { !isExtra($0) }
    }

    /// Returns true if `extra` is a part of a spelling.
    static func isExtra(_ extra: Item.Extra) -> Bool {
        switch extra.key {
        case boxKey: MarkdownSyntax.isBox(extra.value)
        case signsKey: !signs(extra.value).isEmpty
        case endKey: isEnd(extra.value)
        default: false
        }
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
    private static func isEnd(_ text: String) -> Bool {
        let (name, hidden, end) = MarkdownItem.withoutEnd(Array("- \(text)".utf8)[...])
        return name.count == 1 && hidden == nil && end.utf8.elementsEqual(text.utf8)
    }
}
