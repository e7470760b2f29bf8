import SheafList

/// `:`: every action by its name, found by typing.
public enum PaletteAction: Sendable {
    case opened([Palette.Entry])
    /// An action wants to know something before it can be done.
    case asked(Palette.Argument)
    case moved(rows: Int)
    /// Enter: the palette closes, and what is highlighted is done next, as if by its own key. What
    /// cannot be done says why, and leaves the palette open.
    case chosen
    case closed
}

extension PaletteAction: FeatureAction {
    static let reducer = PaletteReducer()

    var traits: ActionTraits {
        switch self {
        case .opened, .asked, .moved, .chosen, .closed:
            .user(under: .program, ends: [.count, .range])
        }
    }
}

/// The palette while it is open.
public struct Palette: Sendable {
    /// An action, as the keymap says it.
    public struct Entry: Sendable {
        /// What it does, in words that need no context. It is also what ``UIState/usedActions``
        /// knows it by.
        public var name: String
        /// Its keys as a person reads them, or empty if it has none.
        public var keys: String
        /// The texts that mean just this: its keys, and commands of other programs such as `w`.
        public var commands: [String]
        public var action: AppAction
        public var need: Need
        /// The pane that it is about, if that is another than the one with the focus.
        public var pane: Pane?
        /// Why it could not be done when the palette was opened, where the state does not tell.
        public var obstacle: String?

        public init(
            name: String, keys: String, commands: [String] = [], action: AppAction, need: Need,
            pane: Pane?
        ) {
            self.name = name
            self.keys = keys
            self.commands = commands
            self.action = action
            self.need = need
            self.pane = pane
        }
    }

    /// What an action can ask for.
    public enum Argument: Hashable, Sendable {
        case rowNumber, savedView, priority

        /// What has to be here before what was chosen can be done.
        var need: Need {
            switch self {
            case .rowNumber, .savedView: .nothing
            case .priority: .marked(to: "prioritize")
            }
        }
    }

    /// What is chosen from.
    public enum Choices: Sendable {
        case actions([Entry])
        case argument(Argument)
    }

    /// Something that Enter could do.
    public struct Row: Sendable, Identifiable {
        public enum ID: Hashable, Sendable {
            case action(String), view(SavedView.ID), priority(Priority), number
        }

        public var id: ID
        public var name: String
        /// Which letters of the name were typed; empty if none were.
        public var found: [Bool] = []
        public var keys = ""
        /// ``Entry/commands``.
        var commands: [String] = []
        /// What it stands for, or nil while something is missing.
        public var action: AppAction?
        /// Why it cannot be done now, in a few words, or nil if it can.
        public var obstacle: String?
    }

    public let choices: Choices
    /// What the selection stood on when the palette was opened: an action is about that, or not
    /// done.
    private let subject: KeySubject
    public var line = LineEditor()
    /// The highlight is an action or a view, never a row number: it stays when another process
    /// makes or deletes views around it.
    private var highlighted: Row.ID?
    public private(set) var highlightedRow = 0

    init(_ choices: Choices, about subject: KeySubject) {
        self.choices = choices
        self.subject = subject
    }

    /// The rows that what was typed leaves, the best match first, and where nothing tells them
    /// apart what was used last. O(actions + views).
    public func rows(in state: AppState) -> [Row] {
        switch choices {
        case .actions(let entries): rows(of: entries, in: state)
        case .argument(.savedView): ranked(state.views.values.map(Row.init))
        case .argument(.rowNumber): [state.rowNumberRow(typed: line.text)]
        case .argument(.priority): ranked(Priority.allCases.map { row(of: $0, in: state) })
        }
    }

    private func row(of priority: Priority, in state: AppState) -> Row {
        let entry = Entry(
            name: "(\(priority))", keys: "", action: .dates(.prioritized(priority)),
            need: Argument.priority.need, pane: nil)
        return Row(
            id: .priority(priority), name: entry.name, action: entry.action,
            obstacle: obstacle(to: entry, in: state))
    }

    private func rows(of entries: [Entry], in state: AppState) -> [Row] {
        let used = state.ui.usedActions
        let recency = Dictionary(
            zip(used, used.indices), uniquingKeysWith: { first, _ in first })
        let ordered = entries.enumerated().sorted { one, other in
            func key(_ place: Int, _ entry: Entry) -> (Int, Int, Int) {
                (recency[entry.name] ?? used.count, entry.pane == nil ? 0 : 1, place)
            }
            return key(one.offset, one.element) < key(other.offset, other.element)
        }
        return ranked(
            ordered.map { entry in
                Row(
                    id: .action(entry.element.name), name: entry.element.name,
                    keys: entry.element.keys, commands: entry.element.commands,
                    action: entry.element.action,
                    obstacle: obstacle(to: entry.element, in: state))
            })
    }

    private func obstacle(to entry: Entry, in state: AppState) -> String? {
        if entry.need.verb != nil, subject != state.keySubject {
            return "the selection moved"
        }
        return state.obstacle(to: entry)
    }

    /// Returns the rows that match the typed text, best first: a row with that key or command, then
    /// rows in which the typed words begin words in the same order (more whole words first), then
    /// fuzzy matches. Equal matches keep their order. A fuzzy match never finds a way to quit.
    private func ranked(_ rows: [Row]) -> [Row] {
        let search = ItemSearch(words: line.text)
        guard !search.isEverything else { return rows }
        let typed = Self.words(of: line.text)
        let command = line.text.trimmed
        let found = rows.enumerated().compactMap { place, row in
            let isCommand = row.commands.contains(command) || row.name == command
            let begun = isCommand ? .max : Self.wordsBegun(by: typed, in: row.name)
            let score = search.score(ofName: row.name) ?? (isCommand ? 0 : nil)
            return begun == 0 && row.quits
                ? nil : score.map { (begun: begun, score: $0, place: place) }
        }
        return found.sorted {
            ($1.begun, $1.score, $0.place) < ($0.begun, $0.score, $1.place)
        }.map { place in
            var row = rows[place.place]
            row.found = search.foundLetters(in: row.name)
            return row
        }
    }

    /// The words of `text`, as searching compares them.
    private static func words(of text: String) -> [Substring] {
        String(decoding: FoldedText.bytes(of: text), as: UTF8.self)
            .split { !$0.isLetter && !$0.isNumber }
    }

    /// 0 unless all of `typed` begin words of `name` in their order, else more for each that is a
    /// whole word.
    private static func wordsBegun(by typed: [Substring], in name: String) -> Int {
        var rest = words(of: name)[...]
        var whole = 0
        for word in typed {
            guard let place = rest.firstIndex(where: { $0.hasPrefix(word) }) else { return 0 }
            if rest[place] == word { whole += 1 }
            rest = rest[(place + 1)...]
        }
        return 1 + whole
    }

    /// Highlights a row of `rows`, or the nearest that there is.
    mutating func highlight(_ row: Int, of rows: [Row]) {
        highlightedRow = max(0, min(row, rows.count - 1))
        highlighted = rows.isEmpty ? nil : rows[highlightedRow].id
    }

    /// Finds the highlight again among rows that may be others now; one that is gone leaves it to
    /// the row that took its place.
    mutating func settleHighlight(in state: AppState) {
        let rows = rows(in: state)
        highlight(rows.firstIndex { $0.id == highlighted } ?? highlightedRow, of: rows)
    }

    /// The longest that the list of rows gets on a large screen.
    private static let mostRows = 14

    /// The box, frame and line included: as high as all choices need, so that it stays while they
    /// are narrowed down.
    public func box(in layout: Layout, of state: AppState) -> Rect {
        let count =
            switch choices {
            case .actions(let entries): entries.count
            case .argument(.savedView): state.views.count
            case .argument(.rowNumber): 1
            case .argument(.priority): Priority.allCases.count
            }
        return layout.box(
            columns: 72, rows: max(min(count, Self.mostRows), 1) + 3,
            avoiding: state.currentLine(in: layout))
    }
}

struct PaletteReducer: SwiduxReducer {
    /// As many actions are remembered.
    static let mostUsed = 20

    func reduce(
        state: inout AppState, action: PaletteAction, environment: AppEnvironment
    ) -> Effect? {
        switch action {
        case .opened(let entries): open(&state, .actions(entries))
        case .asked(let argument): open(&state, .argument(argument))
        case .moved(let step):
            guard case .palette(var palette) = state.ui.mode else { return nil }
            palette.highlight(palette.highlightedRow + step, of: palette.rows(in: state))
            state.ui.mode = .palette(palette)
        case .chosen:
            choose(&state)
        case .closed:
            if case .palette = state.ui.mode { state.ui.mode = .normal }
        }
        return nil
    }

    private func open(_ state: inout AppState, _ choices: Palette.Choices) {
        var palette = Palette(choices, about: state.keySubject)
        palette.highlight(0, of: palette.rows(in: state))
        state.ui.mode = .palette(palette)
    }

    private func choose(_ state: inout AppState) {
        guard let row = state.highlightedChoice else { return }
        if let obstacle = row.obstacle {
            return state.ui.refuse("\(row.name.sentenceCased): \(obstacle)", isAlert: true)
        }
        guard row.action != nil else { return }
        state.ui.mode = .normal
        guard case .action(let name) = row.id else { return }
        let others = state.ui.usedActions.filter { $0 != name }
        state.ui.usedActions = [name] + others.prefix(Self.mostUsed - 1)
    }
}
