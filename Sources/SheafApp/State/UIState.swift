import SheafList
import Swidux

/// What is on the screen besides the entities: none of it is persisted, and none of it can be
/// undone.
public struct UIState: Sendable {
    public var size: Size
    public var pane = Pane.items
    public var mode = Mode.normal
    /// The selection is an item, never a row number: it stays when rows come and go around it.
    public var selectedItem: Item.ID?
    /// Where the selection was when it was last seen: the row that takes over when its item goes.
    public internal(set) var selectedRow = 0
    /// The items that commands act on together.
    public var marks = MarkedItems()
    /// The bulk command that goes on.
    public internal(set) var bulk: Bulk?
    /// How many bulk commands there have been.
    var bulks = 0
    /// What `p` puts.
    var clip: Clip?
    public var itemScroll = ScrollPosition()
    /// The choices that decide which items are shown, and their order.
    public var shown = Shown()
    /// The chosen tag, if another process has deleted it: no item is shown until the user chooses
    /// again, so that no command acts on items that were not chosen.
    public internal(set) var deletedTag: Tag?
    /// The place of the tag choice when it was last seen: the one that takes over when its tag
    /// goes.
    var tagPlace = 0
    /// The saved view that is chosen instead.
    var chosenView: ChosenView?
    public var tagScroll = ScrollPosition()
    /// The item that was added or renamed as it was typed, until its tags are taken out of its
    /// name: a step of its own, in the same turn.
    var typedItem: (id: Item.ID, typed: TypedItem, isNew: Bool)?
    /// The text that `^Y` inserts into any line: the last one that was deleted or discarded.
    var killed = LineEditor.Killed()
    /// The last discarded line, until `^Y` has inserted it into an empty one.
    var discarded: LineEditor.Killed?
    /// Earlier queries, the last one first.
    var queries: [String] = []
    /// Whether items that are scheduled for a later day are shown.
    public internal(set) var showsScheduled = false
    public var showsWrites = false
    /// Whether the tags do not stand beside the items.
    public var hidesTags = false
    /// Whether rows that are not committed have a mark.
    public internal(set) var marksUnsaved = false
    public var inspector = Inspector()
    /// The names of the actions last chosen from the palette, the last one first.
    public internal(set) var usedActions: [String] = []
    /// What the last run showed, until it is shown again or the user does something else.
    var remembered: RememberedView?
    public var toast: Toast?
    public var mouse = MouseState()
    /// The number typed before a command.
    public internal(set) var count: Int?
    /// The keys typed of a sequence that is not complete, by their labels.
    public var pendingKeys: [String] = []
    /// What ``pendingKeys`` are about.
    var pendingSubject: KeySubject?
    /// The views as they were numbered when ``pendingKeys`` began, until one is chosen.
    var numberedViews: [SavedView.ID]?
    /// The subject that keys have lost, until the next command of the user.
    var lostSubject: LostSubject?
    /// How many keys waiting for the list to be read.
    public var waitingKeys = 0
    /// How many of them were given up because the program was told to end, which is said at the
    /// end.
    var abandonedKeys = 0
    var toastSerial = 0

    init(size: Size) {
        self.size = size
    }

    /// The panes that there are, from left to right, whether they have room or not.
    var panes: [Pane] { Pane.allCases }

    /// Shows `text` for a few seconds, with an optional hint of what to press.
    mutating func show(_ text: String, hint: String? = nil, isAlert: Bool = false) {
        toastSerial += 1
        toast = Toast(serial: toastSerial, text: text, hint: hint, isAlert: isAlert)
    }

    /// The same of why a command did nothing, until another one does something.
    mutating func refuse(_ text: String, hint: String? = nil, isAlert: Bool = false) {
        show(text, hint: hint, isAlert: isAlert)
        toast?.isRefusal = true
    }

    /// Refuses the keys that were typed behind a choice that failed. The toast says why.
    mutating func choiceFailed() {
        if let toast, lostSubject == nil { lostSubject = .notChosen(toast.text) }
    }

    /// Shows `reason`, for which other rows are shown than the user chose, and refuses the next
    /// command about them.
    mutating func showOtherRows(because reason: String) {
        show(reason, isAlert: true)
        if lostSubject == nil { lostSubject = .otherRows(reason) }
    }
}

/// A message in the status line that goes away by itself and takes no key.
public struct Toast: Hashable, Sendable {
    public var serial: Int
    public var text: String
    public var hint: String?
    public var isAlert: Bool
    /// Whether it says why a command did nothing.
    var isRefusal = false
}

/// What keys mean now.
public enum Mode: Sendable {
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

/// An open line editor in a row: no change and no undo step until it is kept.
public struct Draft: Hashable, Sendable {
    /// What is said when another process deletes what is being renamed.
    static let deletedElsewhere = "Deleted elsewhere; Enter adds it again"

    /// What the line will become.
    public enum Target: Hashable, Sendable {
        case renamedItem(Item.ID)
        /// A new item below the one named, or as the first if there is none.
        case newItem(below: Item.ID?)
        case newItemAtEnd
        case renamedTag(Tag.ID)
        /// A new tag below the one named, or as the last if there is none.
        case newTag(below: Tag.ID?)
        case renamedView(SavedView.ID)
        /// What is shown, as the last view.
        case newView

        /// The item that a new one is to stand below, if there is one.
        var anchor: Item.ID? { if case .newItem(let id) = self { id } else { nil } }
    }

    public var target: Target
    public var line: LineEditor
    /// What the line began with: what it is renamed from, whatever another process makes of it
    /// meanwhile.
    let original: String
    /// Whether it began as a new item: one that is renamed, which another process may delete
    /// meanwhile, has words that nobody has typed.
    public let isNewItem: Bool
    /// True if the line is that of an item, also of one that is renamed.
    public var isOfItem: Bool { isNewItem || item != nil }
    /// The pane that has the keys again, where it was opened from another.
    var formerPane: Pane?
    /// The item when its rename began. It is restored if another process deletes it.
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

/// The filter while it is typed.
public struct FilterDraft: Sendable {
    public var line: LineEditor
    /// What Esc goes back to.
    public internal(set) var previous: String
    var previousSelection: Item.ID?
    /// The saved view whose query it is, if Enter saves it there.
    var view: SavedView.ID?
    /// The earlier query that the line shows, counted from the last one, and what was typed before
    /// it was brought back.
    var recalled: (query: Int, typed: String)?
    /// The words that Tab offers for the one before the caret, until the next key on the line; or
    /// nil.
    public internal(set) var completions: Completions?

    /// Words to choose from: the next Tab puts the first in the line, and every other the next.
    public struct Completions: Sendable {
        let words: [String]
        public let listed: String
        /// The number of characters before the caret that are the word.
        var typed: Int
        var chosen: Int?
    }
}

/// A question that only yes answers.
public struct Confirmation: Sendable {
    public var question: String
    /// The same in fewer and fewer words, for where there is little room.
    public var briefly: [String] = []
    /// The name that stands in the question within quotation marks, or nil.
    public var name: String?
    /// What yes does, as a word for the footer.
    public var verb: String
    /// The first of `count` things that it is about, one a row, for a box with that title; or none.
    public var preview: [String] = []
    public var title = ""
    public var count = 0
    var confirmed: AppAction
    /// The action of `l`, which takes a text as it stands, or nil.
    var literal: AppAction?
    /// True if there are two ways to say yes.
    public var offersLiteral: Bool { literal != nil }
    /// The items, and how many of the marked ones were hidden, as the question was last brought in
    /// line with them.
    var items: Revision?
    var hidden: Int?
    /// The number of items that another process has changed since the question about deleting them,
    /// and that yes therefore keeps.
    var kept = 0

    /// More of them have no room.
    static let mostPreviewed = 10

    /// As much of `name`, which may be of any length, as a screen has room for.
    static func shown(_ name: String) -> String {
        let start = name.prefix(200)
        return start.endIndex == name.endIndex ? name : "\(start)…"
    }
}

extension Mode {
    /// The line that keys edit in this mode, or nil if they edit none.
    public var line: LineEditor? {
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

    public var draft: Draft? {
        if case .draft(let draft) = self { draft } else { nil }
    }

    /// The item below which new ones are to stand, typed or pasted, if there is one.
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

    public var isNormal: Bool {
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
