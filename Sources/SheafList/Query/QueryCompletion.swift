/// The result of Tab after the beginning of a term: tags and keywords that complete it.
package struct QueryCompletion {
    /// The possible completions, in the order of the tags, then of the keywords.
    package let candidates: [String]
    /// The number of characters before the caret that `text` replaces. `text` is `nil` if the
    /// candidates share no more than the typed characters.
    package let replaced: Int
    package let text: String?

    private static let keywords: [String] =
        ItemState.allCases.map { "is:\($0.rawValue)" }
        + DatedState.allCases.map { "is:\($0.rawValue)" } + FieldWord.all.map { "\($0.key):" }

    private static let operators = ["AND", "OR", "NOT"]

    /// The named values of fields, such as `due:today`.
    private static let values = FieldWord.all.flatMap { word in
        word.names.map { "\(word.key):\($0)" }
    }

    private init(_ word: Substring, _ candidates: [String]) {
        self.candidates = candidates
        replaced = word.count
        if let only = candidates.first, candidates.count == 1 {
            text = only.hasSuffix(":") ? only : only + " "
        } else {
            let common = Self.commonPrefix(candidates)
            text = common.count > word.count ? common : nil
        }
    }

    private static func lastWord(of line: String) -> Substring {
        line.lastIndex(where: \.isWhitespace).map { line[line.index(after: $0)...] } ?? line[...]
    }

    /// Completes the last word of `line`.
    ///
    /// - Parameter listsAll: True to list all tags and keywords if that word is empty.
    package init(of line: String, tags: [Tag], listsAll: Bool = false) {
        let word = Self.lastWord(of: line).drop { "-!(".contains($0) }
        let all = listsAll && word.isEmpty ? tags.map { $0.queryTerm() } + Self.keywords : nil
        self.init(word, all ?? Self.candidates(for: String(word), tags: tags))
    }

    private static func candidates(for word: String, tags: [Tag]) -> [String] {
        guard !Tag.fold(word).isEmpty else { return [] }
        var fitting = Self.tags(tags, thatGoOn: word, folded: Tag.fold)
        if fitting.isEmpty {
            fitting = Self.tags(tags, thatGoOn: word, folded: FoldedText.text(of:))
        }
        let typed = word.lowercased()
        let values = typed.contains(":") ? values.filter { $0.hasPrefix(typed) } : []
        let keywords =
            keywords.filter { $0.hasPrefix(typed) } + operators.filter { $0.hasPrefix(word) }
        let known = fitting.map { $0.queryTerm() } + (values.isEmpty ? keywords : values)
        guard known.isEmpty, let (key, meant) = FieldWord.misspelledKey(of: word) else {
            return known
        }
        return ["\(meant)\(word.dropFirst(key.count))"]
    }

    /// Returns the tags whose names begin with `word`, with its sigil or without.
    private static func tags(
        _ tags: [Tag], thatGoOn word: String, folded fold: (String) -> String
    ) -> [Tag] {
        let typed = fold(word)
        let sigil = word.sigil
        guard !typed.isEmpty else { return [] }
        return tags.filter { tag in
            if fold(tag.label).hasPrefix(typed) { return true }
            // The user may omit the sigil of a name, or type `#` instead. Any sigil finds a tag
            // whose name has none.
            let bare = tag.nameWithoutSigil
            guard bare == nil || sigil == nil || sigil == "#" else { return false }
            let start = sigil == nil ? typed : typed.withoutFirstScalar
            return [tag.name, bare ?? tag.name].contains { fold($0).hasPrefix(start) }
        }
    }

    /// Completes the word before the caret of a new item's line with tags that have no white space.
    package init(ofTagIn line: String, tags: [Tag]) {
        let word = Self.lastWord(of: line)
        guard let sigil = word.sigil else {
            self.init(word, [])
            return
        }
        let typed = Tag.fold(String(word))
        let name = typed.withoutFirstScalar
        var seen: Set<String> = []
        let candidates = tags.compactMap { tag -> String? in
            if Tag.fold(tag.label).hasPrefix(typed) { return tag.label }
            // Any sigil marks a tag.
            if sigil == "#" { return tag.begins(with: name) ? tag.label : nil }
            let isMeant = tag.nameWithoutSigil == nil && tag.foldedName.hasPrefix(name)
            return isMeant ? "\(sigil)\(tag.name)" : nil
        }
        .filter { !$0.contains(where: \.isWhitespace) && seen.insert($0).inserted }
        self.init(word, candidates)
    }

    /// Completes the word before the caret of `line`. Returns false if the candidates share no more
    /// than the typed characters.
    ///
    /// A complete term is followed by one space, and the caret is placed after that space.
    package func apply(to line: inout LineEditor) -> Bool {
        guard let text else { return false }
        for _ in 0..<replaced { line.apply(.backwardDeleteChar) }
        let hasSpace = text.hasSuffix(" ") && line.afterCaret.first == " "
        line.apply(.insert(hasSpace ? String(text.dropLast()) : text))
        if hasSpace { line.apply(.forwardChar) }
        return true
    }

    /// The first candidates, for a message.
    package var listed: String {
        candidates.prefix(8).joined(separator: "  ") + (candidates.count > 8 ? "  …" : "")
    }

    private static func commonPrefix(_ texts: [String]) -> String {
        guard var common = texts.first else { return "" }
        for text in texts {
            common = String(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        return common
    }
}
