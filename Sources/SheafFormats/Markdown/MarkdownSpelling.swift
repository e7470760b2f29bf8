import SheafList

/// The parts of an item's line that no field holds: an export writes them as they were. They are
/// extras of the item.
struct MarkdownSpelling {
    /// The character in its box, unless it is one of `- [ ]` and `- [x]`.
    var box: String?
    /// The signs of the Tasks plugin for Obsidian that its fields had, in their order.
    var signs: [TaskSign] = []
    /// The comments and the link after it.
    var end = ""

    private static let boxKey = "markdown-box"
    private static let signsKey = "markdown-signs"
    private static let endKey = "markdown-end"

    /// The spelling of a line that was read.
    init(box: String?, _ signs: [TaskSign], end: String) {
        self.box = box.flatMap { [" ", "x", "X"].contains($0) ? nil : $0 }
        self.signs = signs
        self.end = end
        let isDone = box.map(MarkdownSyntax.isClosed) ?? false
        // Once it is done, it has the day, as in the plugin.
        if !signs.isEmpty, !isDone, let done = TaskSign(of: "✅") { self.signs.append(done) }
    }

    /// The spelling that `extras` say.
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

    /// Those of `extras` that are no part of a spelling. The others are never in a comment.
    static func others(_ extras: [Item.Extra]) -> [Item.Extra] {
        extras.filter { !isExtra($0) }
    }

    /// True if `extra` is a part of a spelling.
    static func isExtra(_ extra: Item.Extra) -> Bool {
        switch extra.key {
        case boxKey: MarkdownSyntax.isBox(extra.value)
        case signsKey: !signs(extra.value).isEmpty
        case endKey: isEnd(extra.value)
        default: false
        }
    }

    /// The most bytes of a list of signs: more than all of them have.
    private static let longestSigns = 200

    /// The signs that `text` is made of; none if it has anything else.
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

    /// True if `text` is comments and a link, as a line may end in them.
    private static func isEnd(_ text: String) -> Bool {
        let (name, hidden, end) = MarkdownItem.withoutEnd(Array("- \(text)".utf8)[...])
        return name.count == 1 && hidden == nil && end.utf8.elementsEqual(text.utf8)
    }
}
