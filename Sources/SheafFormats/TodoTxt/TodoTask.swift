import SheafList

/// The task that a line of a todo.txt file describes.
struct TodoTask {
    var isDone = false
    /// The completion day and the creation day; `nil` if the line does not have them.
    var doneOn: CalendarDay?
    var createdOn: CalendarDay?
    var name = ""
    var note = ""
    /// The names of the task's tags. A name without a sigil is equivalent to one with `@`.
    var tags: [String] = []
    /// The pairs, including those of ``fields``. The priority comes first: `pri`, `A`.
    var extras: [Item.Extra] = []
    /// The places of the words that form the name; empty if the name consists of all words,
    /// including pairs.
    private(set) var nameWords: [Int] = []
    /// The meanings of the words of the line.
    private(set) var meanings: [TodoWord] = []

    /// The keys of pairs that are fields of an item, in the order in which Sheaf writes them. The
    /// first pair with a valid value sets the field. The priority belongs here although it usually
    /// precedes the description. Pairs are read in the opposite order, because a `recday:` requires
    /// a `rec:`.
    static let fields =
        [
            PairField(TodoWord.priorityKey, "priority"), PairField("due", "due"),
            PairField("t", "scheduled"),
        ].compactMap(\.self) + [
            PairField(key: "recday", field: "dayOfMonth", spelling: Item.dayOfMonthSpelling),
            PairField(key: "rec", field: "repeat", spelling: Item.ruleSpelling),
        ]

    /// A field of an item that a pair can spell.
    struct PairField: Sendable {
        let key: String
        let field: String
        let spelling: Field<Item>.Spelling

        init(key: String, field: String, spelling: Field<Item>.Spelling) {
            (self.key, self.field, self.spelling) = (key, field, spelling)
        }

        /// Returns `nil` if `name` is not a field that a line can spell.
        init?(_ key: String, _ name: String) {
            guard let field = Item.fields.first(where: { $0.name == name }),
                let spelling = field.lineSpelling
            else { return nil }
            (self.key, self.field, self.spelling) = (key, name, spelling)
        }

        /// Returns true if `text` spells a value.
        func accepts(_ text: String) -> Bool {
            var item = Item(id: ImportedItem.noID)
            return spelling.set(&item, text)
        }

        /// Sets the field of `item` from the first pair with a valid value, and returns the place
        /// of that pair.
        func read(_ pairs: [Item.Extra], into item: inout Item) -> Int? {
            pairs.firstIndex { $0.key == key && spelling.set(&item, $0.value) }
        }
    }

    /// The key of the extra that keeps a line which Sheaf would have written differently.
    static let lineKey = Item.Extra.todoLineKey

    /// Returns true if `extra` can be a kept line. A pair with the same key may have a value of
    /// several lines.
    static func canBeLine(_ extra: Item.Extra) -> Bool {
        extra.key == lineKey && !extra.value.utf8.contains(0x0A)
    }

    /// Reads the task that `line` describes; `nil` if the line has no description.
    ///
    /// - Parameters:
    ///   - known: The folded names of tags, which may end in punctuation.
    ///   - pairs: Extras of the item: see ``TodoWord/inLine(_:pairs:)``.
    ///   - isFormer: True to read as former versions did, which removed all tags and pairs from
    ///     names.
    init?(
        _ line: TodoLine, known: Set<String> = [], pairs: Set<Item.Extra> = [],
        isFormer: Bool = false
    ) {
        guard !line.words.isEmpty else { return nil }
        isDone = line.isDone
        doneOn = line.doneOn
        createdOn = line.createdOn
        meanings = line.words.map {
            isFormer ? TodoWord($0.text) : .inLine($0.text, pairs: pairs)
        }
        read(line.words, known, isFormer)
        // If a task consists only of pairs, its name is the whole description.
        if name.isEmpty { name = line.description }
        if let letter = line.priority {
            extras.insert(Item.Extra(key: TodoWord.priorityKey, value: letter), at: 0)
        } else if let index = priorityIndex {
            extras.insert(extras.remove(at: index), at: 0)
        }
        dropRepeatedFields()
    }

    /// Creates the task for a line of `item`, whose tags have the names `tags`. An empty name
    /// becomes a space, because a task in a file must have a description. The Markdown spelling
    /// among the extras is left out.
    ///
    /// - Parameter calendar: The calendar that converts the item's times to days.
    init(_ item: Item, tags: [String], extras: [Item.Extra], calendar: LocalCalendar) {
        isDone = item.isDone
        doneOn = item.knownDoneAt.map(calendar.day)
        // If a done task has only one date, readers take it for the completion day.
        createdOn = item.isDone && doneOn == nil ? nil : calendar.day(item.createdAt)
        name = item.name.isEmpty ? " " : item.name
        note = item.note
        self.tags = tags
        self.extras = Self.pairs(of: item) + extras.filter { !MarkdownSpelling.isExtra($0) }
        dropRepeatedFields()
    }

    /// Removes repeated pairs that spell fields. Otherwise, a second pair would set the field again
    /// after the user has cleared it.
    private mutating func dropRepeatedFields() {
        var seen: Set<Item.Extra> = []
        extras.removeAll { Self.isField($0) && !seen.insert($0).inserted }
    }

    /// Returns true if `pair` has the key of a field and a valid value. The day of the month needs
    /// a recurrence, which is another pair.
    static func isField(_ pair: Item.Extra) -> Bool {
        guard let field = fields.first(where: { $0.key == pair.key }) else { return false }
        var item = Item(id: ImportedItem.noID)
        item.repeat = Repeat(1, .months, isFromDue: true)
        return field.spelling.set(&item, spelledOut(pair).value)
    }

    /// Returns the pairs for the fields of `item`.
    static func pairs(of item: Item) -> [Item.Extra] {
        fields.compactMap { word in
            word.spelling.get(item).map { Item.Extra(key: word.key, value: $0) }
        }
    }

    /// A blank item with the fields that the pairs set, the names of these fields, and the other
    /// pairs.
    var parsedFields: (item: Item, fields: [String], extras: [Item.Extra]) {
        var item = Item(id: ImportedItem.noID)
        var (names, rest): ([String], [Item.Extra]) = ([], extras)
        guard !rest.isEmpty else { return (item, names, rest) }
        for word in Self.fields.reversed() {
            guard let place = word.read(rest, into: &item) else { continue }
            rest.remove(at: place)
            names.append(word.field)
        }
        return (item, names, rest)
    }

    /// Reads the words of the description. Tags within the name remain words of it: see
    /// ``Swift/Array/nameRange(isTag:)``. The first `note:` sets the note, and the first `name:`
    /// that counts sets the name. Further ones are ordinary pairs. A `name:` counts only if the
    /// line begins with its words, so that a task that another program renamed stays renamed.
    private mutating func read(_ words: [TodoLine.Word], _ known: Set<String>, _ isFormer: Bool) {
        let meanings = meanings
        func text(_ place: Int) -> String {
            if case .text(let text) = meanings[place] { text } else { words[place].text }
        }
        func isTag(_ place: Int) -> Bool {
            if case .tag = meanings[place] { return true }
            return isFormer && TodoWord.formerTag(in: words[place].text) != nil
        }
        let said = meanings.indices.filter { place in
            switch meanings[place] {
            case .text, .tag: true
            case .pair, .note, .name: false
            }
        }
        let texts = isFormer ? said.filter { !isTag($0) } : said
        var isNamed = false
        var isNoted = false
        for meaning in meanings {
            switch meaning {
            case .text, .tag: break
            case .pair(let pair): extras.append(Self.spelledOut(pair))
            case .note(let text) where !isNoted:
                note = text
                isNoted = true
            case .note(let text): extras.append(Item.Extra(key: TodoWord.noteKey, value: text))
            case .name(let spelled):
                let shown = TodoLine.words(ofName: spelled).map(\.text)
                let isShown =
                    shown.count <= texts.count
                    && zip(texts, shown).allSatisfy { text($0).utf8.elementsEqual($1.utf8) }
                    && texts.dropFirst(shown.count).allSatisfy(isTag)
                if !isNamed, isShown {
                    isNamed = true
                    name = spelled
                    nameWords = Array(texts.prefix(shown.count))
                } else {
                    extras.append(Item.Extra(key: TodoWord.nameKey, value: spelled))
                }
            }
        }
        if !isNamed {
            nameWords = Array(texts[texts.nameRange(isTag: isTag)])
            for place in nameWords {
                name += (name.isEmpty ? "" : words[place].space) + text(place)
            }
        }
        var seen: Set<String> = []
        for place in said {
            let word = words[place].text
            let tag: String? =
                switch meanings[place] {
                case .tag(let tag): tag
                case _ where isFormer: TodoWord.formerTag(in: word)
                default: TodoWord.tag(inText: word, known: known)
                }
            if let tag, seen.insert(tag).inserted { tags.append(tag) }
        }
    }

    /// Returns `pair` in its full spelling: some programs write `rec:w` for `rec:1w`.
    static func spelledOut(_ pair: Item.Extra) -> Item.Extra {
        let unit = pair.value.drop { $0 == "+" }
        guard pair.key == "rec", unit.utf8.count == 1, pair.value.utf8.count < 3 else {
            return pair
        }
        let value = (pair.value.hasPrefix("+") ? "+1" : "1") + unit
        return Repeat(value) == nil ? pair : Item.Extra(key: pair.key, value: value)
    }

    /// Returns the words of the line whose keys name fields but whose values are invalid. A
    /// `recday:` without the `rec:` that it needs is among them.
    func unread(of line: TodoLine) -> [String] {
        let (item, _, extras) = parsedFields
        return zip(line.words, meanings).compactMap { word, meaning in
            guard case .pair(let pair) = TodoWord(word.text),
                let field = Self.fields.first(where: { $0.key == pair.key })
            else { return nil }
            if case .text = meaning { return word.text }
            var other = item
            return extras.contains(pair) && !field.spelling.set(&other, pair.value)
                ? word.text : nil
        }
    }

    /// The index in ``extras`` of the pair that spells a valid priority, or `nil`.
    var priorityIndex: Int? {
        extras.firstIndex { $0.key == TodoWord.priorityKey && Self.isPriority($0.value) }
    }

    var priority: String? { priorityIndex.map { extras[$0].value } }

    static func isPriority(_ text: String) -> Bool { Priority(text) != nil }

    // MARK: Comparing

    /// The tags by their folded names, which identify them, with the words that spell them.
    var tagWords: [String: String] {
        Dictionary(
            tags.map { (TodoWord.folded(tag: $0), TodoWord.written(tag: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns true if words of `name` have another meaning in a line: a tag, a pair, or text after
    /// a backslash.
    static func containsSyntax(_ name: String) -> Bool {
        guard name.utf8.contains(where: { "+@#:\\".utf8.contains($0) }) else { return false }
        return TodoLine.words(ofName: name).contains { word in
            word.text.utf8.first == UInt8(ascii: "#")
                || TodoWord.inLine(word.text) != .text(word.text)
                || TodoWord.tag(inText: word.text, known: []) != nil
        }
    }

    /// Returns the words of the name as a line spells them. A tag without a sigil, `#car`, becomes
    /// `@car`. A line has only one value for a field: if the name has a word such as
    /// `due:2026-12-01` and `pairs` have another value for that field, the pair takes the place of
    /// the word.
    ///
    /// - Parameter isImported: True if the name came from a line. Then a word without a valid
    ///   value, such as `due:2026-02-30`, is replaced, too.
    func writtenName(with pairs: [Item.Extra], isImported: Bool) -> [TodoLine.Word] {
        var words = TodoLine.words(ofName: name)
        if name.utf8.contains(UInt8(ascii: "#")) {
            let bare = Set(tags.filter { !TodoWord.hasSigil($0) }.map(Tag.fold))
            for index in words.indices {
                words[index].text = TodoWord.written(name: words[index].text, bareTags: bare)
            }
        }
        if name.utf8.contains(UInt8(ascii: "\\")) {
            let known = Set(tagWords.keys)
            for index in words.indices {
                words[index].text = TodoWord.unescaped(words[index].text, from: known)
            }
        }
        var fields = pairs.filter(Self.isField)
        guard !fields.isEmpty, name.utf8.contains(UInt8(ascii: ":")) else { return words }
        for index in words.indices {
            guard case .pair(let said) = TodoWord(words[index].text),
                isImported || Self.isField(said)
            else { continue }
            let place =
                fields.firstIndex(of: Self.spelledOut(said))
                ?? fields.firstIndex { $0.key == said.key }
            guard let pair = place.map({ fields.remove(at: $0) }) else { continue }
            if pair != Self.spelledOut(said) { words[index].text = TodoWord.written(pair) }
        }
        return words
    }

    /// Returns true if a line that describes `other` describes this task too. The order of tags and
    /// pairs does not matter, but every byte of a text does.
    func isDescribed(by other: TodoTask) -> Bool {
        func bytes(_ extras: [Item.Extra]) -> [[[UInt8]]] {
            extras.map { [Array($0.key.utf8), Array($0.value.utf8)] }
        }
        guard isDone == other.isDone, doneOn == other.doneOn, createdOn == other.createdOn,
            name.utf8.elementsEqual(other.name.utf8), note.utf8.elementsEqual(other.note.utf8),
            extras.count == other.extras.count, parsedFields.item == other.parsedFields.item,
            Set(tagWords.keys) == Set(other.tagWords.keys)
        else { return false }
        let counts = { (extras: [Item.Extra]) in
            bytes(extras).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return extras.isEmpty || counts(extras) == counts(other.extras)
    }
}
