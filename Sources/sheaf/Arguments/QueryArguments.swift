import ArgumentParser
import SheafApp
import SheafList
import Terminal

/// A command with a query. Its words may begin with a hyphen: `-x` excludes the matches of x.
protocol QueryCommand: ParsableCommand {
    /// The command's one-letter options with a value, including the hyphen.
    static var letters: Set<String> { get }
    /// The number of words before the query.
    static var wordsBefore: Int { get }
}

extension QueryCommand {
    static var letters: Set<String> { [] }
    static var wordsBefore: Int { 0 }
}

/// The query of a command that only reads.
struct QueryArguments: ParsableArguments {
    /// The description of queries for a command's help.
    static let help = """
        A query consists of words, each of which must be part of the name, a tag or the note, in upper or lower case, and of:

          "exact words"      a text with its spaces
          +tag @tag #tag     the tag; its own sign may be missing after #
          +tag/              the tag and those below it, such as +tag/part
          is:done is:open is:untagged is:noted is:repeating
          is:overdue is:scheduled
                             open and due before today; open and scheduled
                             for a day after today
        \(FieldWord.help(indent: 2, width: 19))
          -x, NOT x          the items that x does not find
          x y, x OR y, ( )   both, either, brackets

        Days are those of your time zone; a date without a time, as in a todo.txt, is that day in all of them. \
        All arguments together are one query. Most shells need quotes around " # ( ) < > but not around +tag, @tag \
        and -word; after -- a query may begin with anything.
        """

    @Argument(
        help: "The query, as 'sheaf help list' explains; -x finds the items that x does not find.")
    var query: [Words] = []

    /// Returns the selection in list order.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, if the words are not a valid query.
    func selection() throws -> ItemSelection {
        try ItemSelection(query: query.texts.joined(separator: " "))
    }
}

/// The order in which a command prints items.
struct SortOptions: ParsableArguments {
    /// The sort orders of a command. The relevance of a match is missing, because it is of little
    /// use when words match substrings.
    enum Key: String, CaseIterable, ExpressibleByArgument {
        case manual, name, created, changed, done, tag, due, priority

        var sort: ItemSort { ItemSort(rawValue: rawValue) ?? .manual }
    }

    @Option(
        help: ArgumentHelp(
            "manual, name, created, changed, done, tag, due or priority; times newest first, due days earliest first (default: manual).",
            valueName: "key"))
    var sort: Key?

    @Flag(
        help: """
            Reverse the order. Equal items stay in list order, and items without a value stay last.
            """)
    var reverse = false

    /// Returns `selection` in this order.
    func applied(to selection: ItemSelection) -> ItemSelection {
        var selection = selection
        selection.sort = sort?.sort ?? .manual
        selection.isReversed = reverse
        return selection
    }
}

/// The items that a command selects, and their order. The selection does not depend on the list
/// until `search(in:)` applies it.
struct ItemSelection: Sendable {
    /// The typed query.
    let text: String
    private let query: Query
    var sort = ItemSort.manual
    var isReversed = false

    /// - Parameter isStrict: true to refuse a word that resembles the name of a field. If false, a
    ///   hint goes to standard error.
    /// - Throws: ``CommandFailure``, `.usage`, if `text` is not a valid query.
    init(query text: String, isStrict: Bool = false) throws {
        self.text = text
        do throws(QueryError) {
            query = try Query(text)
            guard let misspelling = query.misspellings.first else { return }
            if isStrict { throw misspelling }
            let hint = CommandFailure(misspelling, in: text)
            Diagnostics.report(hint.description, details: hint.details)
        } catch {
            throw CommandFailure(error, in: text)
        }
    }

    /// True if the query has no conditions, so that it finds every item.
    var isEmpty: Bool { query == .everything }

    /// See ``Query/asksForScheduled``.
    var asksForScheduled: Bool { query.asksForScheduled }

    /// Returns the search of the query in a list with these tags at this time. On the command line,
    /// a word without a field matches a substring, ignoring case.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, for a query that the list cannot answer.
    func search(
        in tags: [Tag], now: Timestamp = .now, calendar: LocalCalendar = .system
    ) throws -> ItemSearch {
        do throws(QueryError) {
            return try ItemSearch(query, tags: tags, now: now, calendar: calendar)
        } catch {
            throw CommandFailure(error, in: text)
        }
    }

    /// Returns the order in a list with these tags.
    func order(in tags: [Tag]) -> ItemOrder {
        ItemOrder(sort, isReversed: isReversed, tags: tags)
    }
}

extension CommandFailure {
    /// Creates the failure for an error in a query, with the reason, the query, and a mark below
    /// the place.
    init(_ error: QueryError, in query: String) {
        let excerpt = QueryExcerpt(query, marking: error.place)
        self.init(.usage, "query: \(error.reason)", details: [excerpt.text, excerpt.mark])
    }
}

/// A query in a form that is safe for a terminal, with a mark for the line below it.
struct QueryExcerpt {
    private(set) var text = ""
    /// The line below the query: spaces, and a `^` under each column of the place.
    private(set) var mark = ""

    /// The maximum number of columns on either side of the place, and of the place itself.
    private static let context = 36

    /// - Parameter place: the marked range, in bytes of the UTF-8 of `query`.
    init(_ query: String, marking place: Range<Int>) {
        let utf8 = query.utf8
        let start = utf8.index(
            utf8.startIndex, offsetBy: place.lowerBound, limitedBy: utf8.endIndex)
        let end = utf8.index(utf8.startIndex, offsetBy: place.upperBound, limitedBy: utf8.endIndex)
        let (first, last) = (start ?? utf8.endIndex, end ?? utf8.endIndex)
        let before = Self.end(of: DisplayText.sanitized(String(query[..<first])))
        let fault = DisplayText.truncated(String(query[first..<last]), to: Self.context)
        text = before + fault + DisplayText.truncated(String(query[last...]), to: Self.context)
        mark = String(repeating: " ", count: DisplayText.width(of: before))
        mark += String(repeating: "^", count: max(DisplayText.width(of: fault), 1))
    }

    /// Returns the last columns of a sanitized text.
    private static func end(of text: String) -> String {
        guard DisplayText.width(of: text) > context else { return text }
        return "…" + text.suffix(DisplayText.count(of: text.reversed(), within: context - 1))
    }
}
