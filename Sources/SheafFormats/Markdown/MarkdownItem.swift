import FoundationEssentials
import SheafList

/// The text of an item's line behind its box.
///
///     The name #tag #to%20read due:2026-03-06 <!-- sheaf: {"extras": [["key", "value"]]} -->
///
/// Words at the end that begin with `#` are tags, and some say days, a repeat and a priority: see
/// ``MarkdownTail``. A backslash before the last word of a name says that it is none of them. What
/// Markdown does not show stands in a comment: `extras`, and a `name` or `note` that the text
/// cannot spell.
struct MarkdownItem {
    var name: String
    var note: String?
    var tags: [String] = []
    var extras: [Item.Extra] = []
    /// The days when it was made and done; nil if the line does not say them.
    private(set) var createdOn: CalendarDay?
    private(set) var doneOn: CalendarDay?
    /// The fields that the line or the comment says.
    private(set) var said: ImportedItem?
    /// The item that is written.
    private var rest = Self.blank

    private static let commentStart = " <!-- sheaf: "
    private static let commentEnd = " -->"
    private static let backslash = UInt8(ascii: "\\")

    /// What `text`, without white space around it, says of an item that is done or is not.
    init(_ text: String, isDone: Bool = false) {
        var text = text
        let hidden = Self.takeHidden(from: &text)
        // The words of the name in the comment say nothing else, unless the text was renamed.
        let all = Self.words(text)
        let named = hidden?.name.map(Self.words) ?? []
        let nameCount = hidden?.name != nil && all.starts(with: named) ? named.count : 1
        let tail = MarkdownTail(all, nameCount: nameCount, isDone: isDone)
        var seen: Set<String> = []
        tags = tail.tags.filter { seen.insert($0).inserted }
        let words = tail.words
        var rest = Array(text.utf8.prefix(words.last.map { $0.endIndex } ?? 0))
        if tail.kept.isEmpty, Self.isEscaped(words), let last = words.last {
            rest.remove(at: last.startIndex)
        }
        for word in tail.kept { rest += (rest.isEmpty ? [] : [0x20]) + word }
        name = String(decoding: rest, as: UTF8.self)
        if let exact = hidden?.name, Self.words(exact) == Self.words(name) { name = exact }
        note = hidden?.item.note
        extras = hidden?.item.extras ?? []
        (createdOn, doneOn) = (tail.createdOn, tail.doneOn)
        guard hidden != nil || !tail.fields.isEmpty else { return }
        said = hidden?.item ?? ImportedItem(name: name)
        said?.take(tail.fields, from: tail.item)
    }

    /// What a line shows of `item`, before anything is hidden. A name of nothing becomes a space.
    init(_ item: Item, tags: [String]) {
        name = item.name.isEmpty ? " " : item.name
        self.tags = tags
        extras = item.extras
        rest = item
    }

    /// The text for the line. The name is in the comment if the words alone would not bring it
    /// back.
    var text: String {
        let flat = name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        var shown = MarkdownSyntax.trimmed(String(decoding: flat, as: UTF8.self))
        let words = Self.words(shown)
        if let last = words.last, Self.saysMore(words) {
            var bytes = Array(shown.utf8)
            bytes.insert(Self.backslash, at: last.startIndex)
            shown = String(decoding: bytes, as: UTF8.self)
        }
        let fields = TodoTask.fields.compactMap { word in
            word.spelling.get(rest).map { TodoWord.pair(word.key, $0) }
        }
        let parts =
            (shown.isEmpty ? [] : [shown]) + tags.map(MarkdownSyntax.word(forTag:)) + fields
        let line = parts.joined(separator: " ")
        let read = MarkdownItem(line, isDone: true)
        let isExact = read.name.utf8.elementsEqual(name.utf8) && read.tags.count == tags.count
        return line + hidden(name: isExact ? nil : name)
    }

    // MARK: Words

    /// The words of `text`, as slices of its bytes.
    private static func words(_ text: String) -> [ArraySlice<UInt8>] {
        Array(text.utf8).split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Whether the words would say more than a name without the backslashes before the last one.
    private static func saysMore(_ words: [ArraySlice<UInt8>]) -> Bool {
        guard let last = words.last else { return false }
        let bare = words.dropLast() + [last.drop { $0 == backslash }]
        return !MarkdownTail(Array(bare), nameCount: 0, isDone: true).isEmpty
    }

    /// Whether a backslash keeps the last word in the name.
    private static func isEscaped(_ words: [ArraySlice<UInt8>]) -> Bool {
        words.last?.first == backslash && saysMore(words)
    }

    // MARK: Comments

    /// Fields that the line shows, or that a checklist leaves out.
    private static let shown = Set(
        ["tags", "doneAt", "rank", "createdAt", "updatedAt"] + TodoTask.fields.map(\.field))
    private static let blank = Item(id: ImportedItem.noID)

    private func hidden(name: String?) -> String {
        var item = rest
        item.extras = extras
        if let name { item.name = name }
        if let note { item.note = note }
        for word in TodoTask.fields { _ = word.spelling.set(&item, nil) }
        let fields = Item.fields.filter { field in
            switch field.name {
            case "name": name != nil
            case "note": note != nil
            default: !Self.shown.contains(field.name) && !field.isSame(in: item, as: Self.blank)
            }
        }
        guard !fields.isEmpty else { return "" }
        var bytes: [UInt8] = []
        EntityJSON(fields, hasID: false).append(item, to: &bytes)
        // JSON that neither begins nor ends a comment.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("<", with: "\\u003c").replacing(">", with: "\\u003e")
        return Self.commentStart + text + Self.commentEnd
    }

    /// Takes the comment off the end of `text`. One that is not as Sheaf writes it stays text.
    private static func takeHidden(
        from text: inout String
    ) -> (item: ImportedItem, name: String?)? {
        guard text.hasSuffix(commentEnd),
            let start = (" " + text).ranges(of: commentStart).last?.lowerBound
        else { return nil }
        let padded = " " + text
        let json = padded[start...].dropFirst(commentStart.count).dropLast(commentEnd.count)
        var scanner = JSONScanner(Data(json.utf8))
        do throws(FormatError) {
            guard case .object(var members) = try scanner.value() else { return nil }
            try scanner.end()
            let hasName = members.contains { $0.key == "name" }
            if !hasName { members.append(.init(key: "name", value: .string("-"))) }
            var fields = try JSONFields(members, path: "")
            let item = try fields.item()
            text = MarkdownSyntax.trimmed(String(padded[..<start]))
            return (item, hasName ? item.name : nil)
        } catch {
            return nil
        }
    }
}
