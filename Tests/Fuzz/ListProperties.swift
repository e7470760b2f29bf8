import SheafList
import SheafTestSupport
import Swidux

@testable import SheafFormats
@testable import SheafStorage

/// A format that promises to keep a list returns it, for any content.
enum ListProperties {
    static func check(_ bytes: [UInt8]) throws {
        let list = list(bytes)
        for form in [ListWriter.Form.jsonList, .jsonStore] {
            let text = try list.text(form)
            var named = list
            named.items.removeAll { $0.name.isEmpty }
            try expectSame(named, try ListText(text.utf8, .json), in: text)
        }
        var shown = list
        for index in shown.items.indices where shown.items[index].name.isEmpty {
            shown.items[index].name = " "
        }
        let markdown = try list.text(.markdown)
        try expectSame(
            shown.without(TodoTask.canBeLine), try ListText(markdown.utf8, .markdown), in: markdown)
        shown = shown.without(MarkdownSpelling.isExtra)
        let todo = try list.text(.todotxt)
        try expectSameInTodoTxt(shown, todo)
        // Of "A" and "@a", which there are one tag, one spelling stays.
        let again = try ListText(todo.utf8, .todotxt).text(.todotxt)
        try expectSameInTodoTxt(shown, again)
        try expectSame(try ListText(again.utf8, .todotxt).text(.todotxt), again, "a todo.txt")
        _ = try ListText(list.text(.lines).utf8, .lines)
    }

    /// - Throws: ``Broken`` unless `text` tells `list` but for times, the order of pairs, the case
    ///   of tags, and the lines that an import kept. Tags without a sigil have become contexts.
    ///   Items with words in their names that may be tags or pairs are there, but not compared.
    static func expectSameInTodoTxt(_ list: ListText, _ text: String) throws {
        let spelled = [list, try ListText(text.utf8, .todotxt)].map { list in
            var list = list
            for index in list.items.indices {
                list.items[index].extras = list.items[index].extras
                    .filter { $0.key != TodoTask.lineKey }
                    .sorted { bytes($0).lexicographicallyPrecedes(bytes($1)) }
            }
            return list
        }
        try expect(spelled[0].items.count == spelled[1].items.count, text.debugDescription)
        let plain = list.items.indices.filter { index in
            !list.items[index].name.utf8.contains { "+@#:\\".utf8.contains($0) }
        }
        let compared = spelled.map { list in
            ListText(items: plain.map { list.items[$0] }, tags: list.tags, views: list.views)
        }
        try expectSame(compared[0], compared[1], in: text) { name in
            // By bytes: a combining mark behind it does not take the sigil away.
            let hasSigil =
                name.utf8.count > 1
                && (name.utf8.starts(with: "+".utf8) || name.utf8.starts(with: "@".utf8))
            return Tag.fold(hasSigil ? name : "@" + name)
        }
    }

    private static func bytes(_ extra: Item.Extra) -> [UInt8] {
        Array(extra.key.utf8) + [0xff] + Array(extra.value.utf8)
    }

    // MARK: Lists made of bytes

    /// Bytes that are in no text divide it: items, their fields, a pair; one says that it is done.
    /// The fields are a name, a note, and then tags and pairs.
    private static func list(_ bytes: [UInt8]) -> ListText {
        var list = ListText(items: [], tags: [])
        let parts = bytes.split(separator: 0xfe, omittingEmptySubsequences: false)
        let ranks = Rank.spread(parts.count, between: nil, and: nil)
        for (number, part) in parts.enumerated() {
            var item = Item(
                id: Fixtures.id(number), name: "", rank: ranks[number], createdAt: Fixtures.now)
            let isDone = part.first == 0xfc
            item.doneAt = isDone ? Fixtures.now : nil
            let fields = part.dropFirst(isDone ? 1 : 0).split(
                separator: 0xff, omittingEmptySubsequences: false)
            for (place, field) in fields.enumerated() {
                switch place {
                case 0: item.name = text(field)
                case 1: item.note = text(field)
                default: add(field, to: &item, of: &list)
                }
            }
            // A text that spells a day is one.
            _ = item.convertFormerExtras(tags: []) { _ in true }
            list.items.append(item)
        }
        return list
    }

    private static func add(
        _ field: ArraySlice<UInt8>, to item: inout Item, of list: inout ListText
    ) {
        if let middle = field.firstIndex(of: 0xfd) {
            item.extras.append(
                Item.Extra(key: text(field[..<middle]), value: text(field[(middle + 1)...])))
            return
        }
        let name = text(field)
        guard !Tag.fold(name).isEmpty else { return }
        if let tag = list.tags.first(where: { $0.foldedName == Tag.fold(name) }) {
            item.tags.insert(tag.id)
            return
        }
        let tag = Tag(
            id: Fixtures.id(100_000 + list.tags.count), name: name, color: .blue,
            rank: Rank.between(list.tags.last?.rank, nil))
        list.tags.append(tag)
        item.tags.insert(tag.id)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
