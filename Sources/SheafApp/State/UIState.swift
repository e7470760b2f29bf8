import SheafList
import Swidux

/// The state of the screen other than the entities. It is neither persisted nor part of undo.
package struct UIState: Sendable {
    package var size: Size
    package var pane = Pane.items
    package var mode = Mode.normal
    /// The id of the selected item. The selection stays on its item when other rows come and go.
    package var selectedItem: Item.ID?
    /// The last known row of the selection. If its item is deleted, the item that moves to this row
    /// is selected.
    package internal(set) var selectedRow = 0
    /// The items that commands act on together.
    package var marks = MarkedItems()
    /// The running bulk command.
    package internal(set) var bulk: Bulk?
    /// The number of bulk commands so far.
    var bulks = 0
    /// The items that `p` puts below the current row.
    var clip: Clip?
    package var itemScroll = ScrollPosition()
    /// The choices that decide which items are shown, and their order.
    package var viewSettings = ViewSettings()
    /// The chosen tag, if another process has deleted it. No items are shown until the user chooses
    /// again, so that no command acts on items that the user did not choose.
    package internal(set) var deletedTag: Tag?
    /// The last known place of the tag choice. If its tag is deleted, the choice at this place is
    /// used.
    var tagPlace = 0
    /// The chosen saved view, or nil if another row is chosen.
    var chosenView: ChosenView?
    package var tagScroll = ScrollPosition()
    /// The item that was just added or renamed, until its tags are moved from the typed name to the
    /// item. The move is a separate undo step in the same turn.
    var typedItem: (id: Item.ID, typed: TypedItem, isNew: Bool)?
    /// The text that `^Y` inserts into any line: the last deleted or discarded text.
    var killed = LineEditor.Killed()
    /// The last discarded line, until `^Y` inserts it into an empty line.
    var discarded: LineEditor.Killed?
    /// Earlier queries, latest first.
    var queries: [String] = []
    /// True if items that are scheduled for a later day are shown.
    package internal(set) var showsScheduled = false
    package var showsWrites = false
    /// True if the tags pane is not shown beside the items.
    package var hidesTags = false
    /// True if rows with uncommitted changes have a mark.
    package internal(set) var marksUnsaved = false
    package var inspector = Inspector()
    /// The names of the actions that were last chosen from the palette, latest first.
    package internal(set) var usedActions: [String] = []
    /// The view of the last run, until it is restored or the user moves on.
    var remembered: RememberedView?
    package var toast: Toast?
    package var mouse = MouseState()
    /// The number typed before a command.
    package internal(set) var count: Int?
    /// The labels of the typed keys of an incomplete key sequence.
    package var pendingKeys: [String] = []
    /// The subject of ``pendingKeys``.
    var pendingSubject: KeySubject?
    /// The order of the views when ``pendingKeys`` began, until the user chooses one by number.
    var numberedViews: [SavedView.ID]?
    /// The subject that the typed keys have lost, until the user's next command.
    var lostSubject: LostSubject?
    /// True after a key was dropped because another process changed its subject, until the user
    /// pauses. All keys until then are dropped too.
    package internal(set) var dropsKeys = false
    /// The number of keys that wait for the list to load.
    package var waitingKeys = 0
    /// The number of waiting keys that were discarded because the program was told to end. A
    /// message at the end reports it.
    var keysDroppedAtEnd = 0
    /// A message of storage that came while the program was ending. A message at the end repeats
    /// it.
    var noticeAtEnd: String?
    var toastSerial = 0

    init(size: Size) {
        self.size = size
    }

    /// All panes from left to right, including those that do not fit on the screen.
    var panes: [Pane] { Pane.allCases }

    /// Shows `text` for a few seconds, with an optional hint about a key to press.
    mutating func show(_ text: String, hint: String? = nil, isAlert: Bool = false) {
        toastSerial += 1
        toast = Toast(serial: toastSerial, text: text, hint: hint, isAlert: isAlert)
    }

    /// Shows the reason why a command did nothing, until another command takes effect.
    mutating func refuse(_ text: String, hint: String? = nil, isAlert: Bool = false) {
        show(text, hint: hint, isAlert: isAlert)
        toast?.isRefusal = true
    }

    /// Refuses the keys that were typed after a failed choice. The toast gives the reason.
    mutating func choiceFailed() {
        if let toast, lostSubject == nil { lostSubject = .notChosen(toast.text) }
    }

    /// Shows `reason`, which explains why the rows are not those that the user chose, and refuses
    /// the next command on them.
    mutating func showOtherRows(because reason: String) {
        show(reason, isAlert: true)
        if lostSubject == nil { lostSubject = .otherRows(reason) }
    }
}

/// A message in the status line that expires on a timer and accepts no keys.
package struct Toast: Hashable, Sendable {
    package var serial: Int
    package var text: String
    package var hint: String?
    package var isAlert: Bool
    /// True if the message is the reason why a command did nothing.
    var isRefusal = false
}

/// The current meaning of keys.
package enum Mode: Sendable {
    case normal
    case draft(Draft)
    case filter(FilterDraft)
    case sortMenu(SortMenu)
    case prompt(ItemPrompt)
    case tagPicker(TagPicker)
    case confirmation(Confirmation)
    case help(Help)
    case palette(Palette)
}

/// An open line editor in a row. It makes no change and no undo step until the user presses Enter.
package struct Draft: Hashable, Sendable {
    /// The message when another process deletes the entity that is being renamed.
    static let deletedElsewhere = "Deleted by another process; Enter adds it again"

    /// The purpose of the line.
    package enum Target: Hashable, Sendable {
        case renamedItem(Item.ID)
        /// A new item below the given one, or at the top if nil.
        case newItem(below: Item.ID?)
        case newItemAtEnd
        case renamedTag(Tag.ID)
        /// A new tag below the given one, or at the end if nil.
        case newTag(below: Tag.ID?)
        case renamedView(SavedView.ID)
        /// A new view of the current choices, at the end.
        case newView

        /// The item below which the new one will be placed, or nil.
        var anchor: Item.ID? { if case .newItem(let id) = self { id } else { nil } }
    }

    package var target: Target
    package var line: LineEditor
    /// The initial text of the line: the name before the rename, even if another process changes
    /// it.
    let original: String
    /// True if the line began as a new item. If it began as a rename and another process then
    /// deletes the item, the line contains words that the user did not type.
    package let isNewItem: Bool
    /// True if the line is for a new item or for the rename of an item.
    package var isOfItem: Bool { isNewItem || item != nil }
    /// The pane that gets the focus back if the line was opened from another pane.
    var formerPane: Pane?
    /// The item at the start of its rename. It is restored if another process deletes it.
    var item: Item?

    init(target: Target, line: LineEditor) {
        self.target = target
        self.line = line
        original = line.text
        isNewItem =
            switch target {
            case .newItem, .newItemAtEnd: true
            default: false
            }
    }
}

/// The query line while the user types in it.
package struct FilterDraft: Sendable {
    package var line: LineEditor
    /// The query that Esc restores.
    package internal(set) var previous: String
    var previousSelection: Item.ID?
    /// The saved view that Enter updates with the query, or nil.
    var view: SavedView.ID?
    /// The earlier query that the line shows, counted back from the latest, and the text that was
    /// typed before it was recalled.
    var recalled: (query: Int, typed: String)?
    /// The words that Tab offers in place of the one before the caret, until the next edit; or nil.
    package internal(set) var completions: Completions?

    /// A choice of words. The first Tab inserts the first word, and every further Tab the next one.
    package struct Completions: Sendable {
        let words: [String]
        package let listed: String
        /// The length, in characters, of the word before the caret.
        var typed: Int
        var chosen: Int?
    }
}

/// A question that the user must confirm before an action runs.
package struct Confirmation: Sendable {
    package var question: String
    /// Shorter and shorter forms of the question, for narrow screens.
    package var shorterForms: [String] = []
    /// The name that the question quotes, or nil.
    package var name: String?
    /// The verb for the effect of yes, for the footer.
    package var verb: String
    /// The first of the `count` affected entities, one per row, for a box titled `title`; may be
    /// empty.
    package var preview: [String] = []
    package var title = ""
    package var count = 0
    /// A sentence below the preview, or nil.
    package var advice: String?
    var confirmed: AppAction
    /// The action of `l`, which adds a pasted text literally, or nil.
    var literal: AppAction?
    /// True if the user can confirm in two ways.
    package var offersLiteral: Bool { literal != nil }
    /// The revision of the items, and the number of hidden marked items, for which the question was
    /// last updated.
    var items: Revision?
    var hidden: Int?
    /// The number of items that a yes does not delete, because another process has changed them
    /// since the question was asked.
    var kept = 0

    /// The maximum number of previewed entities.
    static let maxPreviewed = 10

    /// Returns the part of `name`, which may have any length, that can fit on a screen.
    static func shown(_ name: String) -> String {
        let start = name.prefix(200)
        return start.endIndex == name.endIndex ? name : "\(start)…"
    }
}

extension Mode {
    /// The line that keys edit in this mode, or nil if there is none.
    package var line: LineEditor? {
        switch self {
        case .normal, .confirmation, .sortMenu: nil
        case .draft(let draft): draft.line
        case .filter(let filter): filter.line
        case .tagPicker(let picker): picker.line
        case .prompt(let prompt): prompt.line
        case .help(let help): help.isSearching ? help.line : nil
        case .palette(let palette): palette.line
        }
    }

    package var draft: Draft? {
        if case .draft(let draft) = self { draft } else { nil }
    }

    /// The item below which typed or pasted items will be placed, or nil.
    var anchor: Item.ID? {
        switch self {
        case .draft(let draft): draft.target.anchor
        case .confirmation(let question):
            if case .clip(.linesAdded(_, at: let target)) = question.confirmed {
                target.anchor
            } else {
                nil
            }
        default: nil
        }
    }

    package var isNormal: Bool {
        if case .normal = self { true } else { false }
    }

    /// True for a box or question about items, which other processes may change meanwhile.
    var isAboutItems: Bool {
        switch self {
        case .tagPicker, .prompt, .confirmation: true
        default: false
        }
    }
}
