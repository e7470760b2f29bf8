extension Tag {
    /// A word of a name that says a tag: `@nas` of `Host on @nas (nginx)`.
    public struct Word: Equatable, Sendable {
        /// Its characters in the name, without what ends a sentence.
        public var range: Range<Int>
        public var tag: Tag
    }

    /// Names of more bytes are not looked through with every frame.
    private static let mostBytes = 2_000

    /// The words of `name` with a sigil that say one of `tags`. A bare word never does. O(name).
    public static func words(of name: String, saying tags: [Tag]) -> [Word] {
        guard !tags.isEmpty, name.utf8.count <= mostBytes,
            name.utf8.contains(where: { "+@#".utf8.contains($0) })
        else { return [] }
        var words: [Word] = []
        var place = 0
        for part in name.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            defer { place += part.count + 1 }
            guard let sigil = part.first, "+@#".contains(sigil) else { continue }
            var word = part
            while let last = word.last, ".,;:!?)".contains(last) { word.removeLast() }
            let folded = (fold(String(word)), fold(String(word.dropFirst())))
            let tag = tags.first { [folded.0, folded.1].contains($0.foldedName) }
            if let tag { words.append(Word(range: place..<place + word.count, tag: tag)) }
        }
        return words
    }
}
