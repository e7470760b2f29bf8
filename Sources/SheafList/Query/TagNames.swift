extension Tag {
    /// The name by which a query asks for it: `#book`, `+garden`, `#"to read"`.
    ///
    /// - Parameter isQuoted: whether it is to be in quotation marks even if it needs none.
    func queryTerm(isQuoted: Bool = false) -> String {
        // A sigil alone is text, but not after another one.
        let label = Array((label.unicodeScalars.count == 1 ? "#\(label)" : label).unicodeScalars)
        let isPlain =
            label[1] != "\"" && label.last != "/"
            && !label.contains { $0.properties.isWhitespace || $0 == "(" || $0 == ")" }
        guard isQuoted || !isPlain else { return String(String.UnicodeScalarView(label)) }
        let quoted = label[1...].flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return String(String.UnicodeScalarView([label[0], "\""] + quoted + ["\""]))
    }

    /// The names of the tag and of those above it: `House` and `House/Bathroom`.
    fileprivate var levels: [String] {
        let slashes = name.indices.filter { name[$0] == "/" && $0 > name.startIndex }
        return slashes.map { String(name[..<$0]) } + [name]
    }
}

extension [Tag] {
    /// The tags that `word`, which begins with a sigil, may mean, as in ``KnownTags/tag(for:)``;
    /// after `#` all that have the name after a sigil of their own. O(tags).
    ///
    /// - Parameter fold: maps a name to the text that it is compared by.
    private func named(by word: String, folded fold: (String) -> String = Tag.fold) -> [Tag] {
        let bare = fold(word.withoutFirstScalar)
        // Each name is folded once: that takes most of the time, for every key of a query.
        let folded = map { fold($0.name) }
        var fitting: [Tag] = []
        for name in [fold(word), bare] where fitting.isEmpty {
            fitting = zip(self, folded).filter { $1 == name }.map(\.0)
        }
        if fitting.isEmpty, word.sigil == "#" {
            fitting = filter { $0.nameWithoutSigil.map(fold) == bare }
        }
        // Two processes may give one name at the same time, until storage refuses one of them.
        var names: Set<String> = []
        return fitting.filter { names.insert($0.foldedName).inserted }
    }

    /// The tags that a query may mean by a name with a sigil. Accents may be left out where no tag
    /// has the name without them. O(tags).
    func meant(by name: String) -> [Tag] {
        let exact = named(by: name)
        return exact.isEmpty ? named(by: name, folded: FoldedText.text(of:)) : exact
    }

    /// The tags that a query means by a name and a slash: those of that name, and those whose names
    /// begin with both. Case does not count, and accents as in ``meant(by:)``. O(tags).
    func meant(below name: String) -> [Tag] {
        let names = levels(named: name)
        return filter { tag in tag.levels.contains { names.contains(Tag.fold($0)) } }
    }

    /// The folded names of the tags, and of the levels above them, that a name may mean. O(tags).
    func levels(named name: String) -> Set<String> {
        let levels = flatMap { tag in
            tag.levels.map { level in
                var upper = tag
                upper.name = level
                return upper
            }
        }
        return Set(levels.meant(by: name).map { Tag.fold($0.name) })
    }
}
