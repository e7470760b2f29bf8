import SheafList

extension TodoLine {
    /// Returns the line for `item`, whose tags have the names `tags`.
    ///
    /// A line that an import kept is returned unchanged while it still describes the item.
    /// Otherwise only the words that differ are replaced, and every other word keeps its place.
    ///
    /// - Parameter calendar: The calendar that converts the item's times to days.
    static func text(
        for item: Item, tags: [String], calendar: LocalCalendar = .system
    ) -> String {
        guard let kept = KeptLine(of: item, tags: tags, calendar: calendar) else {
            return TodoLine(TodoTask(item, tags: tags, extras: item.extras, calendar: calendar))
                .text
        }
        let known = Set(kept.wanted.tagWords.keys)
        let pairs = kept.formerPairs(known: known)
        guard let before = TodoTask(kept.line, known: known, pairs: pairs) else {
            return TodoLine(kept.whole, isImported: true).text
        }
        let wanted = kept.wanted
        if wanted.isDescribed(by: before) { return kept.line.text }
        let whole = TodoLine(kept.whole, isImported: true).text
        func said(_ line: String) -> TodoTask? {
            TodoTask(TodoLine(line), known: known, pairs: pairs)
        }
        // Words of a name may spell tags or pairs that the task does not have. The todo.txt format
        // has no escapes that prevent this.
        var target = said(whole) ?? wanted
        (target.createdOn, target.doneOn) = (wanted.createdOn, wanted.doneOn)
        let edited = [
            kept.line.edited(from: before, to: wanted), TodoLine(wanted, isImported: true),
        ].map(\.text)
        return edited.first { line in
            said(line).map { wanted.isDescribed(by: $0) || target.isDescribed(by: $0) } ?? false
        } ?? whole
    }

    /// Returns this line, which describes `before`, edited to describe `wanted`.
    private func edited(from before: TodoTask, to wanted: TodoTask) -> TodoLine {
        var line = self
        line.isDone = wanted.isDone
        line.doneOn = wanted.doneOn
        line.createdOn = wanted.createdOn
        var extras = wanted.extras
        let isInFront = keepsPriorityInFront(from: before, to: wanted)
        line.priority = isInFront ? wanted.priority : nil
        if isInFront, let index = wanted.priorityIndex { extras.remove(at: index) }
        let isRenamed = !wanted.name.utf8.elementsEqual(before.name.utf8)
        var edit = WordEdit(wanted, extras: extras, isRenamed: isRenamed)
        if before.nameWords.isEmpty, !isRenamed {
            edit.replaceTags(of: before.meanings)
            line.words = zip(words, before.meanings).flatMap { edit.replacement(of: $0, $1) }
        } else {
            let name = edit.takeNameWords(replacing: before.nameWords.map { words[$0] })
            let new = Renaming(words, before.nameWords, before.meanings, to: name)
            let others = words.indices.filter { new.replacements[$0] == nil }
            edit.replaceTags(of: others.map { before.meanings[$0] })
            line.words = words.indices.flatMap { place in
                new.replacements[place]
                    ?? edit.replacement(of: words[place], before.meanings[place])
            }
            if before.nameWords.isEmpty {
                if !line.words.isEmpty { line.words[0].space = " " }
                line.words = name + line.words
            }
        }
        line.append(edit.missing())
        if !line.words.isEmpty { line.words[0].space = words.first?.space ?? "" }
        return line
    }

    /// Returns true if the edited line has its priority in front, as in `(A)`. When a task is
    /// completed, todo.txt clients replace the letter in front with `pri:A`. A line in another
    /// style keeps its style until the task is completed or reopened.
    private func keepsPriorityInFront(from before: TodoTask, to wanted: TodoTask) -> Bool {
        guard before.isDone == wanted.isDone, before.priority != nil else { return !wanted.isDone }
        return priority != nil
    }
}

/// The line that an import kept for an item.
private struct KeptLine {
    let line: TodoLine
    /// The task that the line must describe now.
    let whole: TodoTask
    /// ``whole`` without the dates that the original line did not have, which come from the import.
    let wanted: TodoTask

    init?(of item: Item, tags: [String], calendar: LocalCalendar) {
        // Takes the last one, because pairs of the task with the same key precede it.
        guard let kept = item.extras.lastIndex(where: TodoTask.canBeLine) else { return nil }
        var extras = item.extras
        line = TodoLine(extras.remove(at: kept).value)
        whole = TodoTask(item, tags: tags, extras: extras, calendar: calendar)
        var wanted = whole
        if line.createdOn == nil { wanted.createdOn = nil }
        if line.isDone, wanted.isDone, line.doneOn == nil { wanted.doneOn = nil }
        self.wanted = wanted
    }

    /// Returns the extras that only former versions read as pairs of the line.
    func formerPairs(known: Set<String>) -> Set<Item.Extra> {
        guard !wanted.extras.isEmpty else { return [] }
        return Set(wanted.extras).subtracting(TodoTask(line, known: known)?.extras ?? [])
    }
}

extension Item {
    /// The key of the extra that stores a kept line. Only items with this extra can have a name in
    /// their kept line.
    package static let keptLineKey = TodoTask.lineKey

    /// The name of the item in its kept todo.txt line, including the tags within it. Returns `nil`
    /// if there is no such line, or if the line, as former versions read it, does not describe the
    /// item. Former versions removed all tags from names.
    ///
    /// - Parameters:
    ///   - tags: The names of the item's tags.
    ///   - calendar: The calendar that converts the item's times to days.
    package func nameInKeptLine(tags: [String], calendar: LocalCalendar = .system) -> String? {
        guard let kept = KeptLine(of: self, tags: tags, calendar: calendar),
            let former = TodoTask(kept.line, isFormer: true), kept.wanted.isDescribed(by: former)
        else { return nil }
        let known = Set(kept.wanted.tagWords.keys)
        return TodoTask(kept.line, known: known, pairs: kept.formerPairs(known: known))?.name
    }
}

/// A change of the words of a line that form its name.
private struct Renaming {
    /// The replacements of words, by the place of each word.
    private(set) var replacements: [Int: [TodoLine.Word]] = [:]

    /// - Parameters:
    ///   - places: The places in `words` of the words that form the old name.
    ///   - meanings: The meanings of `words`.
    ///   - name: The words of the new name. Common words at both ends stay.
    init(
        _ words: [TodoLine.Word], _ places: [Int], _ meanings: [TodoWord],
        to name: [TodoLine.Word]
    ) {
        func isSame(_ old: Int, _ new: Int) -> Bool {
            let word = words[places[old]].text
            if word.utf8.elementsEqual(name[new].text.utf8) { return true }
            guard case .text(let text) = meanings[places[old]] else { return false }
            return text.utf8.elementsEqual(name[new].text.utf8)
        }
        let least = min(places.count, name.count)
        let start = (0..<least).prefix { isSame($0, $0) }.count
        let end = (0..<least - start).prefix {
            isSame(places.count - 1 - $0, name.count - 1 - $0)
        }.count
        for old in places.indices {
            let new: Range<Int>
            if old < start {
                new = old..<old + 1
            } else if old >= places.count - end {
                let place = name.count - places.count + old
                new = place..<place + 1
            } else {
                new = start..<start
            }
            replacements[places[old]] = new.map { Self.word(words[places[old]], name[$0], at: $0) }
        }
        // New words replace the first word that differs. If no word differs, they precede the next
        // word, or follow the last one.
        let changed = name[start..<name.count - end]
        guard !changed.isEmpty, !places.isEmpty else { return }
        if start < places.count {
            var new = Array(changed)
            if start == 0 { new[0].space = words[places[0]].space }
            replacements[places[start]] = new + (replacements[places[start]] ?? [])
        } else {
            replacements[places[start - 1]]? += changed
        }
    }

    /// Returns `old`, which stays, with the white space that precedes it in the new name.
    private static func word(
        _ old: TodoLine.Word, _ new: TodoLine.Word, at place: Int
    ) -> TodoLine.Word {
        TodoLine.Word(space: place == 0 ? old.space : new.space, text: old.text)
    }
}

/// An edit of the words of a line outside its name.
private struct WordEdit {
    private let task: TodoTask
    /// The tags that no word spells so far, by folded name, and those whose words keep their
    /// places.
    private var missingTags: [String: String]
    private var keptTags: Set<String>
    private var missingExtras: [Item.Extra]
    /// For each tag that the task does not have, the tag that takes its place. Both are folded
    /// names.
    private var substitutes: [String: String] = [:]
    /// True after the first word with the note's key. Later ones are ordinary pairs.
    private var isPastNote = false
    private let isRenamed: Bool

    init(_ task: TodoTask, extras: [Item.Extra], isRenamed: Bool) {
        self.task = task
        self.isRenamed = isRenamed
        missingTags = task.tagWords
        keptTags = Set(missingTags.keys)
        missingExtras = extras
    }

    /// Returns the words of the new name, and removes the tags and pairs that they spell from the
    /// missing ones. `former` are the words of the old name. A tag that only the new name spells
    /// has moved into the name, so its other words are removed. If it replaces a tag of the old
    /// name, it also replaces that tag outside the name.
    mutating func takeNameWords(replacing former: [TodoLine.Word]) -> [TodoLine.Word] {
        let known = Set(missingTags.keys)
        let words = task.writtenName(with: missingExtras, isImported: true)
        let spelled = SpelledTagsAndPairs(words, known: known)
        for tag in spelled.tags { missingTags[tag] = nil }
        if !spelled.tags.isEmpty {
            let before = SpelledTagsAndPairs(former, known: known).tags
            let new = spelled.tags.subtracting(before)
            keptTags.subtract(new)
            let gone = before.subtracting(known)
            if let old = gone.first, let tag = new.first, gone.count == 1, new.count == 1 {
                substitutes[old] = tag
            }
        }
        missingExtras = spelled.others(of: missingExtras)
        return words
    }

    /// Finds a place for each tag that no word of the line spells: the place of a tag that the task
    /// does not have, preferably one with the same sigil. This keeps a renamed tag in its place.
    ///
    /// - Parameter meanings: The meanings of the words outside the name.
    mutating func replaceTags(of meanings: [TodoWord]) {
        var former: [String] = []
        var new = missingTags
        for case .tag(let tag) in meanings {
            let tag = TodoWord.folded(tag: tag)
            if missingTags[tag] != nil {
                new[tag] = nil
            } else if !former.contains(tag), !keptTags.contains(tag) {
                former.append(tag)
            }
        }
        guard !former.isEmpty, !new.isEmpty else { return }
        var ordered = task.tags.map { TodoWord.folded(tag: $0) }.filter { new[$0] != nil }
        for hasSameSigil in [true, false] {
            for tag in former where substitutes[tag] == nil {
                let place = ordered.firstIndex { !hasSameSigil || $0.utf8.first == tag.utf8.first }
                guard let place else { continue }
                substitutes[tag] = ordered.remove(at: place)
            }
        }
    }

    /// Returns the words that replace `word`, which is not part of the name.
    mutating func replacement(
        of word: TodoLine.Word, _ meaning: TodoWord
    ) -> [TodoLine.Word] {
        switch meaning {
        case .text: return []
        case .tag(let name):
            let tag = TodoWord.folded(tag: name)
            if keptTags.contains(tag) {
                missingTags[tag] = nil
                return [word]
            }
            guard let substitute = substitutes[tag], let new = task.tagWords[substitute] else {
                return []
            }
            missingTags[substitute] = nil
            return [.init(space: word.space, text: new)]
        case .pair(let pair):
            if take(TodoTask.spelledOut(pair)) { return [word] }
            // A new value replaces the old one at the same place.
            guard let changed = takeField(pair.key) else { return [] }
            return [.init(space: word.space, text: TodoWord.written(changed))]
        case .note(let note):
            guard !isPastNote else {
                return take(Item.Extra(key: TodoWord.noteKey, value: note)) ? [word] : []
            }
            isPastNote = true
            guard !task.note.isEmpty else { return [] }
            let text = TodoWord.pair(TodoWord.noteKey, task.note)
            return [note == task.note ? word : .init(space: word.space, text: text)]
        case .name(let name):
            let isPair = take(Item.Extra(key: TodoWord.nameKey, value: name))
            return isPair || !isRenamed ? [word] : []
        }
    }

    /// Returns true if the task has `pair`, and removes it, so that a second word for it is
    /// dropped.
    private mutating func take(_ pair: Item.Extra) -> Bool {
        guard let index = missingExtras.firstIndex(of: pair) else { return false }
        missingExtras.remove(at: index)
        return true
    }

    /// Removes and returns the task's pair for a field.
    private mutating func takeField(_ key: String) -> Item.Extra? {
        guard TodoTask.fields.contains(where: { $0.key == key }),
            let index = missingExtras.firstIndex(where: { $0.key == key })
        else { return nil }
        return missingExtras.remove(at: index)
    }

    /// Returns the words for all tags and pairs that no word of the line spells.
    func missing() -> [String] {
        missingTags.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            + missingExtras.map(TodoWord.written)
            + (isPastNote || task.note.isEmpty ? [] : [TodoWord.pair(TodoWord.noteKey, task.note)])
    }
}
