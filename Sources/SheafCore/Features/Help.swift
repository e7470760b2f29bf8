/// `?`: the keys that are valid now, searched by typing.
public enum HelpAction: Hashable, Sendable {
    case opened([Help.Entry])
    case scrolled(rows: Int)
    case scrolledPages(Int)
    case closed
}

/// The help while it is open.
public struct Help: Hashable, Sendable {
    /// What one key does, as the keymap says it.
    public struct Entry: Hashable, Sendable {
        public var keys: String
        public var title: String

        public init(keys: String, title: String) {
            self.keys = keys
            self.title = title
        }
    }

    public var entries: [Entry]
    public var line = LineEditor()
    public var top = 0

    /// The entries whose keys or words contain every word typed.
    public var matches: [Entry] {
        let words = line.text.split(whereSeparator: \.isWhitespace).map {
            TextSearch(TextTerm(.word, String($0)), words: .part, tags: [])
        }
        var matcher = TextMatcher()
        return entries.filter { entry in
            words.allSatisfy { word in
                [entry.title, entry.keys].contains { matcher.score(word, in: $0) != nil }
            }
        }
    }

    /// The rows of the box that hold entries, and the box, frame and search line included.
    public static func box(in layout: Layout, entries: Int) -> (box: Rect, rows: Int) {
        let box = layout.box(columns: 64, rows: entries + 4)
        return (box, max(box.height - 4, 1))
    }
}

struct HelpReducer: SwiduxReducer {
    func reduce(
        state: inout AppState, action: HelpAction, environment: AppEnvironment
    ) -> Effect? {
        if case .opened(let entries) = action {
            state.ui.mode = .help(Help(entries: entries))
            return nil
        }
        guard case .help(var help) = state.ui.mode else { return nil }
        let height = Help.box(in: Layout(state), entries: help.entries.count).rows
        let last = max(help.matches.count - height, 0)
        switch action {
        case .opened: break
        case .scrolled(let rows): help.top = max(0, min(help.top + rows, last))
        case .scrolledPages(let pages):
            help.top = max(0, min(help.top + pages * max(height - 1, 1), last))
        case .closed:
            state.ui.mode = .normal
            return nil
        }
        state.ui.mode = .help(help)
        return nil
    }
}
