/// What could be read of a text, and what could not.
public struct ParsedList: Hashable, Sendable {
    /// All that could be read.
    public var list: ImportedList
    /// The items that could not be read, in the order of the text; they are not in ``list``.
    public var bad: [FormatError]
    /// What belongs to no item and has no place in a list, such as a paragraph of a Markdown file.
    public var leftOut: [FormatError]
    /// Words and members that name a field and spell no value of it: they stay text, or extras.
    public internal(set) var unread: [FormatError] = []
    /// The number of items that stood under another one, and now follow it.
    public internal(set) var nestedItems = 0
    /// Whether it is all of a list, views included, as a store has it.
    public internal(set) var isStore = false

    public init(
        list: ImportedList = ImportedList(), bad: [FormatError] = [], leftOut: [FormatError] = []
    ) {
        self.list = list
        self.bad = bad
        self.leftOut = leftOut
    }

    /// The list, if nothing of it was bad.
    ///
    /// - Throws: the first of ``bad``.
    func whole() throws(FormatError) -> ImportedList {
        if let first = bad.first { throw first }
        return list
    }
}
