import SheafApp
import Terminal

/// A table that maps keys to actions.
package struct Keymap: Sendable {
    package let bindings: [Binding]
    private let commands: [Path: (action: AppAction, requirement: Requirement)]
    /// The beginnings of sequences, each with the requirement of the first binding that begins with
    /// it.
    private let prefixes: [Path: Requirement]
    /// The hints that the footer shows in each context, in the table's order.
    private let hinted: [KeyContext: [(key: String, text: String, action: AppAction)]]
    /// The contexts in which a binding takes a key that would otherwise be text.
    private let bindsText: Set<KeyContext>

    /// A key sequence in a context.
    private struct Path: Hashable {
        var context: KeyContext
        var labels: [String]
    }

    /// The meaning of a key.
    package enum Meaning: Sendable {
        case action(AppAction, requires: Requirement)
        /// The sequence so far is the beginning of a binding.
        case pending([String], requires: Requirement)
        case unknown
    }

    package init(bindings: [Binding]) {
        self.bindings = bindings
        var hinted: [KeyContext: [(key: String, text: String, action: AppAction)]] = [:]
        var commands: [Path: (action: AppAction, requirement: Requirement)] = [:]
        var prefixes: [Path: Requirement] = [:]
        var bindsText: Set<KeyContext> = []
        for binding in bindings {
            for context in binding.contexts {
                if let hint = binding.hint {
                    hinted[context, default: []].append((binding.shortLabel, hint, binding.action))
                }
                for labels in binding.keys {
                    commands[Path(context: context, labels: labels)] =
                        (binding.action, binding.requirement)
                    for length in 1..<max(labels.count, 1) {
                        let path = Path(context: context, labels: Array(labels[..<length]))
                        prefixes[path] = prefixes[path] ?? binding.requirement
                    }
                    if labels.contains(where: { Key($0)?.edit != nil }) {
                        bindsText.insert(context)
                    }
                }
            }
        }
        self.hinted = hinted
        self.commands = commands
        self.prefixes = prefixes
        self.bindsText = bindsText
    }

    /// Returns the meaning of `key` in `context` after the labels `pending`. O(1).
    package func meaning(
        of key: Key, in context: KeyContext, after pending: [String] = []
    ) -> Meaning {
        let path = Path(context: context, labels: pending + [key.label])
        if let command = commands[path] {
            return .action(command.action, requires: command.requirement)
        }
        if let requirement = prefixes[path] { return .pending(path.labels, requires: requirement) }
        if case .paste(let text) = key.code, case .pane = context, pending.isEmpty {
            return .action(.clip(.linesPasted(text)), requires: .list)
        }
        if context.takesText, let edit = key.edit {
            return .action(.line(.edited(edit)), requires: .nothing)
        }
        return .unknown
    }

    /// Returns the text that `keys` type into the open line of `context`, up to the first key that
    /// types none, and the number of keys before that one. O(text).
    package func text(of keys: some Sequence<Key>, in context: KeyContext) -> (String, count: Int) {
        var text = ""
        var count = 0
        guard context.takesText, !bindsText.contains(context) else { return (text, count) }
        for key in keys {
            guard case .insert(let typed)? = key.edit else { break }
            text += typed
            count += 1
        }
        return (text, count)
    }

    /// Returns the bindings that are valid in `context`, in the table's order.
    package func bindings(in context: KeyContext) -> [Binding] {
        bindings.filter { $0.contexts.contains(context) }
    }

    /// Returns the bindings of `context` whose actions the list of `state` accepts, for the help.
    /// The other keys keep their meanings, and the program answers them with the reason for the
    /// refusal.
    func bindings(in context: KeyContext, of state: AppState) -> [Binding] {
        bindings(in: context).filter { state.takes($0.action) }
    }

    /// Returns the keys that the footer shows in `context`, each with a word for its action. After
    /// the beginning of a sequence, these are the keys that can follow.
    func hints(in context: KeyContext, of state: AppState) -> [(key: String, text: String)] {
        let pending = state.ui.pendingKeys
        guard pending.isEmpty else {
            return bindings(in: context, of: state).compactMap { $0.hint(after: pending) }
        }
        return (hinted[context] ?? []).filter { state.takes($0.action) }
            .map { ($0.key, $0.text) }
    }

    /// Returns the entries of the help in `context`.
    func helpEntries(in context: KeyContext, of state: AppState) -> [Help.Entry] {
        let listed = bindings(in: context, of: state).filter {
            $0.listing != .none && !$0.keys.isEmpty
        }
        return HelpHeading.allCases.flatMap { group in
            listed.filter { $0.action.traits.heading == group }.map {
                Help.Entry(keys: $0.label, title: $0.title, group: group.title)
            }
        }
    }

    /// The keys of one context, for the guide and the man page.
    package struct Table: Sendable {
        package let title: String
        package let rows: [(keys: [String], title: String)]

        init(_ title: String, of bindings: [Binding]) {
            self.title = title
            rows = bindings.filter { $0.listing != .none && !$0.keys.isEmpty }
                .map { ($0.labels, $0.title) }
        }
    }

    /// One table for each context, and one for editing a line, whose keys are the same in all
    /// contexts with text.
    package var tables: [Table] {
        KeyContext.allCases.map { context in
            Table(context.title, of: bindings(in: context).filter { !$0.editsLine })
        } + [Table("Editing a line, wherever text is typed", of: bindings.filter(\.editsLine))]
    }

    /// The names of the commands that only the palette has.
    package var namesWithoutKeys: [String] {
        bindings.filter { $0.keys.isEmpty && menuKeys(for: $0) == nil }.map(\.name)
    }

    /// The keys as Markdown tables for the guide.
    package var markdown: String {
        let tables = tables.map { table in
            let rows = table.rows.map { row in
                let keys = row.keys.map { "`\($0)`" }.joined(separator: " ")
                return "| \(keys.replacing("|", with: "\\|")) | \(row.title) |"
            }
            return (["**\(table.title)**", "", "| keys | what they do |", "|---|---|"] + rows)
                .joined(separator: "\n")
        }
        let unkeyed = namesWithoutKeys.joined(separator: "; ")
        return (tables + ["**Without a key, in the palette (`:`)**", "\(unkeyed)."])
            .joined(separator: "\n\n")
    }
}

extension Key {
    /// The edit that the key makes in a line, or `nil` if the key types no text.
    var edit: LineEditor.Edit? {
        switch code {
        case .character(let character) where modifiers.subtracting(.shift).isEmpty:
            .insert(String(character))
        case .paste(let text): .paste(text)
        default: nil
        }
    }
}
