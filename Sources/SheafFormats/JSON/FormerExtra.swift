import SheafList

/// An extra whose place a field has taken.
///
/// While no field held it, an import kept what other programs' texts said of it among the extras of
/// an item. ``FormatVersions`` says once since when that is a field: the migration that adds the
/// column takes the extra out of every row, and a JSON object that has no member for the field (a
/// list or an export of an earlier version) is read as if it had. One with the member is of a
/// version that knows the field, and its extras are left alone.
package struct FormerExtra: Sendable {
    /// The key of the extra.
    package let key: String
    /// The name of the field.
    package let field: String
    /// The version of the tables since which the field has a column.
    package let version: Int64

    package init(_ key: String, field: String, since version: Int64) {
        self.key = key
        self.field = field
        self.version = version
    }

    /// All of them.
    package static let all = FormatVersions.all.flatMap { step in
        step.fields.map { FormerExtra($0.key, field: $0.value, since: step.tables) }
    }

    /// Sets the field of `item` to what the first extra of the key spells that spells a value of
    /// it, and takes that out. The others stay extras.
    ///
    /// - Returns: whether there was one that does.
    package func take(from item: inout Item) -> Bool {
        guard item.extras.contains(where: { $0.key == key }),
            let field = Item.fields.first(where: { $0.name == field })
        else { return false }
        for (place, extra) in item.extras.enumerated() where extra.key == key {
            // What is no value would be kept in it.
            var read = Item(id: ImportedItem.noID)
            guard Self.set(field, of: &read, to: extra.value) else { continue }
            field.copy(from: read, to: &item)
            item.extras.remove(at: place)
            return true
        }
        return false
    }

    private static func set(_ field: Field<Item>, of item: inout Item, to text: String) -> Bool {
        if let spelling = field.lineSpelling { return spelling.set(&item, text) }
        do throws(FormatError) {
            let member = JSONValue.Member(key: field.name, value: .string(text))
            return try JSONFields([member], path: "").read(field, into: &item)
        } catch {
            return false
        }
    }
}

extension Item {
    /// Takes former extras out of an item that a version has written which did not know the fields
    /// that `isUnknown` is true of.
    ///
    /// An export as todo.txt is the same text before and after: where the words of the fields would
    /// stand in other places, the line is kept among the extras, as an import keeps one.
    ///
    /// - Parameter tags: the names of its tags.
    /// - Returns: the names of the fields that are set by that.
    package mutating func takeFormerExtras(
        _ all: [FormerExtra] = FormerExtra.all, tags: [String],
        isUnknown: (String) -> Bool
    ) -> [String] {
        guard !extras.isEmpty else { return [] }
        let old = self
        let fields = all.filter { isUnknown($0.field) && $0.take(from: &self) }.map(\.field)
        let areWords = fields.allSatisfy { name in TodoTask.fields.contains { $0.field == name } }
        guard !fields.isEmpty, areWords else { return fields }
        if keepLine(TodoLine.text(for: old, tags: tags), tags: tags) { return fields }
        self = old
        return []
    }

    /// Sees to it that `line` is how the item is written in a todo.txt; says whether it is.
    private mutating func keepLine(_ line: String, tags: [String]) -> Bool {
        func isWritten(_ item: Item) -> Bool {
            TodoLine.text(for: item, tags: tags).utf8.elementsEqual(line.utf8)
        }
        if isWritten(self) { return true }
        if let kept = extras.lastIndex(where: TodoTask.canBeLine) { extras.remove(at: kept) }
        extras.append(Extra(key: TodoTask.lineKey, value: line))
        return isWritten(self)
    }
}

extension ImportedItem {
    /// The same of an item that a file gives.
    mutating func takeFormerExtras(isUnknown: (String) -> Bool) {
        guard !draft.extras.isEmpty else { return }
        var item = draft
        item.doneAt = doneAt(else: item.updatedAt)
        for field in item.takeFormerExtras(tags: tags ?? [], isUnknown: isUnknown) {
            said.insert(field)
        }
        item.doneAt = draft.doneAt
        draft = item
    }

    /// Puts the tags back into a name that an import had taken them out of; see
    /// ``Item/nameInKeptLine(tags:calendar:)``.
    mutating func restoreName() {
        guard !draft.extras.isEmpty else { return }
        var item = draft
        item.doneAt = doneAt(else: item.updatedAt)
        if let name = item.nameInKeptLine(tags: tags ?? []) { self.name = name }
    }
}
