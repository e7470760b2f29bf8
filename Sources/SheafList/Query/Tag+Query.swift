extension Tag {
    /// Returns the name by which a query asks for the tag: `#book`, `+garden`, `#"to read"`.
    ///
    /// - Parameter isQuoted: True to add quotation marks even if the name needs none.
    func queryTerm(isQuoted: Bool = false) -> String {
        // A sigil alone is text, unless another sigil precedes it.
        let label = Array((label.unicodeScalars.count == 1 ? "#\(label)" : label).unicodeScalars)
        let isPlain =
            label[1] != "\"" && label.last != "/"
            && !label.contains { $0.properties.isWhitespace || $0 == "(" || $0 == ")" }
        guard isQuoted || !isPlain else { return String(String.UnicodeScalarView(label)) }
        let quoted = label[1...].flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return String(String.UnicodeScalarView([label[0], "\""] + quoted + ["\""]))
    }

    /// The names of the tag and of the levels above it, such as `House` and `House/Bathroom`.
    fileprivate var levels: [String] {
        let slashes = name.indices.filter { name[$0] == "/" && $0 > name.startIndex }
        return slashes.map { String(name[..<$0]) } + [name]
    }
}

extension [Tag] {
    /// Returns the tags that a word with a sigil may mean, by the choices of
    /// ``KnownTags/tag(for:)``. If the third choice finds several tags, returns all of them.
    /// O(tags).
    ///
    /// - Parameter fold: Maps a name to the text that comparisons use.
    private func named(by word: String, folded fold: (String) -> String = Tag.fold) -> [Tag] {
        let bare = fold(word.withoutFirstScalar)
        // Folding takes most of the time for every key in a query, so each name is folded only
        // once.
        let folded = map { fold($0.name) }
        var fitting: [Tag] = []
        for name in [fold(word), bare] where fitting.isEmpty {
            fitting = zip(self, folded).filter { $1 == name }.map(\.0)
        }
        if fitting.isEmpty, word.sigil == "#" {
            fitting = filter { $0.nameWithoutSigil.map(fold) == bare }
        }
        // If two processes create tags of the same name, the list has both until storage refuses
        // one.
        var names: Set<String> = []
        return fitting.filter { names.insert($0.foldedName).inserted }
    }

    /// Returns the tags that a query may mean by a name with a sigil. If no tag has exactly this
    /// name, accents are ignored. O(tags).
    func meant(by name: String) -> [Tag] {
        let exact = named(by: name)
        return exact.isEmpty ? named(by: name, folded: FoldedText.text(of:)) : exact
    }

    /// Returns the tags that a query means by a name and a slash: those with that name, and those
    /// whose names begin with both. The comparison ignores case, and treats accents as
    /// ``meant(by:)`` does. O(tags).
    func meant(below name: String) -> [Tag] {
        let names = levels(named: name)
        return filter { tag in tag.levels.contains { names.contains(Tag.fold($0)) } }
    }

    /// Returns the folded names of the tags, and of the levels above them, that a name may mean.
    /// O(tags).
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
