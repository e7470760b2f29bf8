import SheafList

/// An extra that a field has replaced.
///
/// Before an item had the field, an import stored the value from other programs' texts among the
/// extras. ``FormatVersions`` determines the version that introduced the field. The migration that
/// adds the column removes the extra from every row. A JSON object without a member for the field
/// comes from an earlier version, so its extra is read as the field. An object with the member
/// comes from a version that knows the field, and its extras are left alone.
package struct FormerExtra: Sendable {
    /// The key of the extra.
    package let key: String
    /// The name of the field.
    package let field: String
    /// The version of the tables that introduced the column of the field.
    package let version: Int64

    package init(_ key: String, field: String, since version: Int64) {
        self.key = key
        self.field = field
        self.version = version
    }

    /// All former extras.
    package static let all = FormatVersions.all.flatMap { step in
        step.fields.map { FormerExtra($0.key, field: $0.value, since: step.tables) }
    }

    /// Sets the field of `item` from the first extra with the key and a valid value, and removes
    /// that extra. The others stay extras.
    ///
    /// - Returns: True if there was such an extra.
    package func convert(in item: inout Item) -> Bool {
        guard item.extras.contains(where: { $0.key == key }),
            let field = Item.fields.first(where: { $0.name == field })
        else { return false }
        for (place, extra) in item.extras.enumerated() where extra.key == key {
            // Reads into a scratch item, because an invalid value could be stored.
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
    /// Converts former extras of an item from a version that did not know certain fields: those for
    /// which `isUnknown` returns true.
    ///
    /// The item's todo.txt text stays the same. If the words of the fields would move, the extras
    /// keep the original line, as after an import.
    ///
    /// - Parameter tags: The names of the item's tags.
    /// - Returns: The names of the fields that were set.
    package mutating func convertFormerExtras(
        _ all: [FormerExtra] = FormerExtra.all, tags: [String],
        isUnknown: (String) -> Bool
    ) -> [String] {
        guard !extras.isEmpty else { return [] }
        let old = self
        let fields = all.filter { isUnknown($0.field) && $0.convert(in: &self) }.map(\.field)
        let areWords = fields.allSatisfy { name in TodoTask.fields.contains { $0.field == name } }
        guard !fields.isEmpty, areWords else { return fields }
        if keepLine(TodoLine.text(for: old, tags: tags), tags: tags) { return fields }
        self = old
        return []
    }

    /// Keeps `line` among the extras if the item would otherwise be written differently in a
    /// todo.txt file. Returns true if the item is written as `line`.
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
    /// Converts former extras of an imported item.
    mutating func convertFormerExtras(isUnknown: (String) -> Bool) {
        guard !draft.extras.isEmpty else { return }
        var item = draft
        item.doneAt = doneAt(else: item.updatedAt)
        for field in item.convertFormerExtras(tags: tags ?? [], isUnknown: isUnknown) {
            setFields.insert(field)
        }
        item.doneAt = draft.doneAt
        draft = item
    }

    /// Restores the tags that an import had removed from the name; see
    /// ``Item/nameInKeptLine(tags:calendar:)``.
    mutating func restoreName() {
        guard !draft.extras.isEmpty else { return }
        var item = draft
        item.doneAt = doneAt(else: item.updatedAt)
        if let name = item.nameInKeptLine(tags: tags ?? []) { self.name = name }
    }
}
