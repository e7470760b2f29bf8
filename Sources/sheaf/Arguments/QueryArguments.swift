import ArgumentParser
import SheafList

/// A command whose arguments are a query.
protocol QueryCommand: ParsableCommand {
    /// Its options that take no value.
    static var flags: Set<String> { get }
    /// Its options of one letter that take a value, the hyphen included.
    static var letters: Set<String> { get }
    /// How many arguments come before the query.
    static var argumentsBefore: Int { get }
}

extension QueryCommand {
    static var flags: Set<String> { [] }
    static var letters: Set<String> { [] }
    static var argumentsBefore: Int { 0 }

    /// The places of the arguments that are parts of the query and begin with a hyphen: they are
    /// neither options nor values of these. The first argument comes after the command's name.
    static func exclusions(in arguments: ArraySlice<String>) -> [Int] {
        var (found, before, previous) = ([Int](), argumentsBefore, "")
        for (index, argument) in zip(arguments.indices, arguments) {
            defer { previous = argument }
            if isOption(previous), !previous.contains("="), !flags.contains(previous) { continue }
            // By bytes: a mark may join the hyphen.
            if argument.utf8.first != UInt8(ascii: "-") || argument == "-" {
                before -= 1
            } else if before <= 0, !isOption(argument), argument != "-h",
                !letters.contains(String(argument.prefix(2)))
            {
                found.append(index)
            }
        }
        return found
    }

    private static func isOption(_ argument: String) -> Bool {
        argument.hasPrefix("--") || letters.contains(argument)
    }
}

/// The query of a command that reads.
struct QueryArguments: ParsableArguments {
    /// What a command that takes a query can be told, for its help.
    static let help = """
        A query is words, each of which must be part of the name, a tag or the note, in upper or lower case, and:

          "exact words"      a part with its spaces
          +tag @tag #tag     the tag; its own sign may be missing after #
          +tag/              the tag and those below it, such as +tag/part
          is:done is:open is:untagged is:noted is:repeating
          is:overdue is:scheduled
                             open and due before today; open and scheduled
                             for a day after today
        \(FieldWord.help(indent: 2, width: 19))
          -x, NOT x          whatever x does not find
          x y, x OR y, ( )   both, either, brackets

        Days are those of your time zone; a date without a time, as in a todo.txt, is that day in all of them. \
        All arguments together are one query. Most shells need quotes around " # ( ) < > but not around +tag, @tag \
        and -word; after -- a query may begin with anything.
        """

    @Argument(
        help: "What to look for, as 'sheaf help list' says; -x finds what x does not find.")
    var query: [Words] = []

    /// The selection in list order.
    ///
    /// - Throws: ``CommandFailure``, `.usage`, if the words are no query.
    func selection() throws -> ItemSelection {
        try ItemSelection(query: query.texts.joined(separator: " "))
    }
}

/// The order in which a command prints items.
struct SortOptions: ParsableArguments {
    /// What a command can sort by: everything but how well an item matches, which says little where
    /// words are substrings.
    enum Key: String, CaseIterable, ExpressibleByArgument {
        case manual, name, created, changed, done, tag, due, priority

        var sort: ItemSort {
            switch self {
            case .manual: .manual
            case .name: .name
            case .created: .created
            case .changed: .changed
            case .done: .done
            case .tag: .tag
            case .due: .due
            case .priority: .priority
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "manual, name, created, changed, done, tag, due or priority; times from the newest on, due days from the earliest (default: manual).",
            valueName: "key"))
    var sort: Key?

    @Flag(
        help: """
            Reverse the order. What is equal stays in list order, and what has no value stays last.
            """)
    var reverse = false

    /// `selection` in this order.
    func applied(to selection: ItemSelection) -> ItemSelection {
        var selection = selection
        selection.sort = sort?.sort ?? .manual
        selection.isReversed = reverse
        return selection
    }
}
