import SheafCore

/// An extra whose place a field has taken.
///
/// While no field held it, an import kept what other programs' texts said of it among the extras of
/// an item. Since when that is a field is told here once: the migration that adds the column takes
/// the extra out of every row, and a JSON object that has no member for the field (a list, a log, a
/// comment or an export of an earlier version) is read as if it had. One with the member is of a
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
    package static let all: [FormerExtra] = []

    /// Sets the field of `item` to what the first extra of the key spells, and takes that out. What
    /// does not spell a value of the field stays an extra.
    ///
    /// - Returns: whether there was one that does.
    package func take(from item: inout Item) -> Bool {
        guard let place = item.extras.firstIndex(where: { $0.key == key }),
            let field = Item.fields.first(where: { $0.name == field })
        else { return false }
        let text = JSONValue.string(item.extras[place].value)
        do throws(FormatError) {
            let fields = try JSONFields([.init(key: field.name, value: text)], path: "")
            guard try fields.read(field, into: &item) else { return false }
        } catch {
            return false
        }
        item.extras.remove(at: place)
        return true
    }
}

extension Item {
    /// Takes former extras out of an item that a version has written which did not know the fields
    /// that `isUnknown` is true of.
    ///
    /// - Returns: the names of the fields that are set by that.
    package mutating func takeFormerExtras(
        _ all: [FormerExtra] = FormerExtra.all, isUnknown: (String) -> Bool
    ) -> [String] {
        guard !extras.isEmpty else { return [] }
        return all.filter { isUnknown($0.field) && $0.take(from: &self) }.map(\.field)
    }
}
