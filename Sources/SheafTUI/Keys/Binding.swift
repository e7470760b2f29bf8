import SheafApp

/// The target of keys: the pane with the focus, or the box or line that is open above it.
public enum KeyContext: Hashable, Sendable, CaseIterable {
    case pane(Pane)
    case newItem, itemName, draft, filter, sortMenu, tagPicker, confirmation, leaving, palette
    case help, helpSearch
    case dayPrompt, repeatPrompt
    /// Keys wait for the list to be read. Typed keys join them, for the context that they will be
    /// in.
    case waiting

    static let items = pane(.items)
    static let tags = pane(.tags)

    /// In the order of the guide, the pane in which the program starts first.
    public static let allCases: [KeyContext] =
        Pane.allCases.reversed().map(Self.pane)
        + [
            .newItem, .itemName, .draft, .filter, .sortMenu, .tagPicker, .dayPrompt, .repeatPrompt,
            .palette, .confirmation, .leaving, .help, .helpSearch, .waiting,
        ]

    /// The context of `state`.
    public init(_ state: borrowing AppState) {
        guard !state.leaving.isAsking else {
            self = .leaving
            return
        }
        switch state.ui.mode {
        case .normal: self = .pane(state.ui.pane)
        case .draft(let draft):
            self = draft.isNewItem ? .newItem : draft.isOfItem ? .itemName : .draft
        case .filter: self = .filter
        case .sortMenu: self = .sortMenu
        case .tagPicker: self = .tagPicker
        case .prompt(let prompt): self = prompt.field == .repeat ? .repeatPrompt : .dayPrompt
        case .confirmation: self = .confirmation
        case .help(let help): self = help.isSearching ? .helpSearch : .help
        case .palette: self = .palette
        }
    }

    /// Whether a character that no binding takes is text for the open line.
    var takesText: Bool {
        switch self {
        case .pane, .sortMenu, .confirmation, .leaving, .help, .waiting: false
        case .newItem, .itemName, .draft, .filter, .tagPicker, .dayPrompt, .repeatPrompt,
            .palette, .helpSearch:
            true
        }
    }

    /// The name of the context in the status line, the help and the guide.
    public var title: String {
        switch self {
        case .pane(let pane): pane.title
        case .newItem: "Typing a new item"
        case .itemName: "Renaming an item"
        case .draft: "Renaming a tag or view"
        case .filter: "Typing a query"
        case .sortMenu: "Sorting"
        case .tagPicker: "Tag picker"
        case .dayPrompt: "Typing a date"
        case .repeatPrompt: "Typing a repeat"
        case .palette: "Palette"
        case .confirmation: "A question"
        case .leaving: "Quitting with unsaved changes"
        case .help: "Help"
        case .helpSearch: "Searching the help"
        case .waiting: "Keys waiting for the list"
        }
    }
}

/// One row of the keymap: dispatch, footer, help, the palette and the guide's tables are all made
/// of it.
public struct Binding: Sendable {
    public var contexts: [KeyContext]
    /// The keys of the action, each a sequence of key labels: `["j"]`, `["d", "d"]`. An action
    /// without keys is only in the palette.
    public var keys: [[String]]
    /// The action in words, for help and guide.
    public var title: String
    /// The name in the palette, where no other words say which objects it acts on.
    public var name: String
    /// Texts that stand for it in the palette beside its keys: commands of other programs.
    public var commands: [String]
    /// The word for the footer, or nil if the footer does not show it.
    public var hint: String?
    /// The words for the footer after the beginning of a sequence, or nil for those of the title.
    var brief: String?
    public var action: AppAction
    /// How help and guide list it.
    var listing: Listing
    /// The data that must be loaded first. Until then, the key waits, and so does all input after
    /// it.
    public var need: Need

    /// How help and guide list a row. Keys that differ in a number take a row each, for each does
    /// something of its own, and are told of in one.
    enum Listing: Hashable, Sendable {
        case own
        /// With the rows after it, up to the one whose key has this label. The palette has one
        /// row for all of them, which asks.
        case through(String, asking: Palette.Argument? = nil)
        /// By a row before.
        case none
    }

    /// A row; `keys` are separated by spaces, the labels of a sequence by a plus sign: `"d+d Del"`.
    init(
        _ contexts: [KeyContext], _ keys: String, _ title: String, name: String? = nil,
        commands: [String] = [], hint: String? = nil, brief: String? = nil, listing: Listing = .own,
        needs need: Need = .nothing,
        _ action: AppAction
    ) {
        self.contexts = contexts
        self.keys = keys.split(separator: " ").map { key in
            key.count > 1 ? key.split(separator: "+").map(String.init) : [String(key)]
        }
        self.title = title
        self.name = name ?? title
        self.commands = commands
        self.hint = hint
        self.brief = brief
        self.listing = listing
        self.action = action
        self.need = need
    }

    /// Returns the remaining keys after `pending` and their meaning. Nil if the sequence does not
    /// begin with `pending`, or if another row lists it.
    func hint(after pending: [String]) -> (key: String, text: String)? {
        guard listing != .none,
            let keys = keys.first(where: { $0.count > pending.count && $0.starts(with: pending) })
        else { return nil }
        var key = keys.dropFirst(pending.count).joined()
        if case .through(let last, _) = listing {
            key += "…" + last.dropFirst(pending.joined().count)
        }
        return (key, brief ?? hint ?? title)
    }

    /// Each key as a person reads it: `dd`, `Del`.
    var labels: [String] {
        if case .through(let last, _) = listing { return ["\(shortLabel)…\(last)"] }
        return keys.map { $0.joined() }
    }

    /// The keys as a person reads them: `dd Del`.
    public var label: String { labels.joined(separator: " ") }

    /// The first key, for the footer.
    var shortLabel: String { keys.first?.joined() ?? "" }

    /// The action in the palette, which does not list itself.
    var paletteAction: AppAction? {
        if case .palette(.opened) = action { return nil }
        return switch listing {
        case .own: action
        case .through(_, let argument): argument.map { .palette(.asked($0)) }
        case .none: nil
        }
    }

    /// True if it edits the open line, and so is equal wherever text is typed.
    var editsLine: Bool {
        if case .line(.edited) = action { true } else { false }
    }
}
