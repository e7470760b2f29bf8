import SheafCore
import Terminal

/// From keys to actions.
public struct Keymap: Sendable {
    public let bindings: [Binding]
    private let actions: [Path: AppAction]
    private let prefixes: Set<Path>

    /// A key sequence in a context.
    private struct Path: Hashable {
        var context: KeyContext
        var labels: [String]
    }

    /// What a key means.
    public enum Meaning: Sendable {
        case action(AppAction)
        /// The sequence so far is the beginning of a binding.
        case pending([String])
        case unknown
    }

    public init(bindings: [Binding]) {
        self.bindings = bindings
        var actions: [Path: AppAction] = [:]
        var prefixes: Set<Path> = []
        for binding in bindings {
            for context in binding.contexts {
                for labels in binding.keys {
                    actions[Path(context: context, labels: labels)] = binding.action
                    for length in 1..<max(labels.count, 1) {
                        prefixes.insert(Path(context: context, labels: Array(labels[..<length])))
                    }
                }
            }
        }
        self.actions = actions
        self.prefixes = prefixes
    }

    /// What `key` means in `context` after the labels `pending`. O(1).
    public func meaning(
        of key: Key, in context: KeyContext, after pending: [String] = []
    ) -> Meaning {
        let path = Path(context: context, labels: pending + [key.label])
        if let action = actions[path] { return .action(action) }
        if prefixes.contains(path) { return .pending(path.labels) }
        if context.takesText, let text = key.text { return .action(.line(.edited(.insert(text)))) }
        return .unknown
    }

    /// The bindings that are valid in `context`, in the table's order.
    public func bindings(in context: KeyContext) -> [Binding] {
        bindings.filter { $0.contexts.contains(context) }
    }

    /// What the help shows in `context`.
    public func helpEntries(in context: KeyContext) -> [Help.Entry] {
        bindings(in: context).map { Help.Entry(keys: $0.label, title: $0.title) }
    }

    /// The keys as Markdown tables, one a context, for the README.
    public var markdown: String {
        KeyContext.allCases.map { context in
            let rows = bindings(in: context).map { binding in
                let keys = binding.keys.map { "`\($0.joined())`" }.joined(separator: " ")
                return "| \(keys.replacing("|", with: "\\|")) | \(binding.title) |"
            }
            return (["**\(context.title)**", "", "| keys | what they do |", "|---|---|"] + rows)
                .joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}

extension Key {
    /// What the key puts into a line, or nil if it is not text.
    var text: String? {
        switch code {
        case .character(let character) where modifiers.subtracting(.shift).isEmpty:
            String(character)
        case .paste(let text): text
        default: nil
        }
    }
}
