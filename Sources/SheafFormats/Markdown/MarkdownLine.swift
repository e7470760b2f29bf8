import SheafList

/// The written form of an item's line.
struct MarkdownLine {
    private let item: Item
    /// The names of the tags outside the name.
    private var tags: [String]
    /// The ``tags`` that the original line had at its beginning, in its order.
    private var firstTags: [String] = []
    /// The folded names of the tags that are words of the name.
    private var namedTags: Set<String> = []
    /// The folded names of all tags. Empty if the name contains no `#`.
    private var known: Set<String> = []
    /// The heading above the line, with a mark, if the line has to be read below it.
    private let heading: String?
    /// True if the heading above the line is not a tag of the item.
    private let isUntagged: Bool
    private let spelling: MarkdownSpelling
    private let box: String
    private let calendar: LocalCalendar
    /// True if the note belongs in the comment, because indented lines cannot represent it.
    var hidesNote = false

    /// - Parameters:
    ///   - tags: The names of the item's tags, in their order.
    ///   - heading: The tag that is the heading above the item.
    ///   - calendar: The calendar that converts the item's times to days.
    init(_ item: Item, tags: [String], heading: String?, calendar: LocalCalendar) {
        self.item = item
        self.calendar = calendar
        spelling = MarkdownSpelling(item.extras)
        let box = spelling.box.flatMap { MarkdownSyntax.isClosed($0) == item.isDone ? $0 : nil }
        self.box = box ?? (item.isDone ? "x" : " ")
        self.tags = tags.filter { $0 != heading }
        // Only an escaped word may have another meaning below the heading.
        let isEscaped = item.name.utf8.contains(UInt8(ascii: "\\"))
        self.heading = isEscaped ? heading.map { "## \($0)" } : nil
        isUntagged = heading.map { !tags.contains($0) } ?? false
        defer { firstTags = Self.firstTags(of: self.tags, spelling) }
        guard item.name.utf8.contains(UInt8(ascii: "#")) else { return }
        known = Set(tags.map(Tag.fold))
        let literal = LiteralSpans(item.name.utf8)
        let words = MarkdownItem.words(Array(item.name.utf8)[...])
            .filter { !literal.contains($0) }
        for word in words.compactMap(MarkdownSyntax.tag(inText:)) {
            let folded = Tag.fold(word)
            if known.contains(folded) { namedTags.insert(folded) }
        }
        self.tags.removeAll { namedTags.contains(Tag.fold($0)) }
    }

    /// Returns those of `tags` that the original line had at its beginning, in its order.
    private static func firstTags(of tags: [String], _ spelling: MarkdownSpelling) -> [String] {
        guard !spelling.firstTags.isEmpty else { return [] }
        return spelling.firstTags.split(separator: " ").compactMap { word in
            guard let name = MarkdownSyntax.tag(Array(word.utf8)[...]) else { return nil }
            return tags.first { Tag.fold($0) == Tag.fold(name) }
        }
    }

    /// The line with its bullet. If the words cannot represent the whole name, a comment stores it.
    /// If the original line had signs of the Tasks plugin or tags at its beginning, this line has
    /// them too, unless it would then be read as a different item.
    var text: String {
        for hasSigns in spelling.signs.isEmpty ? [false] : [true, false] {
            if !firstTags.isEmpty {
                let text = text(hasSigns: hasSigns, hidesName: false, firstTags)
                let others = tags.filter { !firstTags.contains($0) }
                if isExact(text, tags: firstTags + others) { return bullet + text }
            }
            for hidesName in [false, true] {
                let text = text(hasSigns: hasSigns, hidesName: hidesName)
                if isExact(text, tags: tags) { return bullet + text }
            }
        }
        return bullet + text(hasSigns: false, hidesName: true)
    }

    /// True if the day of completion is the day of a cancellation.
    private var isCancelled: Bool {
        box.lowercased() != "x" && spelling.signs.contains { $0.meaning == .cancelled }
    }

    private var bullet: String { "- [\(box)] " }

    private func text(
        hasSigns: Bool, hidesName: Bool, _ firstTags: [String] = []
    ) -> String {
        var extras = MarkdownSpelling.others(item.extras)
        let fields = hasSigns ? signedFields(taking: &extras) : Self.fields(of: item)
        let lastTags = tags.filter { !firstTags.contains($0) }
        var parts = firstTags.map(MarkdownSyntax.word(forTag:)) + [shownName]
        parts += lastTags.map(MarkdownSyntax.word(forTag:)) + fields
        if isUntagged { parts.append(MarkdownReader.noTag) }
        parts.append(comment(extras, hidesName: hidesName))
        parts.append(spelling.trailer)
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The words of the name, with a backslash before words that would otherwise read as tags.
    private var shownName: String {
        let flat = item.name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        let name = MarkdownSyntax.trimmed(String(decoding: flat, as: UTF8.self))
        guard name.utf8.contains(UInt8(ascii: "#")) else { return name }
        let bytes = Array(name.utf8)[...]
        let literal = LiteralSpans(bytes)
        var shown: [UInt8] = []
        var end = bytes.startIndex
        for word in MarkdownItem.words(bytes) {
            let tag = MarkdownSyntax.tag(inText: word).map(Tag.fold)
            let isPlain =
                literal.contains(word) || tag.map(namedTags.contains) ?? false
                || MarkdownItem.isEscaped(word, from: known)
            shown += bytes[end..<word.startIndex]
            shown += isPlain ? word : MarkdownItem.escaped(word)
            end = word.endIndex
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private func comment(_ extras: [Item.Extra], hidesName: Bool) -> String {
        var item = item
        item.extras = extras
        if item.name.isEmpty { item.name = " " }
        for word in TodoTask.fields { _ = word.spelling.set(&item, nil) }
        let fields = Item.fields.filter { field in
            switch field.name {
            case "name": hidesName
            case "note": hidesNote
            default: !Self.shown.contains(field.name) && !field.isSame(in: item, as: Self.blank)
            }
        }
        return MarkdownItem.comment(fields, of: item)
    }

    /// The fields that the line shows or that a checklist omits.
    private static let shown = Set(
        ["tags", "doneAt", "rank", "createdAt", "updatedAt"] + TodoTask.fields.map(\.field))
    private static let blank = Item(id: ImportedItem.noID)

    /// Returns true if reading `text` gives the item.
    private func isExact(_ text: String, tags: [String]) -> Bool {
        let read = MarkdownItem(MarkdownSyntax.Bullet(box: box, text: text), heading: heading)
        let name = item.name.isEmpty ? " " : item.name
        guard read.name.utf8.elementsEqual(name.utf8), read.tags == tags,
            Set(read.namedTags.map(Tag.fold)) == namedTags,
            TodoTask.fields.allSatisfy({
                $0.spelling.get(read.imported?.draft ?? Self.blank) == $0.spelling.get(item)
            })
        else { return false }
        guard !read.extras.isEmpty || !item.extras.isEmpty else { return true }
        let others = [read.extras, item.extras].map { extras in
            MarkdownSpelling.others(extras).sorted { ($0.key, $0.value) < ($1.key, $1.value) }
        }
        return others[0] == others[1] && MarkdownSpelling(read.extras).trailer == spelling.trailer
    }

    // MARK: Fields

    /// Returns the words for the fields: `due:2026-03-06`.
    private static func fields(of item: Item) -> [String] {
        TodoTask.fields.compactMap { word in
            word.spelling.get(item).map { TodoWord.pair(word.key, $0) }
        }
    }

    /// Returns the fields as signs of the Tasks plugin, beginning with the signs of the original
    /// line. Removes the values of signs from `extras`.
    private func signedFields(taking extras: inout [Item.Extra]) -> [String] {
        var rest = item
        var fields: [String] = []
        for sign in spelling.signs + TaskSign.usual {
            if let value = value(of: sign, &rest, &extras) { fields.append(value) }
        }
        return fields + Self.fields(of: rest)
    }

    /// Returns the sign with its value from `item` or `extras`, and removes that value from them.
    private func value(
        of sign: TaskSign, _ item: inout Item, _ extras: inout [Item.Extra]
    ) -> String? {
        func taken<Value>(_ property: WritableKeyPath<Item, Value?>) -> Value? {
            defer { item[keyPath: property] = nil }
            return item[keyPath: property]
        }
        func day(_ day: CalendarDay?) -> String? { day.map { "\(sign.text) \($0)" } }
        switch sign.meaning {
        case .due: return day(taken(\.due))
        case .scheduled: return day(taken(\.scheduled))
        case .priority:
            guard let letter = item.priority?.description,
                let sign = TaskSign.all.first(where: { $0.meaning == .priority(letter) })
            else { return nil }
            item.priority = nil
            return sign.text
        case .rule: return taken(\.repeat).map { "\(sign.text) \($0.ofTasks)" }
        case .created: return day(calendar.day(item.createdAt))
        case .done, .cancelled:
            guard item.isDone, isCancelled == (sign.meaning == .cancelled) else { return nil }
            return day(item.knownDoneAt.map(calendar.day))
        case .start, .other:
            if let index = extras.firstIndex(where: { $0.key == sign.text }) {
                return "\(sign.text) \(extras.remove(at: index).value)"
            }
            return sign.meaning == .start ? day(taken(\.scheduled)) : nil
        }
    }
}
