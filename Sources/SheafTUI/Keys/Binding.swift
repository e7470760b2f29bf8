import SheafApp

/// The context in which keys have their meaning: the focused pane, or the overlay or line editor
/// above it.
package enum KeyContext: Hashable, Sendable, CaseIterable {
    case pane(Pane)
    case newItem, itemName, draft, filter, sortMenu, tagPicker, confirmation, leaving, palette
    case help, helpSearch
    case dayPrompt, repeatPrompt
    /// Keys wait for the list to load. Further keys are queued, and their context is determined
    /// later.
    case waiting

    static let items = pane(.items)
    static let tags = pane(.tags)

    /// All contexts in the order of the guide. The pane in which the program starts comes first.
    package static let allCases: [KeyContext] =
        Pane.allCases.reversed().map(Self.pane)
        + [
            .newItem, .itemName, .draft, .filter, .sortMenu, .tagPicker, .dayPrompt, .repeatPrompt,
            .palette, .confirmation, .leaving, .help, .helpSearch, .waiting,
        ]

    /// Creates the context of `state`.
    package init(_ state: borrowing AppState) {
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

    /// A Boolean value that indicates whether a character without a binding is text for the open
    /// line.
    var takesText: Bool {
        switch self {
        case .pane, .sortMenu, .confirmation, .leaving, .help, .waiting: false
        case .newItem, .itemName, .draft, .filter, .tagPicker, .dayPrompt, .repeatPrompt,
            .palette, .helpSearch:
            true
        }
    }

    /// The name of the context in the status line, the help and the guide.
    package var title: String {
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

/// One row of the keymap. Dispatch, footer, help, the palette and the guide's tables are generated
/// from these rows.
package struct Binding: Sendable {
    package var contexts: [KeyContext]
    /// The keys of the action, each a sequence of key labels: `["j"]`, `["d", "d"]`. An action
    /// without keys is only in the palette.
    package var keys: [[String]]
    /// The action in words, for help and guide.
    package var title: String
    /// The action's name in the palette. It includes the subject of the action, because the palette
    /// has no headings.
    package var name: String
    /// Further texts that find the action in the palette, such as commands of other programs.
    package var commands: [String]
    /// The word for the footer, or nil if the footer does not show it.
    package var hint: String?
    /// The words for the footer after the first key of a sequence, or `nil` to use the title.
    var brief: String?
    package var action: AppAction
    /// The entry of the row in help and guide.
    var listing: Listing
    /// The part of the list that must be loaded first. Until then, the key and all later input
    /// wait.
    package var requirement: Requirement

    /// The entry of a row in help and guide. Keys that differ only in a number have a row each,
    /// since each does something different, but share one entry.
    enum Listing: Hashable, Sendable {
        case own
        /// One entry for this row and the rows after it, up to the one whose key has this label.
        /// The palette has one row for all of them, which asks for the number or letter.
        case through(String, asking: Palette.Argument? = nil)
        /// The row is part of the entry of an earlier row.
        case none
    }

    /// Creates a row. Spaces separate `keys`, and plus signs separate the labels of a sequence:
    /// `"d+d Del"`.
    init(
        _ contexts: [KeyContext], _ keys: String, _ title: String, name: String? = nil,
        commands: [String] = [], hint: String? = nil, brief: String? = nil, listing: Listing = .own,
        requires requirement: Requirement = .nothing,
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
        self.requirement = requirement
    }

    /// Returns the remaining keys after `pending` and their meaning. Returns nil if no sequence of
    /// this row begins with `pending`, or if another row lists it.
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

    /// The display form of each key: `dd`, `Del`.
    var labels: [String] {
        if case .through(let last, _) = listing { return ["\(shortLabel)…\(last)"] }
        return keys.map { $0.joined() }
    }

    /// The display form of all keys: `dd Del`.
    package var label: String { labels.joined(separator: " ") }

    /// The first key, for the footer.
    var shortLabel: String { keys.first?.joined() ?? "" }

    /// The action that the palette performs for the row, or `nil`. The palette does not list
    /// itself.
    var paletteAction: AppAction? {
        if case .palette(.opened) = action { return nil }
        return switch listing {
        case .own: action
        case .through(_, let argument): argument.map { .palette(.argumentRequested($0)) }
        case .none: nil
        }
    }

    /// A Boolean value that indicates whether the action edits the open line, and so is the same in
    /// all contexts with text.
    var editsLine: Bool {
        if case .line(.edited) = action { true } else { false }
    }
}
