import SheafList

/// `:`: every action by name, with search.
package enum PaletteAction: Sendable {
    case opened([Palette.Entry])
    /// An action requires an argument.
    case argumentRequested(Palette.Argument)
    case moved(rows: Int)
    /// Enter: closes the palette and runs the highlighted action as if by its own key. If the
    /// action cannot run, a message gives the reason, and the palette stays open.
    case chosen
    case closed
}

extension PaletteAction: FeatureAction {
    var traits: ActionTraits {
        switch self {
        case .opened, .argumentRequested, .moved, .chosen, .closed:
            .user(under: .program, ends: [.count, .range])
        }
    }
}

/// The open palette.
package struct Palette: Sendable {
    /// An action, as described by the keymap.
    package struct Entry: Sendable {
        /// A description that needs no context. ``UIState/usedActions`` identifies the action by
        /// it.
        package var name: String
        /// The readable labels of the action's keys, or empty if it has none.
        package var keys: String
        /// Exact search texts for the action: its keys, and commands of other programs such as `w`.
        package var commands: [String]
        package var action: AppAction
        package var requirement: Requirement
        /// The pane of the action, if another pane has the focus.
        package var pane: Pane?
        /// The reason why undo or redo cannot run, or nil. The undo history is not part of the
        /// state, so the reason is determined when the palette is opened.
        package var obstacle: String?

        package init(
            name: String, keys: String, commands: [String] = [], action: AppAction,
            requirement: Requirement,
            pane: Pane?
        ) {
            self.name = name
            self.keys = keys
            self.commands = commands
            self.action = action
            self.requirement = requirement
            self.pane = pane
        }
    }

    /// The arguments that actions can require.
    package enum Argument: Hashable, Sendable {
        case rowNumber, savedView, priority

        /// The requirement of an action with the argument.
        var requirement: Requirement {
            switch self {
            case .rowNumber, .savedView: .nothing
            case .priority: .marked(to: "prioritize")
            }
        }
    }

    /// The available choices.
    package enum Choices: Sendable {
        case actions([Entry])
        case argument(Argument)
    }

    /// A row that Enter can choose.
    package struct Row: Sendable, Identifiable {
        package enum ID: Hashable, Sendable {
            case action(String), view(SavedView.ID), priority(Priority), number
        }

        package var id: ID
        package var name: String
        /// A flag for each letter of the name, true if it was typed; empty if no text was typed.
        package var found: [Bool] = []
        package var keys = ""
        /// ``Entry/commands``.
        var commands: [String] = []
        /// The action of the row, or nil while its argument is incomplete.
        package var action: AppAction?
        /// The reason why the action cannot run now, in a few words, or nil if it can.
        package var obstacle: String?
    }

    package let choices: Choices
    /// The selection when the palette was opened. An action on the selection runs only if the
    /// selection is still the same.
    private let subject: KeySubject
    package var line = LineEditor()
    /// The highlighted action or view. It is not a row number, so that the highlight stays in place
    /// when another process adds or deletes views.
    private var highlighted: Row.ID?
    package private(set) var highlightedRow = 0

    init(_ choices: Choices, about subject: KeySubject) {
        self.choices = choices
        self.subject = subject
    }

    /// Returns the rows that match the typed text, best first. Of equal matches, the last used
    /// comes first. O(actions + views).
    package func rows(in state: AppState) -> [Row] {
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
            requirement: Argument.priority.requirement, pane: nil)
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
        if entry.requirement.verb != nil, subject != state.keySubject {
            return "the selection moved"
        }
        return state.obstacle(to: entry)
    }

    /// Returns the rows that match the typed text, best first: exact keys or commands; then rows in
    /// which the typed words begin words in the same order, more whole words first; then fuzzy
    /// matches. Equal matches keep their order. A fuzzy match never includes an action that quits.
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

    /// Returns the words of `text`, folded as in searches.
    private static func words(of text: String) -> [Substring] {
        String(decoding: FoldedText.bytes(of: text), as: UTF8.self)
            .split { !$0.isLetter && !$0.isNumber }
    }

    /// Returns 0 unless all words of `typed` begin words of `name`, in the same order. Otherwise
    /// returns 1 plus the number of whole words among them.
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

    /// Highlights a row of `rows`, or the nearest existing one.
    mutating func highlight(_ row: Int, of rows: [Row]) {
        highlightedRow = max(0, min(row, rows.count - 1))
        highlighted = rows.isEmpty ? nil : rows[highlightedRow].id
    }

    /// Finds the highlighted row after the rows have changed. If it is gone, highlights the row
    /// that has taken its place.
    mutating func settleHighlight(in state: AppState) {
        let rows = rows(in: state)
        highlight(rows.firstIndex { $0.id == highlighted } ?? highlightedRow, of: rows)
    }

    /// The maximum number of visible rows on a large screen.
    private static let maxRows = 14

    /// Returns the box, including frame and line. Its height fits all choices, so that it does not
    /// change during a search.
    package func box(in layout: Layout, of state: AppState) -> Rect {
        let count =
            switch choices {
            case .actions(let entries): entries.count
            case .argument(.savedView): state.views.count
            case .argument(.rowNumber): 1
            case .argument(.priority): Priority.allCases.count
            }
        return layout.box(
            columns: 72, rows: max(min(count, Self.maxRows), 1) + 3,
            avoiding: state.currentLine(in: layout))
    }
}

extension PaletteAction {
    /// The maximum number of remembered actions.
    static let maxUsed = 20

    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect? {
        switch self {
        case .opened(let entries): open(&state, .actions(entries))
        case .argumentRequested(let argument): open(&state, .argument(argument))
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
        state.ui.usedActions = [name] + others.prefix(Self.maxUsed - 1)
    }
}
