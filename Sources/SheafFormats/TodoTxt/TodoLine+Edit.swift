import SheafList

extension TodoLine {
    /// The line for `item`, whose tags have the names `tags`.
    ///
    /// A line that an import kept comes out as it was as long as it still tells the item. Otherwise
    /// only what has changed is changed in it, and every word that is still right keeps its place.
    ///
    /// - Parameter calendar: the calendar that tells the days of its times.
    static func text(
        for item: Item, tags: [String], calendar: LocalCalendar = .system
    ) -> String {
        // The last one: pairs of the task that have the same key stand before it.
        let kept = item.extras.lastIndex(where: TodoTask.canBeLine)
        var extras = item.extras
        guard let line = kept.map({ extras.remove(at: $0).value }) else {
            return TodoLine(TodoTask(item, tags: tags, extras: extras, calendar: calendar)).text
        }
        let task = TodoTask(item, tags: tags, extras: extras, calendar: calendar)
        let old = TodoLine(line)
        guard let before = TodoTask(old) else { return TodoLine(task).text }
        // The dates that a line never had are those of its import.
        var wanted = task
        if before.createdOn == nil { wanted.createdOn = nil }
        if before.isDone, wanted.isDone, before.doneOn == nil { wanted.doneOn = nil }
        if wanted.isSaid(by: before) { return line }
        let edited = [old.edited(from: before, to: wanted), TodoLine(wanted)].map(\.text)
        return edited.first { TodoTask(TodoLine($0)).map(wanted.isSaid) ?? false }
            ?? TodoLine(task).text
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
        var edit = WordEdit(
            wanted, tags: wanted.tagWords, extras: extras,
            isRenamed: !wanted.name.utf8.elementsEqual(before.name.utf8))
        line.words = words.flatMap { edit.replacement(of: $0) }
        if edit.isRenamed, !edit.hasName {
            line.words = Self.words(ofName: wanted.name) + line.words
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

/// What becomes of the words of a line when the task changes.
private struct WordEdit {
    private let task: TodoTask
    private let tags: [String: String]
    private var missingTags: [String: String]
    private var missingExtras: [Item.Extra]
    /// Whether the first word with the note's key is done with; others are pairs like any.
    private var isPastNote = false
    let isRenamed: Bool
    private(set) var hasName = false

    init(_ task: TodoTask, tags: [String: String], extras: [Item.Extra], isRenamed: Bool) {
        self.task = task
        self.tags = tags
        self.isRenamed = isRenamed
        missingTags = tags
        missingExtras = extras
    }

    /// The words that stand where `word` stood.
    mutating func replacement(of word: TodoLine.Word) -> [TodoLine.Word] {
        switch TodoWord(word.text) {
        case .text:
            guard isRenamed else { return [word] }
            defer { hasName = true }
            var name = hasName ? [] : TodoLine.words(ofName: task.name)
            if !name.isEmpty { name[0].space = word.space }
            return name
        case .tag(let tag):
            let folded = TodoWord.folded(tag: tag)
            missingTags[folded] = nil
            return tags[folded] == nil ? [] : [word]
        case .pair(let pair):
            if take(pair) { return [word] }
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

    /// Whether the task still has `pair`; a second word for it is then one too many.
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
