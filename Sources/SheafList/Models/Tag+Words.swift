extension Tag {
    /// A word of a name that stands for one of the item's tags: `@nas` of `Host on @nas (nginx)`.
    public struct Word: Equatable, Sendable {
        /// Its characters in the name, without punctuation after it.
        public var range: Range<Int>
        public var tag: Tag
    }

    /// Names of more bytes are not looked through with every frame.
    private static let mostBytes = 2_000

    /// The words of `name` with a sigil that name one of `tags`. A bare word never does. O(name).
    public static func words(of name: String, naming tags: [Tag]) -> [Word] {
        guard !tags.isEmpty, name.utf8.count <= mostBytes,
            name.utf8.contains(where: { "+@#".utf8.contains($0) })
        else { return [] }
        var words: [Word] = []
        var place = 0
        for part in name.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
            defer { place += part.count + 1 }
            guard part.sigil != nil else { continue }
            var word = part
            while let last = word.last, ".,;:!?)".contains(last) { word.removeLast() }
            // The name of a tag may end so, too.
            for word in [part, word] {
                let named = tags.named(by: String(word))
                guard named.count == 1 else { continue }
                words.append(Word(range: place..<place + word.count, tag: named[0]))
                break
            }
        }
        return words
    }
}
