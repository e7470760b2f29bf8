import FoundationEssentials

/// The readable items of a text, with reports of the rest.
package struct ParsedList: Hashable, Sendable {
    /// All tags, views and items that could be read.
    package var list: ImportedList
    /// The errors of the items that could not be read, in the order of the text. These items are
    /// not in ``list``. ``JSONListReader/salvage(_:)`` also reports members that it leaves out of
    /// items.
    package var errors: [FormatError]
    /// The reports of text that belongs to no item, such as a paragraph of a Markdown file, and of
    /// members that a tag or a view cannot have.
    package var skippedText: [FormatError]
    /// The reports of words and members that name a field but have no valid value. Such words stay
    /// text; such members become extras. Also the reports of recurrences on a fixed day, which
    /// become fields.
    package internal(set) var unread: [FormatError] = []
    /// The keys of JSON items that name no field, with the numbers of items that keep them as
    /// extras.
    package internal(set) var unknownKeys: [String: Int] = [:]
    /// The number of items that were nested below another one, and now follow it.
    package internal(set) var nestedItems = 0
    /// True if the text is a complete list, including views, as in a store.
    package internal(set) var isStore = false

    package init(
        list: ImportedList = ImportedList(), errors: [FormatError] = [],
        skippedText: [FormatError] = []
    ) {
        self.list = list
        self.errors = errors
        self.skippedText = skippedText
    }

    /// Returns the list if every item could be read.
    ///
    /// - Throws: The first of ``errors``.
    func requireComplete() throws(FormatError) -> ImportedList {
        if let first = errors.first { throw first }
        return list
    }
}

extension ParsedList {
    /// Reads the format in which every line is the name of an item, byte for byte. Lines that
    /// contain only white space are skipped.
    init(lines data: Data) {
        self.init()
        for line in TextLines(data) where !line.isBlank {
            if let name = line.text {
                list.items.append(ImportedItem(name: name))
            } else {
                errors.append(.notUTF8(line: line.number))
            }
        }
    }
}
