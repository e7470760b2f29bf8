import FoundationEssentials
import SheafList

/// Reads a todo.txt file by the rules of github.com/todotxt/todo.txt.
///
/// The name of an item contains no fields, and no tags at the beginning and the end: see
/// ``TodoWord``. The extras keep the original line if ``TodoLine`` would write it differently, or
/// if it contains an invalid value. An export then gives the same bytes, including the carriage
/// return of CR LF. Blank lines are skipped.
enum TodoReader {
    static func parse(_ data: Data) -> ParsedList {
        var parsed = ParsedList()
        parsed.list.isTodoTxt = true
        // The first occurrence of a tag determines its spelling. The dictionary also has unfolded
        // names as keys, because folding is slow.
        var spellings: [String: String] = [:]
        for line in TextLines(data) {
            guard var text = line.text else {
                parsed.errors.append(.notUTF8(line: line.number))
                continue
            }
            guard text.utf8.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            if line.endsWithCR { text += "\r" }
            let parts = TodoLine(text)
            guard var task = TodoTask(parts) else {
                parsed.errors.append(
                    FormatError(line: line.number, reason: "the task has no description"))
                continue
            }
            task.tags = task.tags.map { name in
                if let spelling = spellings[name] { return spelling }
                let folded = Tag.fold(name)
                let spelling = spellings[folded] ?? name
                spellings[folded] = spelling
                spellings[name] = spelling
                return spelling
            }
            let unread = task.unread(of: parts)
            parsed.unread += unread.map { .unread($0, line: line.number) }
            parsed.list.items.append(item(task, line: text, hasUnread: !unread.isEmpty))
        }
        return parsed
    }

    private static func item(_ task: TodoTask, line: String, hasUnread: Bool) -> ImportedItem {
        let done: ImportedItem.Done =
            task.isDone ? .yes(at: task.doneOn.map(Timestamp.init)) : .no
        let parsed = task.parsedFields
        var item = ImportedItem(
            name: task.name, note: task.note, tags: task.tags, done: done,
            createdAt: task.createdOn.map(Timestamp.init), extras: parsed.extras)
        item.copy(parsed.fields, from: parsed.item)
        let hasAllDates = task.createdOn != nil && (task.doneOn != nil || !task.isDone)
        let hasRival = task.extras.contains(where: TodoTask.canBeLine)
        var named = task
        named.tags = task.tags.map(\.trimmed)  // As the list will name them.
        if !hasAllDates || hasRival || hasUnread
            || !ownLine(of: named).utf8.elementsEqual(line.utf8)
        {
            item.extras?.append(Item.Extra(key: TodoTask.lineKey, value: line))
        }
        return item
    }

    /// Returns the line that Sheaf would write for `task`, with its fields before other pairs.
    private static func ownLine(of task: TodoTask) -> String {
        let parsed = task.parsedFields
        guard !parsed.fields.isEmpty else { return TodoLine(task).text }
        var task = task
        task.extras = TodoTask.pairs(of: parsed.item) + parsed.extras
        return TodoLine(task).text
    }
}
