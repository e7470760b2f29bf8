import SheafList

extension TodoLine {
    /// The line for `item`, whose tags have the names `tags`.
    ///
    /// A line that an import kept comes out as it was as long as it still says the item. Otherwise
    /// only the words that have changed are changed in it, and every other word keeps its place.
    ///
    /// - Parameter calendar: the calendar that tells the days of its times.
    static func text(
        for item: Item, tags: [String], calendar: LocalCalendar = .system
    ) -> String {
        guard let kept = KeptLine(of: item, tags: tags, calendar: calendar) else {
            return TodoLine(TodoTask(item, tags: tags, extras: item.extras, calendar: calendar))
                .text
        }
        let known = Set(kept.wanted.tagWords.keys)
        guard let before = TodoTask(kept.line, known: known) else {
            return TodoLine(kept.whole).text
        }
        let wanted = kept.wanted
        if wanted.isSaid(by: before) { return kept.line.text }
        let whole = TodoLine(kept.whole).text
        func said(_ line: String) -> TodoTask? { TodoTask(TodoLine(line), known: known) }
        // Words of a name may say more than the task has; nothing in a todo.txt prevents that.
        var target = said(whole) ?? wanted
        (target.createdOn, target.doneOn) = (wanted.createdOn, wanted.doneOn)
        let edited = [kept.line.edited(from: before, to: wanted), TodoLine(wanted)].map(\.text)
        return edited.first { line in
            said(line).map { wanted.isSaid(by: $0) || target.isSaid(by: $0) } ?? false
        } ?? whole
    }

    /// This line, which says `before`, made to say `wanted`.
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
            line.words = words.flatMap { edit.replacement(of: $0) }
        } else {
            let name = edit.takeName()
            let new = Renaming(words, before.nameWords, to: name)
            line.words = words.indices.flatMap { place in
                new.replacements[place] ?? edit.replacement(of: words[place])
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

    /// Clients drop the letter in front when a task is done, and `pri:A` keeps it; a line that does
    /// it otherwise goes on doing so until it is done or taken up again.
    private func keepsPriorityInFront(from before: TodoTask, to wanted: TodoTask) -> Bool {
        guard before.isDone == wanted.isDone, before.priority != nil else { return !wanted.isDone }
        return priority != nil
    }
}

/// The line that an import kept of an item.
private struct KeptLine {
    let line: TodoLine
    /// The task that a line has to say now.
    let whole: TodoTask
    /// That task without the dates that the line never had: those of its import.
    let wanted: TodoTask

    init?(of item: Item, tags: [String], calendar: LocalCalendar) {
        // The last one: pairs of the task that have the same key stand before it.
        guard let kept = item.extras.lastIndex(where: TodoTask.canBeLine) else { return nil }
        var extras = item.extras
        line = TodoLine(extras.remove(at: kept).value)
        whole = TodoTask(item, tags: tags, extras: extras, calendar: calendar)
        var wanted = whole
        if line.createdOn == nil { wanted.createdOn = nil }
        if line.isDone, wanted.isDone, line.doneOn == nil { wanted.doneOn = nil }
        self.wanted = wanted
    }
}

extension Item {
    /// A key of ``extras``: only items with such an extra can have a ``nameInKeptLine(tags:calendar:)``.
    package static let keptLineKey = TodoTask.lineKey

    /// The name that the todo.txt line kept of the item gives it, with the tags within. Nil if
    /// there is no such line, or if it does not say the item by the reading of former versions,
    /// which took all tags out of names.
    ///
    /// - Parameters:
    ///   - tags: the names of its tags.
    ///   - calendar: the calendar that tells the days of its times.
    package func nameInKeptLine(tags: [String], calendar: LocalCalendar = .system) -> String? {
        guard let kept = KeptLine(of: self, tags: tags, calendar: calendar),
            let former = TodoTask(kept.line, takesAllTags: true), kept.wanted.isSaid(by: former)
        else { return nil }
        return TodoTask(kept.line, known: Set(kept.wanted.tagWords.keys))?.name
    }
}

/// The words of a line that make its name, and the words of another name in their places.
private struct Renaming {
    /// The words that stand in the place of a word, by its place.
    private(set) var replacements: [Int: [TodoLine.Word]] = [:]

    /// - Parameters:
    ///   - places: the places in `words` of those that make the name.
    ///   - name: the words of the other name. Those at both ends that are the same stay.
    init(_ words: [TodoLine.Word], _ places: [Int], to name: [TodoLine.Word]) {
        func isSame(_ old: Int, _ new: Int) -> Bool {
            let word = words[places[old]].text
            if word.utf8.elementsEqual(name[new].text.utf8) { return true }
            guard case .text(let text) = TodoWord(word) else { return false }
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
        // New words stand where the first one that differs stood, or else before the next one.
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

    /// `old`, which stays, with the white space before it that the name has there.
    private static func word(
        _ old: TodoLine.Word, _ new: TodoLine.Word, at place: Int
    ) -> TodoLine.Word {
        TodoLine.Word(space: place == 0 ? old.space : new.space, text: old.text)
    }
}

/// The edit of the words of a line beside its name.
private struct WordEdit {
    private let task: TodoTask
    private var missingTags: [String: String]
    private var missingExtras: [Item.Extra]
    /// True if the first word with the note's key is done with; others are pairs like any.
    private var isPastNote = false
    private let isRenamed: Bool

    init(_ task: TodoTask, extras: [Item.Extra], isRenamed: Bool) {
        self.task = task
        self.isRenamed = isRenamed
        missingTags = task.tagWords
        missingExtras = extras
    }

    /// Returns the words of the name. The tags and pairs that they spell are not missing.
    mutating func takeName() -> [TodoLine.Word] {
        let known = Set(missingTags.keys)
        let words = task.writtenName
        let spelled = TodoSpelled(words, known: known)
        for tag in spelled.tags { missingTags[tag] = nil }
        missingExtras = spelled.others(of: missingExtras)
        return words
    }

    /// The words that stand where `word`, which is not of the name, stood.
    mutating func replacement(of word: TodoLine.Word) -> [TodoLine.Word] {
        switch TodoWord(word.text) {
        case .text: return []
        case .tag(let tag):
            // A second word for it is one too many.
            return missingTags.removeValue(forKey: TodoWord.folded(tag: tag)) == nil ? [] : [word]
        case .pair(let pair):
            if take(TodoTask.spelledOut(pair)) { return [word] }
            // Another day stands where the day stood.
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

    /// True if the task still has `pair`; a second word for it is then one too many.
    private mutating func take(_ pair: Item.Extra) -> Bool {
        guard let index = missingExtras.firstIndex(of: pair) else { return false }
        missingExtras.remove(at: index)
        return true
    }

    /// The pair of a field that the task still has.
    private mutating func takeField(_ key: String) -> Item.Extra? {
        guard TodoTask.fields.contains(where: { $0.key == key }),
            let index = missingExtras.firstIndex(where: { $0.key == key })
        else { return nil }
        return missingExtras.remove(at: index)
    }

    /// The words for what no word of the line says.
    func missing() -> [String] {
        missingTags.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            + missingExtras.map(TodoWord.written)
            + (isPastNote || task.note.isEmpty ? [] : [TodoWord.pair(TodoWord.noteKey, task.note)])
    }
}
